// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on epoll and nothing else: what readiness-based I/O costs when
// no library stands between. A request takes one recv() and one send(), and a
// share of an epoll_wait() that all connections which are ready pay together.
//
// - A connection is registered once. Only one whose peer does not take its
//   answers changes its registration, and takes no input meanwhile.
// - A short recv() has emptied the socket, so that a second one, which would
// say
//   EAGAIN, is not made. Level-triggered epoll reports what is left or comes
//   later.
// - Input goes to one buffer for all connections: the framer keeps no bytes.

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "netlab/echo/server_main.h"
#include "netlab/echo/session.h"

namespace netlab::echo {
namespace {

constexpr int kMaxEvents = 1024;

struct Connection {
  int fd;
  uint32_t interest;  // The events it is registered for.
  Session session;
};

class EpollServer {
 public:
  EpollServer(Worker& worker, int epoll) : worker_(worker), epoll_(epoll) {}

  absl::Status Run();

 private:
  bool Register(Connection& connection);
  // Registers for other events than now.
  void WaitFor(Connection& connection, uint32_t events);
  void Close(Connection* connection);

  void Accept();
  void Drain();
  void HandleEvent(Connection* connection);
  void Receive(Connection* connection);
  // Does what the session asks for, until it has to wait for the peer.
  void Proceed(Connection* connection);

  bool draining() const { return worker_.sockets().draining(); }

  Worker& worker_;
  const int epoll_;
  // Registered as connections are, and told from them by their address.
  Connection listener_{worker_.listener(), EPOLLIN, {}};
  Connection stop_{worker_.stop_fd(), EPOLLIN, {}};
  std::array<epoll_event, kMaxEvents> events_;
  std::array<char, kReceiveBytes> buffer_;
};

absl::Status EpollServer::Run() {
  if (!Register(listener_) || !Register(stop_)) {
    return absl::ErrnoToStatus(errno, "epoll_ctl");
  }
  worker_.Ready();
  while (!draining() || !worker_.sockets().empty()) {
    // While there is no descriptor for another connection, the listener is not
    // watched: it would be ready all the time.
    const bool paused = !draining() && listener_.interest == 0;
    const int timeout =
        paused ? static_cast<int>(absl::ToInt64Milliseconds(kAcceptRetry)) : -1;
    const int count = epoll_wait(epoll_, events_.data(), kMaxEvents, timeout);
    if (count < 0 && errno != EINTR) {
      return absl::ErrnoToStatus(errno, "epoll_wait");
    }
    for (int i = 0; i < count; ++i) {
      HandleEvent(static_cast<Connection*>(events_[i].data.ptr));
    }
    if (paused && !draining()) Accept();
  }
  return absl::OkStatus();
}

bool EpollServer::Register(Connection& connection) {
  epoll_event event{.events = connection.interest, .data = {&connection}};
  return epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd, &event) == 0;
}

void EpollServer::WaitFor(Connection& connection, uint32_t events) {
  if (connection.interest == events) return;
  connection.interest = events;
  epoll_event event{.events = events, .data = {&connection}};
  epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.fd, &event);
}

void EpollServer::Close(Connection* connection) {
  worker_.sockets().Remove(connection->fd);
  close(connection->fd);
  delete connection;
}

void EpollServer::Accept() {
  for (;;) {
    const int fd =
        accept4(listener_.fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      worker_.sockets().Add(fd);
      auto* connection = new Connection{fd, EPOLLIN, {}};
      if (!Register(*connection)) Close(connection);
    } else if (errno == EAGAIN) {
      WaitFor(listener_, EPOLLIN);
      return;
    } else if (errno != EINTR && errno != ECONNABORTED) {
      WaitFor(listener_, 0);
      return;
    }
  }
}

void EpollServer::Drain() {
  epoll_ctl(epoll_, EPOLL_CTL_DEL, stop_.fd, nullptr);
  Accept();
  close(listener_.fd);
  worker_.sockets().Drain();
}

void EpollServer::HandleEvent(Connection* connection) {
  if (connection == &listener_) {
    if (!draining()) Accept();
  } else if (connection == &stop_) {
    Drain();
  } else if (connection->interest == EPOLLIN) {
    Receive(connection);
  } else {
    Proceed(connection);
  }
}

void EpollServer::Receive(Connection* connection) {
  const ssize_t size =
      recv(connection->fd, buffer_.data(), buffer_.size(), /*flags=*/0);
  if (size > 0) {
    connection->session.Received({buffer_.data(), static_cast<size_t>(size)});
  } else if (size < 0) {
    if (errno != EAGAIN && errno != EINTR) Close(connection);
    return;
  }
  if (size == 0 || (draining() && size < std::ssize(buffer_))) {
    connection->session.EndOfInput();
  }
  Proceed(connection);
}

void EpollServer::Proceed(Connection* connection) {
  Session& session = connection->session;
  for (;;) {
    switch (session.Next()) {
      case Session::Action::kReceive:
        WaitFor(*connection, EPOLLIN);
        return;
      case Session::Action::kSend: {
        const std::string_view pending = session.Pending();
        const ssize_t size =
            send(connection->fd, pending.data(), pending.size(), MSG_NOSIGNAL);
        if (size >= 0) {
          session.Sent(static_cast<size_t>(size));
        } else if (errno == EAGAIN) {
          WaitFor(*connection, EPOLLOUT);
          return;
        } else if (errno != EINTR) {
          Close(connection);
          return;
        }
        break;
      }
      case Session::Action::kShutDownSending:
        shutdown(connection->fd, SHUT_WR);
        session.SendingShutDown();
        break;
      case Session::Action::kClose:
        Close(connection);
        return;
    }
  }
}

absl::Status Serve(Worker& worker) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return absl::ErrnoToStatus(errno, "epoll_create1");
  absl::Cleanup close_epoll = [epoll] { close(epoll); };
  return EpollServer(worker, epoll).Run();
}

}  // namespace
}  // namespace netlab::echo

int main(int argc, char** argv) {
  return netlab::echo::ServerMain(
      argc, argv, "HTTP echo server on plain epoll, one loop per thread.",
      netlab::echo::Sharing::kLoopPerThread, netlab::echo::Serve);
}
