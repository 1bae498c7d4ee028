// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on Boost.Asio's callbacks, with an io_context per thread, on
// Asio's io_uring backend. The BUILD file selects it.

#include "netlab/echo/asio_callbacks.h"
#include "netlab/echo/server_main.h"

int main(int argc, char** argv) {
  return netlab::echo::ServerMain(argc, argv,
                                  "HTTP echo server on Boost.Asio's io_uring "
                                  "backend, one io_context per thread.",
                                  netlab::echo::Sharing::kLoopPerThread,
                                  netlab::echo::ServeWithAsioCallbacks);
}
