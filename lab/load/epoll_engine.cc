// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/epoll_engine.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "netlab/lab/load/clock.h"

namespace netlab::lab {
namespace {

using Cause = Engine::Handler::Cause;

// Enough to share the cost of epoll_wait, few enough that the caller, who
// looks at its schedule between two calls, is never away for long.
constexpr int kMaxEvents = 128;
constexpr size_t kReceiveBytes = size_t{64} << 10;

class EpollEngine final : public Engine {
 public:
  EpollEngine(const SocketAddress& server, absl::string_view request,
              int max_requests, int connections, Handler* handler)
      : server_(server),
        request_size_(request.size()),
        handler_(handler),
        slots_(static_cast<size_t>(connections)),
        buffer_(kReceiveBytes) {
    for (int i = 0; i < max_requests; ++i) requests_.append(request);
  }

  ~EpollEngine() override {
    for (const Slot& slot : slots_) {
      if (slot.fd >= 0) close(slot.fd);
    }
    if (epoll_fd_ >= 0) close(epoll_fd_);
  }

  absl::Status Init();
  void Connect(int index) override;
  void Send(int index, int count) override;
  void Close(int index) override;
  absl::Status Wait(int64_t deadline_ns, int64_t now_ns) override;

 private:
  struct Slot {
    int fd = -1;
    // Tells the slot's connection from its earlier ones, of which events may
    // still be on their way.
    uint32_t generation = 0;
    bool connecting = false;
    // Of the requests sent last, what the socket has not taken yet.
    size_t unsent_bytes = 0;
  };

  struct Failure {
    int slot;
    uint32_t generation;
    Cause cause;
    int error;
  };

  Slot& slot(int index) { return slots_[static_cast<size_t>(index)]; }

  int OpenSocket(int index);
  void Handle(int index, uint32_t events);
  void Receive(int index, bool until_end);
  void Flush(int index);
  void FailLater(int index, Cause cause, int error);
  void FailNow(int index, Cause cause, int error);

  const SocketAddress server_;
  const size_t request_size_;
  std::string requests_;
  Handler* const handler_;
  int epoll_fd_ = -1;
  std::vector<Slot> slots_;
  std::vector<char> buffer_;
  std::array<epoll_event, kMaxEvents> events_;
  // Found outside of Wait().
  std::vector<Failure> failures_;
};

absl::Status EpollEngine::Init() {
  epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd_ < 0) return absl::ErrnoToStatus(errno, "epoll_create1");
  return absl::OkStatus();
}

void EpollEngine::Connect(int index) {
  if (const int error = OpenSocket(index); error != 0) {
    FailLater(index, Cause::kConnect, error);
  }
}

// Returns an errno.
int EpollEngine::OpenSocket(int index) {
  Slot& slot = this->slot(index);
  slot.fd = socket(server_.storage.ss_family,
                   SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (slot.fd < 0) return errno;
  slot.connecting = true;
  const int on = 1;
  if (setsockopt(slot.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) {
    return errno;
  }
  if (connect(slot.fd, server_.get(), server_.size) != 0 &&
      errno != EINPROGRESS) {
    return errno;
  }
  epoll_event event = {};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = (uint64_t{slot.generation} << 32) | uint32_t(index);
  return epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, slot.fd, &event) == 0 ? 0 : errno;
}

void EpollEngine::Send(int index, int count) {
  Slot& slot = this->slot(index);
  const size_t bytes = static_cast<size_t>(count) * request_size_;
  if (slot.unsent_bytes > 0) {
    slot.unsent_bytes += bytes;  // Flush() takes them along.
    return;
  }
  const ssize_t sent = send(slot.fd, requests_.data(), bytes, MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(bytes)) [[likely]] {
    return;
  }
  if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    FailLater(index, Cause::kSend, errno);
    return;
  }
  slot.unsent_bytes = bytes - static_cast<size_t>(sent < 0 ? 0 : sent);
}

// The socket takes bytes again.
void EpollEngine::Flush(int index) {
  Slot& slot = this->slot(index);
  while (slot.unsent_bytes > 0) {
    // All requests are the same, so what is left to send is always an end of
    // the longest that there can be.
    const size_t offset = requests_.size() - slot.unsent_bytes;
    const ssize_t sent = send(slot.fd, requests_.data() + offset,
                              slot.unsent_bytes, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) FailNow(index, Cause::kSend, errno);
      return;
    }
    slot.unsent_bytes -= static_cast<size_t>(sent);
  }
}

