// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_SCRIPTED_SERVER_H_
#define NETLAB_LAB_LOAD_SCRIPTED_SERVER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

namespace netlab::lab {

// A server for tests that misbehaves exactly as told: a script, in a thread of
// its own for each connection, reads requests and writes what it likes.
//
//   ScriptedServer server([](ScriptedServer::Peer& peer) {
//     if (peer.ReadRequest()) peer.Write("HTTP/1.1 200 OK\r\nContent-Le");
//   });  // The connection is closed when the script returns.
class ScriptedServer {
 public:
  // The server's end of a connection.
  class Peer {
   public:
    Peer(int fd, int index) : fd_(fd), index_(index) {}

    // Connections count from 0 in the order of their acceptance.
    int index() const { return index_; }
    // Waits for the next request. False if the other side has closed.
    bool ReadRequest();
    void Write(absl::string_view bytes);
    // Answers requests with `response` until the other side closes.
    void AnswerAll(absl::string_view response);
    // Makes the end of the script a reset instead of an orderly close.
    void ResetAtEnd();

   private:
    int fd_;
    int index_;
    std::string received_;
  };

  using Script = std::function<void(Peer&)>;

  explicit ScriptedServer(Script script);
  // Cuts all connections, and waits for their scripts.
  ~ScriptedServer();

  uint16_t port() const { return port_; }
  // Cuts all connections and accepts no more: from now on, connecting fails.
  void Vanish();

 private:
  void Accept();
  void Serve(int fd, int index);

  const Script script_;
  int listener_ = -1;
  uint16_t port_ = 0;
  absl::Mutex mutex_;
  bool vanished_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<int> open_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> scripts_ ABSL_GUARDED_BY(mutex_);
  std::thread acceptor_;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_SCRIPTED_SERVER_H_
