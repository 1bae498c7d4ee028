#!/usr/bin/env python3
# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0
"""Compares our load generator with wrk, on one server, round by round.

A round runs both, in random order, with the same connections, threads and CPUs.
Both are measured from outside and in the same way: the generator's CPU time is its
rusage, the server's is the difference of its CPU clock, each divided by the
requests that the generator reports. Throughput and latency are the generators' own.
"""

import argparse
import dataclasses
import json
import os
import random
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import time

METRICS = (
    # name, unit, format
    ("requests_per_s", "1/s", "{:,.0f}"),
    ("generator_us", "CPU us/request", "{:.2f}"),
    ("server_us", "CPU us/request", "{:.2f}"),
    ("p50_us", "us", "{:,.0f}"),
    ("p99_us", "us", "{:,.0f}"),
)


@dataclasses.dataclass
class Run:
    requests: int
    requests_per_s: float
    errors: str
    p50_us: float
    p99_us: float
    generator_us: float = 0
    server_us: float = 0


def fail(message):
    sys.exit(f"load_vs_wrk: {message}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", required=True, help="our generator's binary")
    parser.add_argument("--server", required=True, help="the server's binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="per run")
    parser.add_argument("--connections", default="100,1000", help="one comparison for each")
    parser.add_argument("--threads", type=int, default=1, help="of the generator")
    parser.add_argument("--server_threads", type=int, default=1)
    parser.add_argument("--server_cpus", default="0")
    parser.add_argument("--load_cpus", default="1")
    parser.add_argument("--load_flags", default="", help="further flags for ours")
    parser.add_argument("--json_output", default="", help="where to write all rounds")
    parser.add_argument("--seed", type=int, default=1, help="of the order")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.seconds < 1:
        fail("--rounds and --seconds must be at least 1")
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", arguments.connections):
        fail(f"--connections={arguments.connections}: expected numbers like 100,1000")
    for program, package in (("wrk", "wrk"), ("taskset", "util-linux")):
        if shutil.which(program) is None:
            fail(f"{program} is not installed. Run: apt-get install {package}")
    return arguments


class Server:
    """The server under load; a context, so that it never outlives the comparison."""

    def __init__(self, arguments):
        self.command = [
            arguments.server,
            f"--threads={arguments.server_threads}",
            f"--cpus={arguments.server_cpus}",
        ]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        readable, _, _ = select.select([self.process.stdout], [], [], 10)
        line = self.process.stdout.readline() if readable else ""
        match = re.fullmatch(r"listening on (\d+)\n", line)
        if match is None:
            self.process.kill()
            fail(f"{self.command[0]} does not listen; it said {line!r}")
        self.url = f"http://127.0.0.1:{match[1]}/"
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def cpu_s(self):
        # The clock of another process, as clock_getcpuclockid() makes it.
        return time.clock_gettime((~self.process.pid << 3) | 2)


def run_load(arguments, connections, server):
    command = [
        arguments.load,
        f"--url={server.url}",
        f"--connections={connections}",
        f"--threads={arguments.threads}",
        f"--cpus={arguments.load_cpus}",
        f"--duration={arguments.seconds}s",
        "--warmup=0s",  # wrk has none.
        "--json_output=-",
        *arguments.load_flags.split(),
    ]

    def parse(output):
        report = json.loads(output)
        latency = report["latency_us"]
        errors = {kind: count for kind, count in report["errors"].items() if count}
        return Run(
            requests=report["requests"],
            requests_per_s=report["requests_per_s"],
            errors=str(errors) if errors else "",
            p50_us=latency["p50"],
            p99_us=latency["p99"],
        )

    return measure(command, server, parse)


def run_wrk(arguments, connections, server):
    command = [
        *("taskset", "-c", arguments.load_cpus),
        *("wrk", "--latency", f"-t{arguments.threads}", f"-c{connections}"),
        *(f"-d{arguments.seconds}s", server.url),
    ]

    def parse(output):
        errors = re.search(r"(Socket errors|Non-2xx).*", output)
        return Run(
            requests=int(re.search(r"(\d+) requests in", output)[1]),
            requests_per_s=float(re.search(r"Requests/sec:\s*([\d.]+)", output)[1]),
            errors=errors[0] if errors else "",
            p50_us=wrk_percentile(output, "50"),
            p99_us=wrk_percentile(output, "99"),
        )

    return measure(command, server, parse)


def wrk_percentile(output, percent):
    value, unit = re.search(rf"^\s*{percent}%\s+([\d.]+)(us|ms|s)$", output, re.M).groups()
    return float(value) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def measure(command, server, parse):
    """Runs a generator and adds what it and the server have cost meanwhile."""
    server_before = server.cpu_s()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    server_s = server.cpu_s() - server_before
    if process.returncode != 0:
        fail(f"{' '.join(command)}: exit status {process.returncode}\n{output}")
    run = parse(output)
    run.generator_us = (usage.ru_utime + usage.ru_stime) / run.requests * 1e6
    run.server_us = server_s / run.requests * 1e6
    return run


def compare(arguments, connections):
    """Returns the rounds, each a dictionary of two runs."""
    generators = {"load": run_load, "wrk": run_wrk}
    rounds = []
    with Server(arguments) as server:
        for number in range(arguments.rounds):
            order = random.sample(sorted(generators), len(generators))
            runs = {name: generators[name](arguments, connections, server) for name in order}
            rounds.append(runs)
            if sys.stderr.isatty():
                print(f"\r{connections} connections: round {number + 1}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return rounds


def print_table(connections, arguments, rounds):
    print(
        f"\n{connections} connections, {arguments.threads} thread(s) on CPU {arguments.load_cpus}, "
        f"server on CPU {arguments.server_cpus}, {len(rounds)} rounds of {arguments.seconds} s: "
        "medians, and the ratio within a round as median (least - greatest)"
    )
    print(f"{'':32}{'load':>10}{'wrk':>10}   load / wrk")
    for name, unit, form in METRICS:
        values = {who: [getattr(r[who], name) for r in rounds] for who in ("load", "wrk")}
        ratios = [ours / theirs for ours, theirs in zip(values["load"], values["wrk"])]
        print(
            f"{name.removesuffix('_us') + ' (' + unit + ')':32}"
            f"{form.format(statistics.median(values['load'])):>10}"
            f"{form.format(statistics.median(values['wrk'])):>10}"
            f"   {statistics.median(ratios):.2f} ({min(ratios):.2f} - {max(ratios):.2f})"
        )
    for number, runs in enumerate(rounds):
        for who, run in runs.items():
            if run.errors:
                print(f"errors of {who} in round {number + 1}: {run.errors}")


def main():
    arguments = parse_arguments()
    random.seed(arguments.seed)
    results = []
    for connections in map(int, arguments.connections.split(",")):
        rounds = compare(arguments, connections)
        print_table(connections, arguments, rounds)
        for number, runs in enumerate(rounds):
            for who, run in runs.items():
                results.append(
                    {"connections": connections, "round": number, "generator": who}
                    | dataclasses.asdict(run)
                )
    if arguments.json_output:
        folder = os.environ.get("BUILD_WORKING_DIRECTORY", ".")
        with open(os.path.join(folder, arguments.json_output), "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
