// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on io_uring and nothing else: what completion-based I/O costs
// when no library stands between. A turn of the loop is one system call, which
// hands over the sends of this turn and returns with the receptions of the
// next.
//
// - Accepting and receiving are multishot: armed once, they report each time. A
//   report without IORING_CQE_F_MORE is the last one, and arms them again; the
//   kernel may end them at any time (no buffer left, completion queue full).
// - Input arrives in buffers that all connections share, which go back to the
//   kernel at the end of the turn.
// - SINGLE_ISSUER and DEFER_TASKRUN make the kernel do its part inside our own
//   system call, instead of interrupting us.

#include <liburing.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "netlab/echo/server_main.h"
#include "netlab/echo/session.h"

namespace netlab::echo {
namespace {

constexpr unsigned kSubmissions = 1024;
constexpr unsigned kCompletions = 8192;

// Enough for a request from each of a thousand connections in one turn. A
// reception that finds none left is armed again for the next turn.
constexpr unsigned kBuffers = 1024;
constexpr unsigned kBufferBytes = 4096;
constexpr int kBufferGroup = 0;

// What a completion is about: an operation, in the low bits of the address of
// the connection that it is on.
enum Operation : uintptr_t {
  kReceive,
  kSend,
  kAccept,
  kAcceptAgain,
  kStop,
  kCancel,
};
constexpr uintptr_t kOperationMask = 7;

struct alignas(kOperationMask + 1) Connection {
  int fd;
  bool receiving = false;  // The kernel holds a reception
  bool sending = false;    // and a send, respectively.
  bool broken = false;     // The socket has failed; nothing more is to be sent.
  Session session;
};

absl::Status Unavailable(const char* what, int error) {
  return absl::UnavailableError(absl::StrCat(
      "io_uring cannot be used here: ", what, ": ", strerror(error),
      "; it takes Linux 6.0, kernel.io_uring_disabled=0, and for a process ",
      "without privileges some `ulimit -l`"));
}

class UringServer {
 public:
  explicit UringServer(Worker& worker) : worker_(worker) {}
  ~UringServer();

  absl::Status SetUp();
  absl::Status Run();

 private:
  absl::Status SetUpRing();

  io_uring_sqe* NewSubmission(Operation operation,
                              Connection* connection = nullptr);
  void StartAccepting();
  void StartReceiving(Connection* connection);
  void StartSending(Connection* connection);

  void HandleCompletion(const io_uring_cqe& completion);
  void OnAccept(const io_uring_cqe& completion);
  void OnReceive(Connection* connection, const io_uring_cqe& completion);
  void OnSend(Connection* connection, int result);
  void OnStop();

  void Adopt(int fd);
  // Starts what the session asks for, or closes the connection.
  void Proceed(Connection* connection);
  void Break(Connection* connection);
  void Close(Connection* connection);
  void CloseListener();

  char* Buffer(unsigned id) { return buffers_.get() + id * kBufferBytes; }
  void Recycle(unsigned id, int offset) {
    io_uring_buf_ring_add(buffer_ring_, Buffer(id), kBufferBytes,
                          static_cast<uint16_t>(id),
                          io_uring_buf_ring_mask(kBuffers), offset);
  }

  bool draining() const { return worker_.sockets().draining(); }

