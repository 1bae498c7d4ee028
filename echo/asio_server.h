// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_ASIO_SERVER_H_
#define NETLAB_ECHO_ASIO_SERVER_H_

#include <boost/asio.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "netlab/echo/live_sockets.h"
#include "netlab/echo/server_main.h"

namespace netlab::echo {

namespace asio = boost::asio;
using boost::system::error_code;

// Naming the executor spares each operation any_io_executor's indirection.
using AsioExecutor = asio::io_context::executor_type;
using AsioSocket = asio::basic_stream_socket<asio::ip::tcp, AsioExecutor>;

// Accepts connections for `converse`, a function of an AsioSocket, until the
// worker is to stop; then it drains, and the context runs out of work.
//
// A strand keeps it to one thread at a time, `converse` included, however many
// run the context.
template <typename Converse>
class AsioAcceptor {
 public:
  AsioAcceptor(Worker& worker, asio::io_context& context, Converse converse)
      : worker_(worker),
        context_(context),
        converse_(std::move(converse)),
        strand_(context.get_executor()),
        acceptor_(strand_, asio::ip::tcp::v4(), worker.listener()),
        stop_(strand_, worker.stop_fd()),
        retry_(strand_) {
    acceptor_.non_blocking(true);
  }

  ~AsioAcceptor() { stop_.release(); }  // It is the worker's.

  void Start() {
    Accept();
    stop_.async_wait(Descriptor::wait_read, [this](error_code) { Drain(); });
  }

 private:
  using Strand = asio::strand<AsioExecutor>;
  using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Strand>;
  using Descriptor = asio::posix::basic_stream_descriptor<Strand>;
  using Clock = std::chrono::steady_clock;
  using Timer =
      asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Strand>;

  // From here on either an accept or the timer is pending, until one of them
  // finds that the worker drains.
  void Accept() {
    acceptor_.async_accept(
        context_, [this](error_code error, AsioSocket socket) {
          if (!error) converse_(std::move(socket));
          if (worker_.sockets().draining()) return CloseListener();
          if (!error) return Accept();
          // Most likely there is no descriptor left.
          retry_.expires_after(absl::ToChronoMilliseconds(kAcceptRetry));
          retry_.async_wait([this](error_code) {
            if (worker_.sockets().draining()) return CloseListener();
            Accept();
          });
        });
  }

  void Drain() {
    worker_.sockets().Drain();
    acceptor_.cancel();
    retry_.cancel();
  }

  void CloseListener() {
    for (;;) {
      error_code error;
      AsioSocket socket = acceptor_.accept(context_, error);
      if (error) break;
      converse_(std::move(socket));
    }
    acceptor_.close();
  }

  Worker& worker_;
  asio::io_context& context_;
  Converse converse_;
  Strand strand_;
  Acceptor acceptor_;
  Descriptor stop_;
  Timer retry_;
};

// One thread needs no locks at all.
inline std::unique_ptr<asio::io_context> NewAsioContext(int threads) {
  auto context = std::make_unique<asio::io_context>(
      threads == 1 ? BOOST_ASIO_CONCURRENCY_HINT_UNSAFE : threads);
  asio::steady_timer sets_up_the_reactor(*context);
  return context;
}

// The rings of Asio's io_uring backend are large, count against `ulimit -l`
// where root's privileges do not lift it, and are given back only some time
// after their process has exited: worth some patience.
inline std::unique_ptr<asio::io_context> AwaitAsioContext(int threads) {
  for (int attempts_left = 100;; --attempts_left) {
    try {
      return NewAsioContext(threads);
    } catch (const boost::system::system_error& error) {
      if (error.code() != boost::system::errc::not_enough_memory ||
          attempts_left == 0) {
        throw;
      }
    }
    absl::SleepFor(absl::Milliseconds(50));
  }
}

// The whole of a server on Asio but for what `converse` does with an AsioSocket
// in an asio::io_context.
template <typename Converse>
absl::Status ServeOnAsio(Worker& worker, Converse converse) {
  try {
    const auto context = AwaitAsioContext(worker.threads());
    AsioAcceptor acceptor(worker, *context, [&](AsioSocket socket) {
      converse(*context, std::move(socket));
    });
    acceptor.Start();
    worker.Ready();
    worker.RunOnEveryThread([&context] { context->run(); });
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

#endif  // NETLAB_ECHO_ASIO_SERVER_H_
