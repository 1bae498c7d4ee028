// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/process_usage.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace netlab::lab {
namespace {

absl::Status Gone(pid_t pid) {
  return absl::NotFoundError(absl::StrCat("process ", pid, " is gone"));
}

// ESRCH and ENOENT both mean that the process went away before or during the
// look.
absl::Status ProcError(pid_t pid, int error, absl::string_view what) {
  if (error == ESRCH || error == ENOENT) return Gone(pid);
  return absl::ErrnoToStatus(error, absl::StrCat("process ", pid, ": ", what));
}

absl::StatusOr<std::string> ReadProcFile(pid_t pid, const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ProcError(pid, errno, absl::StrCat("open ", path));
  std::string content;
  char buffer[4096];
  ssize_t size;
  while ((size = read(fd, buffer, sizeof(buffer))) > 0) {
    content.append(buffer, static_cast<size_t>(size));
  }
  const int error = errno;
  close(fd);
  if (size < 0) return ProcError(pid, error, absl::StrCat("read ", path));
  return content;
}

// The number in a "NAME:   123 kB" line of a status file, or -1.
int64_t StatusField(absl::string_view status, absl::string_view name) {
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    if (!absl::ConsumePrefix(&line, name)) continue;
    if (!absl::ConsumePrefix(&line, ":")) continue;
    absl::ConsumeSuffix(&line, " kB");
    int64_t value;
    if (absl::SimpleAtoi(absl::StripAsciiWhitespace(line), &value)) {
      return value;
    }
  }
  return -1;
}

absl::Status ReadStat(ProcessSample& sample) {
  const std::string path = absl::StrCat("/proc/", sample.pid, "/stat");
  absl::StatusOr<std::string> stat = ReadProcFile(sample.pid, path);
  if (!stat.ok()) return stat.status();
  // The second field is the program's name in parentheses, which may hold
  // spaces and parentheses itself.
  const size_t name_end = stat->rfind(')');
  std::vector<absl::string_view> fields;
  if (name_end != std::string::npos) {
    fields = absl::StrSplit(absl::string_view(*stat).substr(name_end + 1), ' ',
                            absl::SkipEmpty());
  }
  // proc(5) counts fields from 1; fields[0] is its number 3.
  const auto field = [&fields](size_t number) { return fields[number - 3]; };
  if (fields.size() < 20 || !absl::SimpleAtoi(field(14), &sample.user_ticks) ||
      !absl::SimpleAtoi(field(15), &sample.system_ticks) ||
      !absl::SimpleAtoi(field(22), &sample.start_ticks)) {
    return absl::InternalError(absl::StrCat(path, " is unreadable: ", *stat));
  }
  if (field(3) == "Z" || field(3) == "X") return Gone(sample.pid);
  return absl::OkStatus();
}

absl::Status ReadCpuClock(ProcessSample& sample) {
  clockid_t clock;
  timespec time;
  if (const int error = clock_getcpuclockid(sample.pid, &clock); error != 0) {
    return ProcError(sample.pid, error, "clock_getcpuclockid");
  }
  if (clock_gettime(clock, &time) != 0) {
    // The clock of a process that has just exited is an invalid one.
    if (errno == EINVAL) return Gone(sample.pid);
    return ProcError(sample.pid, errno, "clock_gettime");
  }
  sample.cpu = absl::DurationFromTimespec(time);
  return absl::OkStatus();
}

absl::Status ReadPeakMemory(ProcessSample& sample) {
  absl::StatusOr<std::string> status =
      ReadProcFile(sample.pid, absl::StrCat("/proc/", sample.pid, "/status"));
  if (!status.ok()) return status.status();
  const int64_t peak_kib = StatusField(*status, "VmHWM");
  // A process without memory of its own is a kernel thread or has exited.
  sample.max_rss_bytes = peak_kib < 0 ? 0 : peak_kib * 1024;
  return absl::OkStatus();
}

absl::Status ReadThreads(ProcessSample& sample) {
  const std::string folder = absl::StrCat("/proc/", sample.pid, "/task");
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir(folder.c_str()),
                                                  &closedir);
  if (tasks == nullptr) {
    return ProcError(sample.pid, errno, absl::StrCat("opendir ", folder));
  }
  while (const dirent* entry = readdir(tasks.get())) {
    pid_t thread;
    if (!absl::SimpleAtoi(entry->d_name, &thread)) continue;  // "." and ".."
    absl::StatusOr<std::string> status =
        ReadProcFile(sample.pid, absl::StrCat(folder, "/", thread, "/status"));
    if (absl::IsNotFound(status.status())) continue;  // Exited meanwhile.
    if (!status.ok()) return status.status();
    const int64_t voluntary = StatusField(*status, "voluntary_ctxt_switches");
    const int64_t involuntary =
        StatusField(*status, "nonvoluntary_ctxt_switches");
    sample.switches_by_thread[thread] = {
        .voluntary = std::max<int64_t>(0, voluntary),
        .involuntary = std::max<int64_t>(0, involuntary)};
  }
  if (sample.switches_by_thread.empty()) return Gone(sample.pid);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ProcessSample> SampleProcess(pid_t pid) {
  if (pid <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("process ", pid, ": a process id is a positive number"));
  }
  ProcessSample sample;
  sample.pid = pid;
  if (absl::Status status = ReadStat(sample); !status.ok()) return status;
  if (absl::Status status = ReadCpuClock(sample); !status.ok()) return status;
  if (absl::Status status = ReadThreads(sample); !status.ok()) return status;
  if (absl::Status status = ReadPeakMemory(sample); !status.ok()) return status;
  return sample;
}

absl::StatusOr<ProcessUsage> UsageBetween(const ProcessSample& begin,
                                          const ProcessSample& end) {
  if (begin.pid != end.pid || begin.start_ticks != end.start_ticks) {
    return absl::FailedPreconditionError(absl::StrCat(
        "process ", begin.pid, " is gone: the later sample is of another one",
        " (process ", end.pid, ")"));
  }
  ProcessUsage usage;
  const absl::Duration cpu = end.cpu - begin.cpu;
  const int64_t user = std::max<int64_t>(0, end.user_ticks - begin.user_ticks);
  const int64_t system =
      std::max<int64_t>(0, end.system_ticks - begin.system_ticks);
  // Less than a tick tells nothing about the split; call it user time.
  usage.system = system == 0 ? absl::ZeroDuration()
                             : cpu * (static_cast<double>(system) /
                                      static_cast<double>(user + system));
  usage.user = cpu - usage.system;

  for (const auto& [thread, at_end] : end.switches_by_thread) {
    ProcessSample::ContextSwitches at_begin;
    if (const auto it = begin.switches_by_thread.find(thread);
        it != begin.switches_by_thread.end()) {
      at_begin = it->second;
    }
    // A thread's number may have been given to a new thread, which has counted
    // from zero.
    if (at_end.voluntary < at_begin.voluntary ||
        at_end.involuntary < at_begin.involuntary) {
      at_begin = {};
    }
    usage.voluntary_switches += at_end.voluntary - at_begin.voluntary;
    usage.involuntary_switches += at_end.involuntary - at_begin.involuntary;
  }
  usage.max_rss_bytes = end.max_rss_bytes;
  usage.threads = static_cast<int>(end.switches_by_thread.size());
  return usage;
}

}  // namespace netlab::lab