  Worker& worker_;
  io_uring ring_{};
  bool has_ring_ = false;
  std::unique_ptr<char[]> buffers_;
  io_uring_buf_ring* buffer_ring_ = nullptr;
  int recycled_ = 0;  // Buffers that go back to the kernel after this turn.
  bool accepting_ = false;
};

UringServer::~UringServer() {
  if (buffer_ring_ != nullptr) {
    io_uring_free_buf_ring(&ring_, buffer_ring_, kBuffers, kBufferGroup);
  }
  if (has_ring_) io_uring_queue_exit(&ring_);
}

absl::Status UringServer::SetUpRing() {
  // Linux 6.0 does not know DEFER_TASKRUN; COOP_TASKRUN comes closest.
  int error = 0;
  for (unsigned mode :
       {IORING_SETUP_DEFER_TASKRUN, IORING_SETUP_COOP_TASKRUN}) {
    io_uring_params params{};
    params.flags = mode | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_SUBMIT_ALL |
                   IORING_SETUP_CQSIZE;
    params.cq_entries = kCompletions;
    error = -io_uring_queue_init_params(kSubmissions, &ring_, &params);
    if (error == 0) {
      has_ring_ = true;
      // Saves looking the ring's descriptor up in each system call.
      io_uring_register_ring_fd(&ring_);
      return absl::OkStatus();
    }
    if (error != EINVAL) break;
  }
  return Unavailable("io_uring_setup", error);
}

absl::Status UringServer::SetUp() {
  if (absl::Status status = SetUpRing(); !status.ok()) return status;
  int error = 0;
  buffer_ring_ = io_uring_setup_buf_ring(&ring_, kBuffers, kBufferGroup,
                                         /*flags=*/0, &error);
  if (buffer_ring_ == nullptr) return Unavailable("buffer ring", -error);
  buffers_.reset(new char[size_t{kBuffers} * kBufferBytes]);
  for (unsigned id = 0; id < kBuffers; ++id) {
    Recycle(id, static_cast<int>(id));
  }
  io_uring_buf_ring_advance(buffer_ring_, kBuffers);
  return absl::OkStatus();
}

absl::Status UringServer::Run() {
  StartAccepting();
  io_uring_prep_poll_add(NewSubmission(kStop), worker_.stop_fd(), POLLIN);
  worker_.Ready();
  while (!draining() || accepting_ || !worker_.sockets().empty()) {
    const int result = io_uring_submit_and_wait(&ring_, 1);
    // EBUSY and EAGAIN: completions have to be taken first.
    if (result < 0 && result != -EINTR && result != -EBUSY &&
        result != -EAGAIN) {
      return absl::ErrnoToStatus(-result, "io_uring_enter");
    }
    unsigned head;
    unsigned count = 0;
    io_uring_cqe* completion;
    io_uring_for_each_cqe(&ring_, head, completion) {
      HandleCompletion(*completion);
      ++count;
    }
    io_uring_buf_ring_advance(buffer_ring_, recycled_);
    io_uring_cq_advance(&ring_, count);
    recycled_ = 0;
  }
  return absl::OkStatus();
}

io_uring_sqe* UringServer::NewSubmission(Operation operation,
                                         Connection* connection) {
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  while (sqe == nullptr) {
    io_uring_submit(&ring_);
    sqe = io_uring_get_sqe(&ring_);
  }
  // liburing's prep functions leave this field alone.
  sqe->user_data = reinterpret_cast<uintptr_t>(connection) | operation;
  return sqe;
}

void UringServer::StartAccepting() {
  accepting_ = true;
  io_uring_prep_multishot_accept(NewSubmission(kAccept), worker_.listener(),
                                 nullptr, nullptr, SOCK_CLOEXEC);
}

void UringServer::StartReceiving(Connection* connection) {
  connection->receiving = true;
  io_uring_sqe* sqe = NewSubmission(kReceive, connection);
  io_uring_prep_recv_multishot(sqe, connection->fd, nullptr, 0, 0);
  sqe->flags |= IOSQE_BUFFER_SELECT;
  sqe->buf_group = kBufferGroup;
}

void UringServer::StartSending(Connection* connection) {
  connection->sending = true;
  const std::string_view pending = connection->session.Pending();
  io_uring_prep_send(NewSubmission(kSend, connection), connection->fd,
                     pending.data(), pending.size(), MSG_NOSIGNAL);
}

void UringServer::HandleCompletion(const io_uring_cqe& completion) {
  auto* connection =
      reinterpret_cast<Connection*>(completion.user_data & ~kOperationMask);
  switch (completion.user_data & kOperationMask) {
    case kReceive:
      return OnReceive(connection, completion);
    case kSend:
      return OnSend(connection, completion.res);
    case kAccept:
      return OnAccept(completion);
    case kAcceptAgain:
      if (!draining()) StartAccepting();
      return;
    case kStop:
      return OnStop();
    case kCancel:
      return;
  }
}

void UringServer::OnAccept(const io_uring_cqe& completion) {
  if (completion.res >= 0) Adopt(completion.res);
  if ((completion.flags & IORING_CQE_F_MORE) != 0) return;
  accepting_ = false;
  if (draining()) {
    CloseListener();
  } else if (completion.res >= 0) {
    StartAccepting();
  } else {
    // Most likely there is no descriptor left.
    static __kernel_timespec delay = {
        .tv_sec = 0, .tv_nsec = absl::ToInt64Nanoseconds(kAcceptRetry)};
    io_uring_prep_timeout(NewSubmission(kAcceptAgain), &delay, 0, 0);
  }
}

void UringServer::Adopt(int fd) {
  worker_.sockets().Add(fd);
  StartReceiving(new Connection{.fd = fd, .session = {}});
}

void UringServer::OnReceive(Connection* connection,
                            const io_uring_cqe& completion) {
  connection->receiving = (completion.flags & IORING_CQE_F_MORE) != 0;
  if ((completion.flags & IORING_CQE_F_BUFFER) != 0) {
    const unsigned id = completion.flags >> IORING_CQE_BUFFER_SHIFT;
    Recycle(id, recycled_++);
    if (completion.res > 0) {
      connection->session.Received(
          {Buffer(id), static_cast<size_t>(completion.res)});
    }
  }
  if (completion.res == 0) {
    connection->session.EndOfInput();
  } else if (completion.res < 0 && completion.res != -ENOBUFS) {
    return Break(connection);
  }
  Proceed(connection);
}

void UringServer::OnSend(Connection* connection, int result) {
  connection->sending = false;
  if (result < 0) return Break(connection);
  connection->session.Sent(static_cast<size_t>(result));
  Proceed(connection);
}

void UringServer::Proceed(Connection* connection) {
  if (connection->broken) return Break(connection);
  Session& session = connection->session;
  if (!connection->sending) {
    if (session.Next() == Session::Action::kShutDownSending) {
      shutdown(connection->fd, SHUT_WR);
      session.SendingShutDown();
    }
    if (session.Next() == Session::Action::kClose) return Close(connection);
    if (session.Next() == Session::Action::kSend) StartSending(connection);
  }
  if (!connection->receiving && !session.ended()) StartReceiving(connection);
}

// Makes the kernel give back what it holds; the last completion closes.
void UringServer::Break(Connection* connection) {
  if (!connection->broken) {
    connection->broken = true;
    shutdown(connection->fd, SHUT_RDWR);
  }
  if (!connection->receiving && !connection->sending) Close(connection);
}

void UringServer::Close(Connection* connection) {
  worker_.sockets().Remove(connection->fd);
  close(connection->fd);
  delete connection;
}

void UringServer::OnStop() {
  worker_.sockets().Drain();
  if (!accepting_) return CloseListener();
  io_uring_prep_cancel64(NewSubmission(kCancel), kAccept, 0);
}

void UringServer::CloseListener() {
  for (;;) {
    const int fd = accept4(worker_.listener(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) break;
    Adopt(fd);
  }
  close(worker_.listener());
}

absl::Status Serve(Worker& worker) {
  UringServer server(worker);
  if (absl::Status status = server.SetUp(); !status.ok()) return status;
  return server.Run();
}

}  // namespace
}  // namespace netlab::echo

int main(int argc, char** argv) {
  return netlab::echo::ServerMain(
      argc, argv, "HTTP echo server on plain io_uring, one ring per thread.",
      netlab::echo::Sharing::kLoopPerThread, netlab::echo::Serve);
}
