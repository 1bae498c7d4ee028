// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/measure/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "netlab/lab/measure/library_versions.h"

namespace netlab::lab {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

void Write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(
      std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

std::string Value(const std::vector<Fact>& facts, const std::string& key) {
  for (const Fact& fact : facts) {
    if (fact.key == key) return fact.value;
  }
  return "missing";
}

EnvironmentSources SourcesIn(const std::string& name) {
  const std::string root = ::testing::TempDir() + "/" + name;
  return {.proc = root + "/proc",
          .sys = root + "/sys",
          .os_release = root + "/os-release"};
}

TEST(RecordEnvironmentTest, ReadsWhatTheMachineTells) {
  const EnvironmentSources sources = SourcesIn("machine");
  Write(sources.proc + "/cpuinfo",
        "processor\t: 0\nmodel name\t: Example CPU @ 3 GHz\n"
        "flags\t\t: fpu hypervisor lahf_lm\n");
  Write(sources.proc + "/meminfo", "MemTotal:       16777216 kB\n");
  Write(sources.proc + "/loadavg", "0.10 0.20 0.30 1/99 1234\n");
  Write(sources.proc + "/sys/net/core/somaxconn", "4096\n");
  Write(sources.proc + "/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
  Write(sources.sys + "/class/dmi/id/sys_vendor", "QEMU\n");
  Write(sources.sys + "/devices/system/cpu/smt/active", "1\n");
  Write(sources.sys + "/devices/system/cpu/vulnerabilities/meltdown",
        "Mitigation: PTI\n");
  Write(sources.sys + "/devices/system/cpu/vulnerabilities/l1tf",
        "Not affected\n");
  Write(sources.sys + "/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        "performance\n");
  Write(sources.os_release, "NAME=x\nPRETTY_NAME=\"Debian 12\"\n");

  const std::vector<Fact> facts = RecordEnvironment(sources);
  EXPECT_EQ(Value(facts, "cpu_model"), "Example CPU @ 3 GHz");
  EXPECT_EQ(Value(facts, "memory"), "16.0 GiB");
  EXPECT_EQ(Value(facts, "load_average"), "0.10 0.20 0.30 1/99 1234");
  EXPECT_EQ(Value(facts, "somaxconn"), "4096");
  EXPECT_EQ(Value(facts, "ip_local_port_range"), "32768-60999");
  EXPECT_EQ(Value(facts, "hypervisor"), "yes: QEMU");
  EXPECT_EQ(Value(facts, "smt"), "on");
  EXPECT_EQ(Value(facts, "mitigations"), "meltdown: PTI");
  EXPECT_EQ(Value(facts, "governor"), "performance");
  EXPECT_EQ(Value(facts, "os"), "Debian 12");
}

TEST(RecordEnvironmentTest, SaysWhatTheMachineDoesNotTell) {
  const std::vector<Fact> facts = RecordEnvironment(SourcesIn("silent"));
  for (const char* key : {"cpu_model", "memory", "smt", "governor",
                          "mitigations", "somaxconn", "load_average"}) {
    EXPECT_EQ(Value(facts, key), "not exposed") << key;
  }
}

TEST(RecordEnvironmentTest, KnowsItsOwnBuild) {
  const std::vector<Fact> facts = RecordEnvironment();
  EXPECT_THAT(Value(facts, "compiler"), ContainsRegex("(GCC|Clang) [0-9]+"));
  EXPECT_THAT(Value(facts, "compiler_options"), HasSubstr("-std=c++20"));
  EXPECT_THAT(Value(facts, "ulimit_n"),
              MatchesRegex("[0-9]+ \\(hard [0-9]+\\)"));
  EXPECT_THAT(LibraryVersions(),
              MatchesRegex("Abseil [0-9.]+, Boost [0-9.]+, libuv [0-9.]+, "
                           "liburing [0-9.]+"));
}

TEST(SourceCommitTest, OtherFoldersAreNotNetlab) {
  const std::string folder = ::testing::TempDir() + "/other";
  Write(folder + "/WORKSPACE.bazel", "workspace(name = \"other\")\n");
  EXPECT_EQ(SourceCommit(folder), "not known");
  EXPECT_EQ(SourceCommit("/nonexistent"), "not known");
}

}  // namespace
}  // namespace netlab::lab
