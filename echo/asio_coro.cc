// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on Boost.Asio's coroutines, with an io_context per thread. A
// connection is a coroutine; awaiting `deferred` operations spares each of them
// a coroutine frame, which use_awaitable would take.

#include <array>
#include <boost/asio.hpp>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "netlab/echo/asio_server.h"
#include "netlab/echo/live_sockets.h"
#include "netlab/echo/server_main.h"
#include "netlab/echo/session.h"

namespace netlab::echo {
namespace {

constexpr auto kResult = asio::as_tuple(asio::deferred);

asio::awaitable<void, AsioExecutor> Converse(AsioSocket socket,
                                             LiveSockets& live) {
  live.Add(socket.native_handle());
  absl::Cleanup remove = [&] { live.Remove(socket.native_handle()); };
  Session session;
  std::array<char, kReceiveBytes> buffer;
  for (;;) {
    switch (session.Next()) {
      case Session::Action::kReceive: {
        // The reading may be done long before the coroutine goes on.
        const bool draining = live.draining();
        const auto [error, size] =
            co_await socket.async_read_some(asio::buffer(buffer), kResult);
        if (error && error != asio::error::eof) co_return;
        session.Received({buffer.data(), size});
        if (error || (draining && size < buffer.size())) session.EndOfInput();
        break;
      }
      case Session::Action::kSend: {
        const auto [error, size] = co_await socket.async_write_some(
            asio::buffer(session.Pending()), kResult);
        if (error) co_return;
        session.Sent(size);
        break;
      }
      case Session::Action::kShutDownSending: {
        error_code ignored;
        socket.shutdown(AsioSocket::shutdown_send, ignored);
        session.SendingShutDown();
        break;
      }
      case Session::Action::kClose:
        co_return;
    }
  }
}

absl::Status Serve(Worker& worker) {
  return ServeOnAsio(worker, [&](asio::io_context& context, AsioSocket socket) {
    asio::co_spawn(context, Converse(std::move(socket), worker.sockets()),
                   asio::detached);
  });
}

}  // namespace
}  // namespace netlab::echo

int main(int argc, char** argv) {
  return netlab::echo::ServerMain(
      argc, argv,
      "HTTP echo server on Boost.Asio's coroutines, one io_context per thread.",
      netlab::echo::Sharing::kLoopPerThread, netlab::echo::Serve);
}
