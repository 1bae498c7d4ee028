// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// A load generator that connects once and makes its figures up, for tests of
// the runner and of the reports.
//
//   fake_load [--behaviour=NAME] --url=http://127.0.0.1:PORT/ ...
//
// Its figures depend on the number of threads and the port alone.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, std::string> Flags(int argc, char** argv) {
  std::map<std::string, std::string> flags;
  for (int i = 1; i < argc; ++i) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(absl::StripPrefix(argv[i], "--"),
                       absl::MaxSplits('=', 1));
    flags[std::string(parts.first)] = std::string(parts.second);
  }
  return flags;
}

int PortOf(absl::string_view url) {
  int port = 0;
  const size_t colon = url.rfind(':');
  if (colon == absl::string_view::npos ||
      !absl::SimpleAtoi(absl::StripSuffix(url.substr(colon + 1), "/"), &port)) {
    return 0;
  }
  return port;
}

int Connect(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address),
              sizeof(address)) != 0) {
    std::perror("fake_load: connect");
    std::exit(1);
  }
  return fd;
}

Json Usage(double user_s, double system_s) {
  return {{"user_s", user_s},          {"system_s", system_s},
          {"voluntary_switches", 500}, {"involuntary_switches", 500},
          {"max_rss_bytes", 4 << 20},  {"threads", 1}};
}

Json Result(int threads, int port, int requests, int timeouts) {
  const double latency = 100 + port % 10;
  Json result = {
      {"schema", "netlab.load/1"},
      {"mode", "closed"},
      {"threads", threads},
      {"elapsed_s", 1.0},
      {"requests", requests},
      {"requests_per_s", requests},
      {"errors",
       {{"connect", 0}, {"read", 0}, {"timeout", timeouts}, {"status", 0}}},
      {"latency_us",
       {{"mean", latency},
        {"p50", latency},
        {"p90", 2 * latency},
        {"p99", 4 * latency},
        {"p99_9", 8 * latency},
        {"max", 10 * latency}}},
  };
  result["generator"] = Usage(0.2 * threads, 0.3 * threads);
  result["observed"] = Usage(0.25, 0.7);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> flags = Flags(argc, argv);
  const std::string& behaviour = flags["behaviour"];
  const int port = PortOf(flags["url"]);
  int threads = 0;
  if (!absl::SimpleAtoi(flags["threads"], &threads)) return 1;
  const int connection = Connect(port);
  if (behaviour == "hangs") {
    for (;;) pause();
  }
  if (behaviour == "fails") {
    std::fputs("fake_load: no such CPU\n", stderr);
    return 1;
  }
  if (behaviour == "garbage") {
    std::puts("Requests/sec: 12345");
    return 0;
  }
  if (behaviour == "incomplete") {
    std::puts(R"({"schema": "netlab.load/1", "requests": 5})");
    return 0;
  }
  const bool nothing = behaviour == "nothing_succeeds";
  const int timeouts = nothing || behaviour == "has_errors" ? 5 : 0;
  std::puts(
      Result(threads, port, nothing ? 0 : 100000, timeouts).dump().c_str());
  close(connection);
  return nothing ? 2 : 0;
}
