// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_ASIO_CALLBACKS_H_
#define NETLAB_ECHO_ASIO_CALLBACKS_H_

#include <array>
#include <boost/asio.hpp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/echo/asio_acceptor.h"
#include "netlab/echo/live_sockets.h"
#include "netlab/echo/server_main.h"
#include "netlab/echo/session.h"

namespace netlab::echo {

// A connection served by callbacks. It belongs to its pending operation, of
// which there is always exactly one: so it needs neither a strand nor a
// reference count. Asio recycles the memory of the operations by itself.
class AsioConnection {
 public:
  using Pointer = std::unique_ptr<AsioConnection>;

  AsioConnection(AsioSocket socket, LiveSockets& live)
      : socket_(std::move(socket)), live_(live) {
    live_.Add(socket_.native_handle());
  }
  ~AsioConnection() { live_.Remove(socket_.native_handle()); }

  // Does what the session asks for, until an operation is pending. The
  // connection is closed where nothing takes it over.
  static void Proceed(Pointer self) {
    AsioConnection& connection = *self;
    for (;;) {
      switch (connection.session_.Next()) {
        case Session::Action::kReceive:
          return Receive(std::move(self));
        case Session::Action::kSend:
          return Send(std::move(self));
        case Session::Action::kShutDownSending: {
          error_code ignored;
          connection.socket_.shutdown(AsioSocket::shutdown_send, ignored);
          connection.session_.SendingShutDown();
          break;
        }
        case Session::Action::kClose:
          return;
      }
    }
  }

 private:
  static void Receive(Pointer self) {
    AsioConnection& connection = *self;
    // The reading may be done long before its handler runs.
    const bool draining = connection.live_.draining();
    connection.socket_.async_read_some(
        asio::buffer(connection.buffer_),
        [self = std::move(self), draining](error_code error,
                                           size_t size) mutable {
          if (error && error != asio::error::eof) return;
          self->session_.Received({self->buffer_.data(), size});
          if (error || (draining && size < self->buffer_.size())) {
            self->session_.EndOfInput();
          }
          Proceed(std::move(self));
        });
  }

  static void Send(Pointer self) {
    AsioConnection& connection = *self;
    const std::string_view pending = connection.session_.Pending();
    connection.socket_.async_write_some(
        asio::buffer(pending),
        [self = std::move(self)](error_code error, size_t size) mutable {
          if (error) return;
          self->session_.Sent(size);
          Proceed(std::move(self));
        });
  }

  AsioSocket socket_;
  LiveSockets& live_;
  Session session_;
  std::array<char, kReceiveBytes> buffer_;
};

// The rings of Asio's io_uring backend are large, count against `ulimit -l`
// where root's privileges do not lift it, and are given back only some time
// after their process has exited: worth a few attempts.
inline std::unique_ptr<asio::io_context> NewAsioContext(int threads) {
  for (int attempts_left = 100;; --attempts_left) {
    try {
      auto context =
          std::make_unique<asio::io_context>(AsioConcurrencyHint(threads));
      asio::steady_timer sets_up_the_ring(*context);
      return context;
    } catch (const boost::system::system_error& error) {
      if (error.code() != boost::system::errc::not_enough_memory ||
          attempts_left == 0) {
        throw;
      }
    }
    absl::SleepFor(absl::Milliseconds(50));
  }
}

inline absl::Status ServeWithAsioCallbacks(Worker& worker) {
  try {
    const std::unique_ptr<asio::io_context> owned =
        NewAsioContext(worker.threads());
    asio::io_context& context = *owned;
    AsioAcceptor acceptor(worker, context, [&worker](AsioSocket socket) {
      AsioConnection::Proceed(std::make_unique<AsioConnection>(
          std::move(socket), worker.sockets()));
    });
    acceptor.Start();
    worker.Ready();
    worker.RunOnEveryThread([&context] { context.run(); });
    return absl::OkStatus();
  } catch (const boost::system::system_error& error) {
    return absl::UnavailableError(
        absl::StrCat("Boost.Asio cannot be used here: ", error.what(),
                     error.code() == boost::system::errc::not_enough_memory
                         ? "; a higher `ulimit -l` may help"
                         : ""));
  }
}

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_ASIO_CALLBACKS_H_
