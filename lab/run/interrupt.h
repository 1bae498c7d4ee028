// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Ctrl-C as an event instead of an end.
//
//   Interrupt interrupt;  // from here on SIGINT, SIGTERM and SIGHUP are noted
//   ... poll(interrupt.fd()) beside whatever is waited for ...
//   if (interrupt.raised()) return 128 + interrupt.signal();
//
// The third signal ends the process at once, for a user who has lost patience.

#ifndef NETLAB_LAB_RUN_INTERRUPT_H_
#define NETLAB_LAB_RUN_INTERRUPT_H_

namespace netlab::lab {

// At most one at a time. The destructor puts the previous handlers back.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Readable once a signal has come, and ever after: never read from it.
  int fd() const { return read_fd_; }
  bool raised() const { return signal() != 0; }
  // The first signal that came, or 0.
  int signal() const;

 private:
  int read_fd_ = -1;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_RUN_INTERRUPT_H_
