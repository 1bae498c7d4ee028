// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/connection_ramp.h"

#include "gtest/gtest.h"

namespace netlab::lab {
namespace {

constexpr int64_t kPatience = 100;

TEST(ConnectionRampTest, KeepsNoMoreThanAWindowPending) {
  ConnectionRamp ramp(5, 2, kPatience, 0);
  EXPECT_EQ(ramp.Next(), 0);
  EXPECT_EQ(ramp.Next(), 1);
  EXPECT_EQ(ramp.Next(), -1);
  ramp.OnReady(1);
  EXPECT_EQ(ramp.Next(), 2);
  EXPECT_EQ(ramp.Next(), -1);
  ramp.OnGivenUp();
  EXPECT_EQ(ramp.Next(), 3);
}

TEST(ConnectionRampTest, IsDoneWhenAllHaveBeenTried) {
  ConnectionRamp ramp(2, 8, kPatience, 0);
  EXPECT_EQ(ramp.Next(), 0);
  EXPECT_EQ(ramp.Next(), 1);
  EXPECT_EQ(ramp.Next(), -1);
  ramp.OnReady(1);
  EXPECT_FALSE(ramp.Done(1));
  ramp.OnGivenUp();
  EXPECT_TRUE(ramp.Done(1));
  EXPECT_EQ(ramp.ready(), 1);
}

TEST(ConnectionRampTest, GivesUpAfterAWindowOfFailures) {
  ConnectionRamp ramp(100, 2, kPatience, 0);
  ramp.Next();
  ramp.Next();
  ramp.OnGivenUp();
  EXPECT_FALSE(ramp.Done(1));
  ramp.OnGivenUp();
  EXPECT_TRUE(ramp.Done(1));
}

TEST(ConnectionRampTest, OneSuccessKeepsItGoing) {
  ConnectionRamp ramp(100, 2, kPatience, 0);
  ramp.Next();
  ramp.Next();
  ramp.OnReady(1);
  ramp.OnGivenUp();
  ramp.OnGivenUp();
  EXPECT_FALSE(ramp.Done(1));
}

TEST(ConnectionRampTest, IsImpatientOnlyWithoutProgress) {
  ConnectionRamp ramp(100, 2, kPatience, 0);
  ramp.Next();
  EXPECT_FALSE(ramp.Done(kPatience));
  ramp.OnReady(kPatience);
  EXPECT_FALSE(ramp.Done(2 * kPatience));
  EXPECT_TRUE(ramp.Done(2 * kPatience + 1));
}

}  // namespace
}  // namespace netlab::lab
