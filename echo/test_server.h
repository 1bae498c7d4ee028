// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_TEST_SERVER_H_
#define NETLAB_ECHO_TEST_SERVER_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"

namespace netlab::echo {

// No test waits longer for what is to happen. Sanitizers on a busy machine take
// their time.
inline constexpr absl::Duration kPatience = absl::Seconds(60);

// Looks again and again until `condition` holds, or patience has run out.
bool Eventually(absl::FunctionRef<bool()> condition);

// A server as a child process, which does not outlive the test.
class TestServer {
 public:
  // Starts `binary` and waits until it listens or has exited. With `max_files`
  // it gets so many file descriptors at most.
  explicit TestServer(const std::string& binary,
                      const std::vector<std::string>& flags = {},
                      rlim_t max_files = 0);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  // 0 if it does not listen.
  int port() const { return port_; }
  pid_t pid() const { return pid_; }

  void Signal(int number) const;

  // Waits for the end; the exit status, or minus the signal that killed it.
  int Wait();

  // What was written, to be asked for after Wait().
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

  // As /proc shows the running server.
  std::vector<int> Files() const;
  absl::Duration CpuTime() const;
  // What the kernel lets each thread run on, by the name of the thread.
  std::map<std::string, std::string> CpusByThread() const;

  // A duplicate, in this process, of a descriptor of the server's; -1 and errno
  // if the kernel does not allow that.
  int Duplicate(int fd) const;

 private:
  bool ReadOutput(std::string* text, int fd) const;

  pid_t pid_ = -1;
  int out_fd_ = -1;
  int err_fd_ = -1;
  int port_ = 0;
  int status_ = 0;
  bool running_ = false;
  std::string out_;
  std::string err_;
};

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_TEST_SERVER_H_
