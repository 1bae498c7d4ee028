// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on libuv, one loop per thread. Answers go out by
// uv_try_write(), which is a plain write; what the peer does not take at once
// is left to uv_write().
//
// The listener is a poll handle. As a stream (uv_listen()), it would meet a
// lack of descriptors by accepting connections only to close them, and spin
// when it could not; the other servers leave them in the backlog.

#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "netlab/echo/server_main.h"
#include "netlab/echo/session.h"

namespace netlab::echo {
namespace {

class UvServer;

// Each handle points to its owner by `data`.
struct Connection {
  Connection(UvServer* owner, int socket) : server(owner), fd(socket) {
    tcp.data = this;
  }

  UvServer* const server;
  const int fd;
  uv_tcp_t tcp;
  uv_write_t write;
  uv_shutdown_t shutdown;
  Session session;

  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&tcp); }
  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&tcp); }
};

uv_buf_t AsBuffer(std::string_view bytes) {
  // libuv writes only what is to be read through it.
  return uv_buf_init(const_cast<char*>(bytes.data()),
                     static_cast<unsigned>(bytes.size()));
}

class UvServer {
 public:
  explicit UvServer(Worker& worker) : worker_(worker) {}

  absl::Status Run();

 private:
  absl::Status SetUp();
  void WatchListener();
  void Accept();
  void Adopt(int fd);
  void Drain();

  static void ProvideBuffer(uv_handle_t* handle, size_t, uv_buf_t* buffer);
  static void ReadDone(uv_stream_t* stream, ssize_t size, const uv_buf_t*);
  static void WriteDone(uv_write_t* request, int result);
  void OnRead(Connection* connection, ssize_t size);
  void OnWritten(Connection* connection, int result);
  // Does what the session asks for, until it has to wait for the peer.
  void Proceed(Connection* connection);
  // Writes what is pending; false if the peer does not take it now.
  bool Write(Connection* connection);
  void WriteLater(Connection* connection);
  void Close(Connection* connection);

  Worker& worker_;
  uv_loop_t loop_;
  uv_poll_t listener_;
  uv_poll_t stop_;
  uv_timer_t retry_;
  std::array<char, kReceiveBytes> buffer_;
};

absl::Status ToStatus(int result, const char* what) {
  if (result >= 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(what, ": ", uv_strerror(result)));
}

absl::Status UvServer::SetUp() {
  absl::Status status = ToStatus(
      uv_poll_init(&loop_, &listener_, worker_.listener()), "uv_poll_init");
  status.Update(ToStatus(uv_poll_init(&loop_, &stop_, worker_.stop_fd()),
                         "uv_poll_init"));
  status.Update(ToStatus(uv_timer_init(&loop_, &retry_), "uv_timer_init"));
  if (!status.ok()) return status;
  listener_.data = stop_.data = retry_.data = this;
  uv_poll_start(&stop_, UV_READABLE, [](uv_poll_t* handle, int, int) {
    static_cast<UvServer*>(handle->data)->Drain();
  });
  WatchListener();
  return absl::OkStatus();
}

absl::Status UvServer::Run() {
  absl::Status status = ToStatus(uv_loop_init(&loop_), "uv_loop_init");
  if (status.ok()) status = SetUp();
  if (!status.ok()) return status;
  worker_.Ready();
  uv_run(&loop_, UV_RUN_DEFAULT);  // Until no handle is left.
  return ToStatus(uv_loop_close(&loop_), "uv_loop_close");
}

void UvServer::WatchListener() {
  uv_poll_start(&listener_, UV_READABLE, [](uv_poll_t* handle, int, int) {
    static_cast<UvServer*>(handle->data)->Accept();
  });
}

void UvServer::Accept() {
  for (;;) {
    const int fd = accept4(worker_.listener(), nullptr, nullptr,
                           SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      Adopt(fd);
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno == EAGAIN) return;
    // Most likely there is no descriptor left.
    uv_poll_stop(&listener_);
    uv_timer_start(
        &retry_,
        [](uv_timer_t* handle) {
          static_cast<UvServer*>(handle->data)->WatchListener();
        },
        static_cast<uint64_t>(absl::ToInt64Milliseconds(kAcceptRetry)),
        /*repeat=*/0);
    return;
  }
}

