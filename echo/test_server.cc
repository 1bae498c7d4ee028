// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/test_server.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace netlab::echo {
namespace {

[[noreturn]] void Become(const std::string& binary,
                         const std::vector<std::string>& flags,
                         rlim_t max_files, int out, int err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
  if (max_files != 0) {
    const rlimit limit{.rlim_cur = max_files, .rlim_max = max_files};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  std::vector<char*> arguments{const_cast<char*>(binary.c_str())};
  for (const std::string& flag : flags) {
    arguments.push_back(const_cast<char*>(flag.c_str()));
  }
  arguments.push_back(nullptr);
  execv(binary.c_str(), arguments.data());
  _exit(127);
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The value of a line "KEY:\tVALUE" in a status file.
std::string StatusField(const std::string& status, absl::string_view key) {
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    if (absl::ConsumePrefix(&line, absl::StrCat(key, ":\t"))) {
      return std::string(line);
    }
  }
  return "";
}

}  // namespace

bool Eventually(absl::FunctionRef<bool()> condition) {
  const absl::Time deadline = absl::Now() + kPatience;
  while (!condition()) {
    if (absl::Now() > deadline) return false;
    absl::SleepFor(absl::Milliseconds(2));
  }
  return true;
}

TestServer::TestServer(const std::string& binary,
                       const std::vector<std::string>& flags,
                       rlim_t max_files) {
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) Become(binary, flags, max_files, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  out_fd_ = out[0];
  err_fd_ = err[0];
  running_ = pid_ > 0;
  while (!absl::StrContains(out_, '\n') && ReadOutput(&out_, out_fd_)) {
  }
  absl::string_view line = out_;
  if (absl::ConsumePrefix(&line, "listening on ") &&
      absl::ConsumeSuffix(&line, "\n")) {
    if (!absl::SimpleAtoi(line, &port_)) port_ = 0;
  }
}

TestServer::~TestServer() {
  if (running_) {
    Signal(SIGKILL);
    Wait();
  }
  close(out_fd_);
  close(err_fd_);
}

// Appends what there is; false at the end, or when patience has run out.
bool TestServer::ReadOutput(std::string* text, int fd) const {
  pollfd readable{.fd = fd, .events = POLLIN, .revents = 0};
  if (poll(&readable, 1,
           static_cast<int>(absl::ToInt64Milliseconds(kPatience))) != 1) {
    return false;
  }
  char buffer[4096];
  const ssize_t size = read(fd, buffer, sizeof(buffer));
  if (size <= 0) return false;
  text->append(buffer, static_cast<size_t>(size));
  return true;
}

void TestServer::Signal(int number) const { kill(pid_, number); }

int TestServer::Wait() {
  if (!running_) return status_;
  // A server that does not end is ended, and its status tells.
  while (ReadOutput(&err_, err_fd_)) {
  }
  int status = 0;
  if (!Eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  }
  running_ = false;
  while (ReadOutput(&out_, out_fd_)) {
  }
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return status_;
}

std::vector<int> TestServer::Files() const {
  std::vector<int> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(
           absl::StrCat("/proc/", pid_, "/fd"), error)) {
    int fd;
    if (absl::SimpleAtoi(entry.path().filename().string(), &fd)) {
      files.push_back(fd);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

absl::Duration TestServer::CpuTime() const {
  // The fields after the name, which is in parentheses, count from the third.
  const std::string stat = ReadFile(absl::StrCat("/proc/", pid_, "/stat"));
  const size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos) return absl::ZeroDuration();
  const std::vector<std::string> fields =
      absl::StrSplit(stat.substr(name_end + 2), ' ');
  constexpr size_t kUserTicks = 14 - 3;
  int64_t user = 0;
  int64_t system = 0;
  if (fields.size() > kUserTicks + 1) {
    (void)absl::SimpleAtoi(fields[kUserTicks], &user);
    (void)absl::SimpleAtoi(fields[kUserTicks + 1], &system);
  }
  return absl::Seconds(1) * static_cast<double>(user + system) /
         static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::map<std::string, std::string> TestServer::CpusByThread() const {
  std::map<std::string, std::string> cpus;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(
           absl::StrCat("/proc/", pid_, "/task"), error)) {
    const std::string status = ReadFile(task.path() / "status");
    cpus[StatusField(status, "Name")] =
        StatusField(status, "Cpus_allowed_list");
  }
  return cpus;
}

int TestServer::Duplicate(int fd) const {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (pidfd < 0) return -1;
  const int copy = static_cast<int>(syscall(SYS_pidfd_getfd, pidfd, fd, 0));
  const int error = errno;
  close(pidfd);
  errno = error;
  return copy;
}

}  // namespace netlab::echo
