// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/file_limit.h"

#include <sys/resource.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

using ::testing::HasSubstr;

rlimit Limit() {
  rlimit limit;
  EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  return limit;
}

TEST(FileLimitTest, RaisesTheSoftLimitOnlyAsFarAsNeeded) {
  const rlimit before = Limit();
  ASSERT_GE(before.rlim_max, 128);
  rlimit low = before;
  low.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_TRUE(AllowOpenFiles(50).ok());
  EXPECT_EQ(Limit().rlim_cur, 64);
  EXPECT_TRUE(AllowOpenFiles(100).ok());
  EXPECT_EQ(Limit().rlim_cur, 100);
  EXPECT_EQ(Limit().rlim_max, before.rlim_max);
}

TEST(FileLimitTest, SaysWhatTheHardLimitMustBe) {
  const uint64_t count = Limit().rlim_max + 1;
  if (count == 0) GTEST_SKIP() << "the hard limit is infinite";
  const absl::Status status = AllowOpenFiles(count);
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("raise it: ulimit -Hn " + std::to_string(count)));
}

}  // namespace
}  // namespace netlab::lab
