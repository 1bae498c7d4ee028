// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Draws the charts, again whenever the reader's colour scheme changes.
(() => {
  'use strict';
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const themes = read('themes');
  const specs = read('specs');
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let views = [];

  // A copy of `value` in which "@name" is the theme's colour of that name.
  const coloured = (value, theme) => {
    if (typeof value === 'string') {
      return value[0] === '@' ? theme[value.slice(1)] : value;
    }
    if (Array.isArray(value)) return value.map((item) => coloured(item, theme));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(
        ([key, item]) => [key, key === 'values' ? item : coloured(item, theme)]));
  };

  const config = (theme) => ({
    background: theme.background,
    font: 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif',
    view: {stroke: null},
    axis: {
      domain: false, ticks: false, gridColor: theme.grid, gridOpacity: 0.6,
      labelColor: theme.text, labelFontSize: 12, labelPadding: 6,
      titleColor: theme.muted, titleFontSize: 12, titleFontWeight: 'normal',
    },
    axisY: {grid: false},
  });

  const draw = () => {
    const theme = dark.matches ? themes.dark : themes.light;
    for (const view of views) view.finalize();
    for (const swatch of document.querySelectorAll('[data-colour]')) {
      swatch.style.background = coloured(swatch.dataset.colour, theme);
    }
    views = [...document.querySelectorAll('[data-spec]')].map((place) => {
      const spec = coloured(specs[Number(place.dataset.spec)].spec, theme);
      const compiled = vegaLite.compile(spec, {config: config(theme)}).spec;
      const view = new vega.View(
          vega.parse(compiled), {renderer: 'svg', container: place, hover: true});
      view.runAsync();
      return view;
    });
  };

  dark.addEventListener('change', draw);
  draw();
})();
