// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_TEST_CLIENT_H_
#define NETLAB_ECHO_TEST_CLIENT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace netlab::echo {

// A connection to a server on 127.0.0.1, with blocking calls that give up when
// patience has run out.
class TestClient {
 public:
  // With `receive_buffer`, the kernel keeps about so many bytes for us.
  explicit TestClient(int port, int receive_buffer = 0);
  ~TestClient();
  TestClient(TestClient&& other) noexcept;
  TestClient& operator=(TestClient&& other) noexcept;

  bool connected() const { return fd_ >= 0; }

  // Returns whether all of it could be sent.
  bool Send(std::string_view bytes);

  // Sends as much as the server and the kernels between take; how much that
  // was.
  size_t SendUntilStalled(std::string_view bytes);

  // Sends the bytes while receiving `size` others, so that neither side has to
  // wait for the other. What was received may be shorter at an end or an error.
  std::string Exchange(std::string_view bytes, size_t size);

  // Receives `size` bytes, or fewer at an end or an error.
  std::string Receive(size_t size) { return Exchange("", size); }

  // Receives all until the end. If that is not an orderly one, the result ends
  // in the name of the error, in angle brackets.
  std::string ReceiveToEnd();

  // Waits until all that was sent lies in the server's socket.
  bool WaitUntilDelivered() const;

  void ShutDownSending();
  // Closes so that the server sees a reset.
  void Reset();

 private:
  int fd_ = -1;
};

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_TEST_CLIENT_H_
