// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/uring_engine.h"

#include <liburing.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "netlab/lab/load/clock.h"

namespace netlab::lab {
namespace {

using Cause = Engine::Handler::Cause;

constexpr unsigned kSubmissions = 1024;
constexpr unsigned kMinCompletions = 4096;
constexpr unsigned kMaxCompletions = 65536;
constexpr int kBufferGroup = 0;
constexpr size_t kBufferBytes = size_t{16} << 10;
// Few, so that they stay in the cache: they are used in turn.
constexpr unsigned kMinBuffers = 64;
constexpr unsigned kMaxBuffers = 1024;

enum class Operation : uint64_t { kConnect, kReceive, kSend };

// What a completion tells: which operation, of which connection.
uint64_t Tag(Operation operation, uint32_t generation, int slot) {
  return (static_cast<uint64_t>(operation) << 60) |
         (uint64_t{generation & 0xfffffff} << 32) | static_cast<uint32_t>(slot);
}

class UringEngine final : public Engine {
 public:
  UringEngine(const SocketAddress& server, absl::string_view request,
              int max_requests, int connections, Handler* handler)
      : server_(server),
        request_size_(request.size()),
        single_(max_requests == 1),
        handler_(handler),
        slots_(static_cast<size_t>(connections)) {
    for (int i = 0; i < max_requests; ++i) requests_.append(request);
  }

  ~UringEngine() override;

  absl::Status Init();
  void Connect(int index) override;
  void Send(int index, int count) override;
  void Close(int index) override;
  absl::Status Wait(int64_t deadline_ns, int64_t now_ns) override;

 private:
  struct Slot {
    int fd = -1;
    uint32_t generation = 0;
    // With several requests in flight, one send at a time: a second could
    // overtake the rest of the first.
    bool sending = false;
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
  io_uring_sqe* Prepare(Operation operation, int index);
  void Receive(int index);
  void SendRest(int index);
  void Handle(const io_uring_cqe& cqe, int64_t now_ns);
  void OnReceive(int index, const io_uring_cqe& cqe, int64_t now_ns);
  void Recycle(const io_uring_cqe& cqe);
  void Fail(int index, Cause cause, int error);

