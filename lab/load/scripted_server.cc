// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/scripted_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "absl/log/check.h"

namespace netlab::lab {

bool ScriptedServer::Peer::ReadRequest() {
  constexpr absl::string_view kEnd = "\r\n\r\n";
  size_t end;
  while ((end = received_.find(kEnd)) == std::string::npos) {
    char buffer[4096];
    const ssize_t size = recv(fd_, buffer, sizeof(buffer), 0);
    if (size <= 0) return false;
    received_.append(buffer, static_cast<size_t>(size));
  }
  received_.erase(0, end + kEnd.size());
  return true;
}

void ScriptedServer::Peer::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
}

void ScriptedServer::Peer::AnswerAll(absl::string_view response) {
  while (ReadRequest()) Write(response);
}

void ScriptedServer::Peer::ResetAtEnd() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  CHECK_EQ(setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now)), 0);
}

ScriptedServer::ScriptedServer(Script script) : script_(std::move(script)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK_GE(listener_, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  CHECK_EQ(bind(listener_, generic, size), 0);
  CHECK_EQ(listen(listener_, 128), 0);
  CHECK_EQ(getsockname(listener_, generic, &size), 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  Vanish();
  std::vector<std::thread> scripts;
  {
    absl::MutexLock lock(&mutex_);
    scripts = std::move(scripts_);
  }
  for (std::thread& script : scripts) script.join();
}

void ScriptedServer::Vanish() {
  {
    absl::MutexLock lock(&mutex_);
    if (vanished_) return;
    vanished_ = true;
    for (const int fd : open_) shutdown(fd, SHUT_RDWR);
  }
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
}

void ScriptedServer::Accept() {
  int fd;
  for (int index = 0;
       (fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;
       ++index) {
    const int on = 1;
    CHECK_EQ(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), 0);
    absl::MutexLock lock(&mutex_);
    if (vanished_) {
      close(fd);
      return;
    }
    open_.push_back(fd);
    scripts_.emplace_back([this, fd, index] { Serve(fd, index); });
  }
}

void ScriptedServer::Serve(int fd, int index) {
  Peer peer(fd, index);
  script_(peer);
  // Under the lock, so that Vanish() never cuts somebody else's descriptor.
  absl::MutexLock lock(&mutex_);
  std::erase(open_, fd);
  close(fd);
}

}  // namespace netlab::lab
