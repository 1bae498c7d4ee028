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
#include "netlab/echo/asio_server.h"
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

inline absl::Status ServeWithAsioCallbacks(Worker& worker) {
  return ServeOnAsio(worker, [&](asio::io_context&, AsioSocket socket) {
    AsioConnection::Proceed(
        std::make_unique<AsioConnection>(std::move(socket), worker.sockets()));
  });
}

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_ASIO_CALLBACKS_H_
