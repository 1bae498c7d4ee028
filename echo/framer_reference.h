// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_ECHO_FRAMER_REFERENCE_H_
#define NETLAB_ECHO_FRAMER_REFERENCE_H_

#include <cstddef>
#include <string_view>

#include "netlab/echo/framer.h"

namespace netlab::echo {

// What RequestFramer is to say of one head, decided the slow way: of all bytes
// at once, line by line, without state.
struct ReferenceResult {
  RequestFramer::Event event;
  size_t head_bytes;  // Of kRequest and kLastRequest.
};

ReferenceResult JudgeHead(std::string_view stream);

}  // namespace netlab::echo

#endif  // NETLAB_ECHO_FRAMER_REFERENCE_H_
