// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on epoll and nothing else: what readiness-based I/O costs when
// no library stands between. A request takes one recv() and one send(), and a
// share of an epoll_wait() that all connections which are ready pay together.
//
// - A connection is registered once, edge-triggered and for both directions.
//   Level-triggered, the kernel would look at each connection a second time, in
//   the next epoll_wait(), only to find that it is no longer ready.
// - A short recv() has emptied the socket, so that a second one, which would
// say
//   EAGAIN, is not made: what comes later is another edge.
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

constexpr uint32_t kEndEvents = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
constexpr uint32_t kConnectionEvents =
    EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

struct Connection {
  int fd;
  bool blocked = false;  // The peer does not take its answers; nothing is read.
  Session session;
};

class EpollServer {
 public:
  EpollServer(Worker& worker, int epoll) : worker_(worker), epoll_(epoll) {}

  absl::Status Run();

 private:
  bool Control(int operation, Connection& connection, uint32_t events);

  void Accept();
  void WatchListener(bool watch);
  void Drain();
  void HandleEvent(Connection* connection, uint32_t events);
  void Receive(Connection* connection, uint32_t events);
  // Does what the session asks for. False if it has to wait until the peer
  // takes answers, or is closed.
  bool Proceed(Connection* connection);
  void Close(Connection* connection);

  bool draining() const { return worker_.sockets().draining(); }

  Worker& worker_;
  const int epoll_;
  // Registered as connections are, and told from them by their address.
  Connection listener_{.fd = worker_.listener(), .session = {}};
  Connection stop_{.fd = worker_.stop_fd(), .session = {}};
  // Not while there is no descriptor for a connection: it would be ready all
  // the time.
  bool listener_watched_ = true;
  std::array<epoll_event, kMaxEvents> events_;
  std::array<char, kReceiveBytes> buffer_;
};

absl::Status EpollServer::Run() {
  if (!Control(EPOLL_CTL_ADD, listener_, EPOLLIN) ||
      !Control(EPOLL_CTL_ADD, stop_, EPOLLIN)) {
    return absl::ErrnoToStatus(errno, "epoll_ctl");
  }
  worker_.Ready();
  while (!draining() || !worker_.sockets().empty()) {
    const bool retry = !listener_watched_ && !draining();
    const int timeout =
        retry ? static_cast<int>(absl::ToInt64Milliseconds(kAcceptRetry)) : -1;
    const int count = epoll_wait(epoll_, events_.data(), kMaxEvents, timeout);
    if (count < 0 && errno != EINTR) {
      return absl::ErrnoToStatus(errno, "epoll_wait");
    }
    for (int i = 0; i < count; ++i) {
      HandleEvent(static_cast<Connection*>(events_[i].data.ptr),
                  events_[i].events);
    }
    if (retry && !draining()) Accept();
  }
  return absl::OkStatus();
}

bool EpollServer::Control(int operation, Connection& connection,
                          uint32_t events) {
  epoll_event event{.events = events, .data = {&connection}};
  return epoll_ctl(epoll_, operation, connection.fd, &event) == 0;
}

void EpollServer::Accept() {
  for (;;) {
    const int fd =
        accept4(listener_.fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      worker_.sockets().Add(fd);
      auto* connection = new Connection{.fd = fd, .session = {}};
      if (!Control(EPOLL_CTL_ADD, *connection, kConnectionEvents)) {
        Close(connection);
      }
    } else if (errno != EINTR && errno != ECONNABORTED) {
      // Anything else most likely means that there is no descriptor left.
      return WatchListener(errno == EAGAIN);
    }
  }
}

void EpollServer::WatchListener(bool watch) {
  if (watch == listener_watched_) return;
  listener_watched_ = watch;
  Control(EPOLL_CTL_MOD, listener_, watch ? uint32_t{EPOLLIN} : 0);
}

void EpollServer::Drain() {
  Control(EPOLL_CTL_DEL, stop_, 0);
  Accept();
  close(listener_.fd);
  worker_.sockets().Drain();
}

void EpollServer::HandleEvent(Connection* connection, uint32_t events) {
  if (connection == &listener_) {
    if (!draining()) Accept();
  } else if (connection == &stop_) {
    Drain();
  } else if (connection->blocked) {
    // The edge of any input there may be has passed.
    if (Proceed(connection)) Receive(connection, events);
  } else if (events != EPOLLOUT) {
    Receive(connection, events);
  }
}

void EpollServer::Receive(Connection* connection, uint32_t events) {
  const ssize_t size =
      recv(connection->fd, buffer_.data(), buffer_.size(), /*flags=*/0);
  if (size < 0) {
    if (errno != EAGAIN) Close(connection);
    return;
  }
  connection->session.Received({buffer_.data(), static_cast<size_t>(size)});
  const bool more = size == std::ssize(buffer_);
  if (size == 0 || (draining() && !more)) connection->session.EndOfInput();
  if (!Proceed(connection)) return;
  // What no edge will report again: a full buffer's rest, or the end that came
  // with the input. Registering anew does, when the others have had their turn.
  if (more || (events & kEndEvents) != 0) {
    Control(EPOLL_CTL_MOD, *connection, kConnectionEvents);
  }
}

bool EpollServer::Proceed(Connection* connection) {
  Session& session = connection->session;
  for (;;) {
    switch (session.Next()) {
      case Session::Action::kReceive:
        connection->blocked = false;
        return true;
      case Session::Action::kSend: {
        const std::string_view pending = session.Pending();
        const ssize_t size =
            send(connection->fd, pending.data(), pending.size(), MSG_NOSIGNAL);
        if (size < 0) {
          connection->blocked = errno == EAGAIN;
          if (!connection->blocked) Close(connection);
          return false;
        }
        session.Sent(static_cast<size_t>(size));
        break;
      }
      case Session::Action::kShutDownSending:
        shutdown(connection->fd, SHUT_WR);
        session.SendingShutDown();
        break;
      case Session::Action::kClose:
        Close(connection);
        return false;
    }
  }
}

void EpollServer::Close(Connection* connection) {
  worker_.sockets().Remove(connection->fd);
  close(connection->fd);
  delete connection;
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
