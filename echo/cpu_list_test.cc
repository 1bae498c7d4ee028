// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/echo/cpu_list.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace netlab::echo {
namespace {

TEST(CpuListTest, Parses) {
  CpuList list;
  std::string error;
  EXPECT_TRUE(AbslParseFlag("0,2-4,1", &list, &error));
  EXPECT_EQ(list.cpus, (std::vector<int>{0, 2, 3, 4, 1}));
  EXPECT_EQ(AbslUnparseFlag(list), "0,2,3,4,1");
  EXPECT_TRUE(AbslParseFlag("7", &list, &error));
  EXPECT_EQ(list.cpus, std::vector<int>{7});
  EXPECT_TRUE(AbslParseFlag("", &list, &error));
  EXPECT_TRUE(list.cpus.empty());
}

TEST(CpuListTest, NamesWhatItDoesNotTake) {
  for (const char* bad : {"a", "1,", "-1", "3-", "-", "3-1", "1-2-3", "1;2",
                          "99999", "0x1", "1,,2"}) {
    CpuList list;
    std::string error;
    EXPECT_FALSE(AbslParseFlag(bad, &list, &error)) << bad;
    EXPECT_NE(error.find("write a list such as"), std::string::npos);
  }
}

}  // namespace
}  // namespace netlab::echo
