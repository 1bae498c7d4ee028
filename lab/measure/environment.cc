// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/environment.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/lab/measure/build_info.h"
#include "netlab/lab/measure/topology.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr char kNotExposed[] = "not exposed";

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(absl::StripAsciiWhitespace(line));
}

std::string FirstLineOrNotExposed(const std::string& path) {
  std::string line = FirstLine(path);
  return line.empty() ? kNotExposed : line;
}

// The value of the first line "KEY<separator>VALUE".
std::string Field(const std::string& path, absl::string_view key,
                  char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(separator, 1));
    if (absl::StripAsciiWhitespace(parts.first) == key) {
      return std::string(absl::StripAsciiWhitespace(parts.second));
    }
  }
  return kNotExposed;
}

std::string CpuModel(const EnvironmentSources& sources) {
  const std::string cpuinfo = sources.proc + "/cpuinfo";
  std::string model = Field(cpuinfo, "model name", ':');
  if (model != kNotExposed) return model;
  // Arm has numbers instead of a name.
  const std::string implementer = Field(cpuinfo, "CPU implementer", ':');
  if (implementer == kNotExposed) return model;
  return absl::StrCat("implementer ", implementer, ", part ",
                      Field(cpuinfo, "CPU part", ':'));
}

std::string Memory(const EnvironmentSources& sources) {
  const std::string total = Field(sources.proc + "/meminfo", "MemTotal", ':');
  int64_t kibibytes = 0;
  if (!absl::SimpleAtoi(absl::StripSuffix(total, " kB"), &kibibytes)) {
    return kNotExposed;
  }
  return absl::StrFormat("%.1f GiB",
                         static_cast<double>(kibibytes) / (1 << 20));
}

std::string Hypervisor(const EnvironmentSources& sources) {
  const bool is_guest = absl::StrContains(
      Field(sources.proc + "/cpuinfo", "flags", ':'), " hypervisor");
  const std::string product =
      absl::StrCat(FirstLine(sources.sys + "/class/dmi/id/sys_vendor"), " ",
                   FirstLine(sources.sys + "/class/dmi/id/product_name"));
  const absl::string_view name = absl::StripAsciiWhitespace(product);
  if (!is_guest) return "none seen";
  return name.empty() ? "yes; its name is not exposed"
                      : absl::StrCat("yes: ", name);
}

std::string Mitigations(const EnvironmentSources& sources) {
  std::vector<std::string> active;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(
           sources.sys + "/devices/system/cpu/vulnerabilities", error)) {
    const std::string state = FirstLine(entry.path().string());
    if (absl::StartsWith(state, "Not affected")) continue;
    active.push_back(absl::StrCat(entry.path().filename().string(), ": ",
                                  absl::StripPrefix(state, "Mitigation: ")));
  }
  if (error) return kNotExposed;
  std::sort(active.begin(), active.end());
  return active.empty() ? "none needed" : absl::StrJoin(active, "; ");
}

std::string Compiler() {
#if defined(__clang__)
  return absl::StrCat("Clang ", __clang_version__);
#elif defined(__GNUC__)
  return absl::StrCat("GCC ", __VERSION__);
#else
  return "not known";
#endif
}

std::string FileLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kNotExposed;
  return absl::StrCat(limit.rlim_cur, " (hard ", limit.rlim_max, ")");
}

std::string Smt(absl::Span<const Core> cores, const std::string& sys) {
  const std::string control = FirstLine(sys + "/devices/system/cpu/smt/active");
  if (control == "1") return "on";
  if (control == "0") return "off";
  const bool siblings = std::any_of(cores.begin(), cores.end(),
                                    [](const Core& c) { return c.size() > 1; });
  return siblings ? "on" : kNotExposed;
}

// What `command` prints first; empty when it fails.
std::string FirstLineOf(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char buffer[256];
  const bool read = fgets(buffer, sizeof(buffer), pipe) != nullptr;
  const bool ended_well = pclose(pipe) == 0;
  if (!read || !ended_well) return "";
  return std::string(absl::StripAsciiWhitespace(buffer));
}

}  // namespace

std::vector<Fact> RecordEnvironment(const EnvironmentSources& sources) {
  const std::string net = sources.proc + "/sys/net/";
  const std::vector<int> cpus = AvailableCpus().value_or(std::vector<int>{0});
  const std::vector<Core> cores = CoresOf(cpus, sources.sys);
  utsname names = {};
  uname(&names);
  return {
      {"date", absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::Now(),
                                absl::UTCTimeZone())},
      {"cpu_model", CpuModel(sources)},
      {"cpus", absl::StrCat(cpus.size(), " usable (", FormatCpuList(cpus),
                            ") of ", sysconf(_SC_NPROCESSORS_ONLN), " online")},
      {"physical_cores", absl::StrCat(cores.size())},
      {"smt", Smt(cores, sources.sys)},
      {"memory", Memory(sources)},
      {"hypervisor", Hypervisor(sources)},
      {"os", std::string(absl::StrReplaceAll(
                 Field(sources.os_release, "PRETTY_NAME", '='), {{"\"", ""}}))},
      {"kernel",
       absl::StrCat(names.sysname, " ", names.release, " ", names.machine)},
      {"mitigations", Mitigations(sources)},
      {"governor",
       FirstLineOrNotExposed(
           sources.sys + "/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"clock_source",
       FirstLineOrNotExposed(
           sources.sys +
           "/devices/system/clocksource/clocksource0/current_clocksource")},
      {"load_average", FirstLineOrNotExposed(sources.proc + "/loadavg")},
      {"ulimit_n", FileLimit()},
      {"somaxconn", FirstLineOrNotExposed(net + "core/somaxconn")},
      {"tcp_max_syn_backlog",
       FirstLineOrNotExposed(net + "ipv4/tcp_max_syn_backlog")},
      {"ip_local_port_range",
       absl::StrReplaceAll(
           FirstLineOrNotExposed(net + "ipv4/ip_local_port_range"),
           {{"\t", "-"}})},
      {"compiler", Compiler()},
      {"compiler_options",
       absl::StrCat("-c ", kCompilationMode, ": ", kCompilerOptions)},
  };
}

std::string SourceCommit(const std::string& folder) {
  constexpr char kUnknown[] = "not known";
  if (!absl::StrContains(FirstLine(folder + "/WORKSPACE.bazel"), "netlab") ||
      absl::StrContains(folder, '\'')) {
    return kUnknown;
  }
  const std::string commit =
      FirstLineOf(absl::StrCat("git -C '", folder,
                               "' describe --always --dirty --abbrev=12 "
                               "--exclude='*' 2>/dev/null"));
  return commit.empty() ? kUnknown : commit;
}

bool BuiltForMeasuring() {
  return absl::string_view(kCompilationMode) == "opt";
}

}  // namespace netlab::lab
