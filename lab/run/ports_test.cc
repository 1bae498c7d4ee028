// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/run/ports.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/match.h"

namespace netlab::lab {
namespace {

// Listens on `port` of the loopback device; -1 when that is not possible.
int Listen(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
          0 ||
      listen(fd, 1) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

TEST(PortPoolTest, GivesADifferentPortEachTime) {
  absl::StatusOr<PortPool> pool = PortPool::FromEphemeralRange("32768\t60999");
  ASSERT_TRUE(pool.ok());
  const absl::StatusOr<int> first = pool->Take();
  const absl::StatusOr<int> second = pool->Take();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_GE(*first, 28000);
  EXPECT_GT(*second, *first);
  EXPECT_LT(*second, 32768);
}

TEST(PortPoolTest, LeavesTheEphemeralRangeOut) {
  absl::StatusOr<PortPool> pool = PortPool::FromEphemeralRange("20000 60999\n");
  ASSERT_TRUE(pool.ok());
  const absl::StatusOr<int> port = pool->Take();
  ASSERT_TRUE(port.ok());
  EXPECT_GE(*port, 61000);
}

TEST(PortPoolTest, SkipsAPortInUse) {
  absl::StatusOr<PortPool> probe = PortPool::FromEphemeralRange("32768 60999");
  absl::StatusOr<PortPool> pool = PortPool::FromEphemeralRange("32768 60999");
  ASSERT_TRUE(probe.ok() && pool.ok());
  int taken = 0;
  int fd = -1;
  while (fd < 0) {
    const absl::StatusOr<int> port = probe->Take();
    ASSERT_TRUE(port.ok());
    taken = *port;
    fd = Listen(taken);
  }
  for (;;) {
    const absl::StatusOr<int> port = pool->Take();
    ASSERT_TRUE(port.ok());
    EXPECT_NE(*port, taken);
    if (*port > taken) break;
  }
  close(fd);
}

TEST(PortPoolTest, SaysHowToMakeRoom) {
  const absl::Status status =
      PortPool::FromEphemeralRange("1024 65535").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(status.message(), "sysctl -w"));
}

TEST(PortPoolTest, RejectsWhatIsNoRange) {
  for (const char* text : {"", "1", "a b", "9 3", "1 2 3"}) {
    EXPECT_EQ(PortPool::FromEphemeralRange(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace netlab::lab