void EpollEngine::Close(int index) {
  Slot& slot = this->slot(index);
  if (slot.fd >= 0) close(slot.fd);
  slot = {.generation = slot.generation + 1};
}

void EpollEngine::FailLater(int index, Cause cause, int error) {
  failures_.push_back({.slot = index,
                       .generation = slot(index).generation,
                       .cause = cause,
                       .error = error});
}

void EpollEngine::FailNow(int index, Cause cause, int error) {
  Close(index);
  handler_->OnClosed(index, cause, error);
}

absl::Status EpollEngine::Wait(int64_t deadline_ns, int64_t now_ns) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  int64_t timeout_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
  if (!failures_.empty()) {
    for (const Failure& failure : std::exchange(failures_, {})) {
      if (slot(failure.slot).generation == failure.generation) {
        FailNow(failure.slot, failure.cause, failure.error);
      }
    }
    timeout_ns = 0;
  }
  const timespec timeout = {.tv_sec = timeout_ns / kNanosPerSecond,
                            .tv_nsec = timeout_ns % kNanosPerSecond};
  const int count =
      epoll_pwait2(epoll_fd_, events_.data(), kMaxEvents, &timeout, nullptr);
  if (count < 0 && errno != EINTR) {
    return absl::ErrnoToStatus(errno, errno == ENOSYS
                                          ? "epoll_pwait2 (needs Linux 5.11)"
                                          : "epoll_pwait2");
  }
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events_[static_cast<size_t>(i)];
    const int index = static_cast<int>(event.data.u64 & 0xffffffff);
    if (slot(index).generation == event.data.u64 >> 32) {
      Handle(index, event.events);
    }
  }
  return absl::OkStatus();
}

void EpollEngine::Handle(int index, uint32_t events) {
  Slot& slot = this->slot(index);
  const uint32_t generation = slot.generation;
  if (slot.connecting) {
    int error = 0;
    socklen_t size = sizeof(error);
    if (getsockopt(slot.fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
      error = errno;
    }
    if (error != 0) return FailNow(index, Cause::kConnect, error);
    if ((events & EPOLLOUT) == 0) return;
    slot.connecting = false;
    handler_->OnConnected(index);
    if (slot.generation != generation) return;
  }
  if (slot.unsent_bytes > 0 && (events & EPOLLOUT) != 0) {
    Flush(index);
    if (slot.generation != generation) return;
  }
  constexpr uint32_t kEnd = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
  if ((events & (EPOLLIN | kEnd)) != 0) Receive(index, (events & kEnd) != 0);
}

// Reads what is there; with `until_end`, up to the end of the stream, of which
// there will be no further event.
void EpollEngine::Receive(int index, bool until_end) {
  const uint32_t generation = slot(index).generation;
  while (true) {
    const ssize_t size =
        recv(slot(index).fd, buffer_.data(), buffer_.size(), 0);
    if (size > 0) {
      const size_t bytes = static_cast<size_t>(size);
      handler_->OnReceived(index, {buffer_.data(), bytes}, NowNanos());
      if (slot(index).generation != generation) return;
      if (bytes < buffer_.size() && !until_end) return;
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    return FailNow(index, Cause::kReceive, size == 0 ? 0 : errno);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> MakeEpollEngine(
    const SocketAddress& server, absl::string_view request, int max_requests,
    int connections, Engine::Handler* handler) {
  auto engine = std::make_unique<EpollEngine>(server, request, max_requests,
                                              connections, handler);
  if (absl::Status status = engine->Init(); !status.ok()) return status;
  return engine;
}

}  // namespace netlab::lab
