// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Time per request head, by what sends it and how it arrives.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "benchmark/benchmark.h"
#include "netlab/echo/framer.h"

namespace netlab::echo {
namespace {

constexpr std::string_view kLoadGenerator =
    "GET / HTTP/1.1\r\n"
    "Host: 127.0.0.1:28000\r\n"
    "\r\n";

constexpr std::string_view kBrowser =
    "GET /articles/2026/12/io?utm_source=front HTTP/1.1\r\n"
    "Host: www.example.org\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 "
    "Firefox/145.0\r\n"
    "Accept: "
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    "Accept-Language: en-US,en;q=0.5\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\n"
    "Connection: keep-alive\r\n"
    "Cookie: session=0123456789abcdef0123456789abcdef; theme=dark; seen=1\r\n"
    "Upgrade-Insecure-Requests: 1\r\n"
    "Sec-Fetch-Dest: document\r\n"
    "Sec-Fetch-Mode: navigate\r\n"
    "\r\n";

// Feeds `head` over and over, `piece` bytes at a time.
void Frame(benchmark::State& state, std::string_view head, size_t piece) {
  RequestFramer framer;
  for (auto _ : state) {
    for (size_t at = 0; at < head.size(); at += piece) {
      std::string_view input = head.substr(at, piece);
      benchmark::DoNotOptimize(framer.Next(&input));
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(head.size()));
}

void BM_LoadGenerator(benchmark::State& state) {
  Frame(state, kLoadGenerator, kLoadGenerator.size());
}
BENCHMARK(BM_LoadGenerator);

void BM_Browser(benchmark::State& state) {
  Frame(state, kBrowser, kBrowser.size());
}
BENCHMARK(BM_Browser);

void BM_BrowserByteByByte(benchmark::State& state) {
  Frame(state, kBrowser, 1);
}
BENCHMARK(BM_BrowserByteByByte);

void BM_LongValue(benchmark::State& state) {
  const std::string head =
      "GET / HTTP/1.1\r\nA: " + std::string(8000, 'x') + "\r\n\r\n";
  Frame(state, head, head.size());
}
BENCHMARK(BM_LongValue);

}  // namespace
}  // namespace netlab::echo