void UvServer::Adopt(int fd) {
  auto* connection = new Connection(this, fd);
  worker_.sockets().Add(fd);
  uv_tcp_init(&loop_, &connection->tcp);
  if (uv_tcp_open(&connection->tcp, fd) != 0) {
    Close(connection);
    close(fd);
    return;
  }
  Proceed(connection);
}

void UvServer::Drain() {
  Accept();
  uv_close(reinterpret_cast<uv_handle_t*>(&listener_), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&stop_), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&retry_), nullptr);
  close(worker_.listener());
  worker_.sockets().Drain();
}

void UvServer::ProvideBuffer(uv_handle_t* handle, size_t, uv_buf_t* buffer) {
  auto& bytes = static_cast<Connection*>(handle->data)->server->buffer_;
  *buffer = uv_buf_init(bytes.data(), static_cast<unsigned>(bytes.size()));
}

void UvServer::ReadDone(uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
  auto* connection = static_cast<Connection*>(stream->data);
  connection->server->OnRead(connection, size);
}

void UvServer::WriteDone(uv_write_t* request, int result) {
  auto* connection = static_cast<Connection*>(request->handle->data);
  connection->server->OnWritten(connection, result);
}

void UvServer::OnRead(Connection* connection, ssize_t size) {
  if (size == 0) return;  // As EAGAIN would be.
  if (size < 0 && size != UV_EOF) return Close(connection);
  if (size > 0) {
    connection->session.Received({buffer_.data(), static_cast<size_t>(size)});
  }
  if (size == UV_EOF ||
      (worker_.sockets().draining() && size < std::ssize(buffer_))) {
    connection->session.EndOfInput();
  }
  Proceed(connection);
}

void UvServer::Proceed(Connection* connection) {
  Session& session = connection->session;
  for (;;) {
    switch (session.Next()) {
      case Session::Action::kReceive:
        // Does nothing if it is reading already.
        uv_read_start(connection->stream(), ProvideBuffer, ReadDone);
        return;
      case Session::Action::kSend:
        if (!Write(connection)) return;
        break;
      case Session::Action::kShutDownSending:
        uv_shutdown(&connection->shutdown, connection->stream(),
                    [](uv_shutdown_t*, int) {});
        session.SendingShutDown();
        break;
      case Session::Action::kClose:
        return Close(connection);
    }
  }
}

bool UvServer::Write(Connection* connection) {
  const uv_buf_t buffer = AsBuffer(connection->session.Pending());
  const int size = uv_try_write(connection->stream(), &buffer, 1);
  if (size >= 0) {
    connection->session.Sent(static_cast<size_t>(size));
    return true;
  }
  if (size == UV_EAGAIN) {
    WriteLater(connection);
  } else {
    Close(connection);
  }
  return false;
}

// Meanwhile nothing is read: whoever does not take answers gets no further
// ones.
void UvServer::WriteLater(Connection* connection) {
  uv_read_stop(connection->stream());
  const uv_buf_t buffer = AsBuffer(connection->session.Pending());
  uv_write(&connection->write, connection->stream(), &buffer, 1, WriteDone);
}

void UvServer::OnWritten(Connection* connection, int result) {
  if (result == UV_ECANCELED) return;  // It is being closed.
  if (result != 0) return Close(connection);
  connection->session.Sent(connection->session.Pending().size());
  Proceed(connection);
}

void UvServer::Close(Connection* connection) {
  worker_.sockets().Remove(connection->fd);
  uv_close(connection->handle(), [](uv_handle_t* handle) {
    delete static_cast<Connection*>(handle->data);
  });
}

absl::Status Serve(Worker& worker) { return UvServer(worker).Run(); }

}  // namespace
}  // namespace netlab::echo

int main(int argc, char** argv) {
  return netlab::echo::ServerMain(
      argc, argv, "HTTP echo server on libuv, one loop per thread.",
      netlab::echo::Sharing::kLoopPerThread, netlab::echo::Serve);
}
