// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An echo server on Boost.Asio's callbacks, with one io_context that all
// threads run: any thread may serve any connection next.

#include "netlab/echo/asio_callbacks.h"
#include "netlab/echo/server_main.h"

int main(int argc, char** argv) {
  return netlab::echo::ServerMain(
      argc, argv,
      "HTTP echo server on Boost.Asio, one io_context for all threads.",
      netlab::echo::Sharing::kOneLoop, netlab::echo::ServeWithAsioCallbacks);
}