  const SocketAddress server_;
  const size_t request_size_;
  std::string requests_;
  const bool single_;
  Handler* const handler_;
  bool ring_ready_ = false;
  io_uring ring_;
  io_uring_buf_ring* buffer_ring_ = nullptr;
  unsigned buffer_count_ = 0;
  std::vector<char> buffers_;
  std::vector<Slot> slots_;
  std::vector<Failure> failures_;
};

UringEngine::~UringEngine() {
  if (buffer_ring_ != nullptr) {
    io_uring_free_buf_ring(&ring_, buffer_ring_, buffer_count_, kBufferGroup);
  }
  if (ring_ready_) io_uring_queue_exit(&ring_);
  for (const Slot& slot : slots_) {
    if (slot.fd >= 0) close(slot.fd);
  }
}

absl::Status UringEngine::Init() {
  const auto failed = [](int error, absl::string_view call) {
    return absl::UnavailableError(
        absl::StrCat(call, ": ", strerror(-error),
                     "; io_uring needs Linux 6.1 and "
                     "kernel.io_uring_disabled=0, --engine=epoll does not"));
  };
  const unsigned connections = static_cast<unsigned>(slots_.size());
  io_uring_params params = {};
  params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                 IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE;
  params.cq_entries = std::clamp(std::bit_ceil(4 * connections),
                                 kMinCompletions, kMaxCompletions);
  if (int error = io_uring_queue_init_params(kSubmissions, &ring_, &params);
      error != 0) {
    return failed(error, "io_uring_queue_init");
  }
  ring_ready_ = true;
  if (int error = io_uring_register_ring_fd(&ring_); error < 0) {
    return failed(error, "io_uring_register_ring_fd");
  }
  if (int error = io_uring_register_files_sparse(&ring_, connections);
      error != 0) {
    return failed(error, "io_uring_register_files_sparse");
  }
  buffer_count_ =
      std::clamp(std::bit_ceil(connections), kMinBuffers, kMaxBuffers);
  int error = 0;
  buffer_ring_ =
      io_uring_setup_buf_ring(&ring_, buffer_count_, kBufferGroup, 0, &error);
  if (buffer_ring_ == nullptr) return failed(error, "io_uring_setup_buf_ring");
  buffers_.resize(buffer_count_ * kBufferBytes);
  for (unsigned i = 0; i < buffer_count_; ++i) {
    io_uring_buf_ring_add(buffer_ring_, buffers_.data() + i * kBufferBytes,
                          kBufferBytes, static_cast<uint16_t>(i),
                          io_uring_buf_ring_mask(buffer_count_),
                          static_cast<int>(i));
  }
  io_uring_buf_ring_advance(buffer_ring_, static_cast<int>(buffer_count_));
  return absl::OkStatus();
}

void UringEngine::Connect(int index) {
  if (const int error = OpenSocket(index); error != 0) {
    failures_.push_back({.slot = index,
                         .generation = slot(index).generation,
                         .cause = Cause::kConnect,
                         .error = error});
  }
}

// Returns an errno.
int UringEngine::OpenSocket(int index) {
  Slot& slot = this->slot(index);
  slot.fd = socket(server_.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (slot.fd < 0) return errno;
  const int on = 1;
  if (setsockopt(slot.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) {
    return errno;
  }
  const int updated = io_uring_register_files_update(
      &ring_, static_cast<unsigned>(index), &slot.fd, 1);
  if (updated != 1) return updated < 0 ? -updated : EIO;
  io_uring_prep_connect(Prepare(Operation::kConnect, index), index,
                        server_.get(), server_.size);
  return 0;
}

// An entry for an operation on the slot's registered file, for an
// io_uring_prep_ function to fill.
io_uring_sqe* UringEngine::Prepare(Operation operation, int index) {
  io_uring_sqe* sqe;
  while ((sqe = io_uring_get_sqe(&ring_)) == nullptr) io_uring_submit(&ring_);
  io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
  io_uring_sqe_set_data64(sqe, Tag(operation, slot(index).generation, index));
  return sqe;
}

void UringEngine::Receive(int index) {
  io_uring_sqe* const sqe = Prepare(Operation::kReceive, index);
  io_uring_prep_recv_multishot(sqe, index, nullptr, 0, 0);
  sqe->flags |= IOSQE_BUFFER_SELECT;
  sqe->buf_group = kBufferGroup;
}

void UringEngine::Send(int index, int count) {
  Slot& slot = this->slot(index);
  slot.unsent_bytes += static_cast<size_t>(count) * request_size_;
  if (!slot.sending) SendRest(index);
}

// All requests are the same, so what is left to send is always an end of the
// longest that there can be.
void UringEngine::SendRest(int index) {
  Slot& slot = this->slot(index);
  const size_t bytes = std::exchange(slot.unsent_bytes, 0);
  io_uring_sqe* const sqe = Prepare(Operation::kSend, index);
  io_uring_prep_send(sqe, index, requests_.data() + requests_.size() - bytes,
                     bytes, MSG_NOSIGNAL | MSG_WAITALL);
  if (single_) {
    // The response tells that it was sent.
    sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
  } else {
    slot.sending = true;
  }
}

void UringEngine::Close(int index) {
  Slot& slot = this->slot(index);
  if (slot.fd >= 0) {
    // What was prepared for this file must not meet the next one in its place.
    io_uring_submit(&ring_);
    io_uring_sync_cancel_reg cancel = {};
    cancel.fd = index;
    cancel.flags = IORING_ASYNC_CANCEL_FD | IORING_ASYNC_CANCEL_FD_FIXED |
                   IORING_ASYNC_CANCEL_ALL;
    cancel.timeout = {.tv_sec = -1, .tv_nsec = -1};
    io_uring_register_sync_cancel(&ring_, &cancel);
    int none = -1;
    io_uring_register_files_update(&ring_, static_cast<unsigned>(index), &none,
                                   1);
    close(slot.fd);
  }
  slot = {.generation = slot.generation + 1};
}

void UringEngine::Fail(int index, Cause cause, int error) {
  Close(index);
  handler_->OnClosed(index, cause, error);
}

absl::Status UringEngine::Wait(int64_t deadline_ns, int64_t now_ns) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  int64_t timeout_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
  if (!failures_.empty()) {
    for (const Failure& failure : std::exchange(failures_, {})) {
      if (slot(failure.slot).generation == failure.generation) {
        Fail(failure.slot, failure.cause, failure.error);
      }
    }
    timeout_ns = 0;
  }
  __kernel_timespec timeout = {.tv_sec = timeout_ns / kNanosPerSecond,
                               .tv_nsec = timeout_ns % kNanosPerSecond};
  io_uring_cqe* cqe = nullptr;
  const int result = io_uring_submit_and_wait_timeout(&ring_, &cqe, 1, &timeout,
                                                      /*sigmask=*/nullptr);
  if (result < 0 && result != -ETIME && result != -EINTR) {
    return absl::ErrnoToStatus(-result, "io_uring_enter");
  }
  const int64_t received_ns = NowNanos();
  unsigned head;
  unsigned count = 0;
  io_uring_for_each_cqe(&ring_, head, cqe) {
    Handle(*cqe, received_ns);
    ++count;
  }
  io_uring_cq_advance(&ring_, count);
  return absl::OkStatus();
}

void UringEngine::Handle(const io_uring_cqe& cqe, int64_t now_ns) {
  const int index = static_cast<int>(cqe.user_data & 0xffffffff);
  const Operation operation = static_cast<Operation>(cqe.user_data >> 60);
  Slot& slot = this->slot(index);
  const bool current = cqe.user_data == Tag(operation, slot.generation, index);
  switch (operation) {
    case Operation::kReceive:
      if (current) OnReceive(index, cqe, now_ns);
      Recycle(cqe);
      break;
    case Operation::kSend:
      if (!current) break;
      slot.sending = false;
      if (cqe.res < 0) {
        Fail(index, Cause::kSend, -cqe.res);
      } else if (slot.unsent_bytes > 0) {
        SendRest(index);
      }
      break;
    case Operation::kConnect:
      if (!current) break;
      if (cqe.res < 0) {
        Fail(index, Cause::kConnect, -cqe.res);
      } else {
        Receive(index);
        handler_->OnConnected(index);
      }
      break;
  }
}

void UringEngine::OnReceive(int index, const io_uring_cqe& cqe,
                            int64_t now_ns) {
  if (cqe.res > 0) [[likely]] {
    const uint32_t generation = slot(index).generation;
    const size_t buffer = cqe.flags >> IORING_CQE_BUFFER_SHIFT;
    handler_->OnReceived(
        index,
        {buffers_.data() + buffer * kBufferBytes, static_cast<size_t>(cqe.res)},
        now_ns);
    if (slot(index).generation != generation) return;
    if ((cqe.flags & IORING_CQE_F_MORE) == 0) Receive(index);
  } else if (cqe.res == -ENOBUFS) {
    Receive(index);  // Buffers come back within this turn.
  } else {
    Fail(index, Cause::kReceive, -cqe.res);
  }
}

// Gives a buffer back to the kernel.
void UringEngine::Recycle(const io_uring_cqe& cqe) {
  if ((cqe.flags & IORING_CQE_F_BUFFER) == 0) return;
  const unsigned buffer = cqe.flags >> IORING_CQE_BUFFER_SHIFT;
  io_uring_buf_ring_add(buffer_ring_, buffers_.data() + buffer * kBufferBytes,
                        kBufferBytes, static_cast<uint16_t>(buffer),
                        io_uring_buf_ring_mask(buffer_count_), 0);
  io_uring_buf_ring_advance(buffer_ring_, 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> MakeUringEngine(
    const SocketAddress& server, absl::string_view request, int max_requests,
    int connections, Engine::Handler* handler) {
  auto engine = std::make_unique<UringEngine>(server, request, max_requests,
                                              connections, handler);
  if (absl::Status status = engine->Init(); !status.ok()) return status;
  return engine;
}

}  // namespace netlab::lab
