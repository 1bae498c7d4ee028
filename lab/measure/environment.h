// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// What a result depends on besides the code: without it a number is an
// anecdote. The record is an ordered list of facts, the same in the report, in
// the JSONL file and on every machine; what a machine does not tell is recorded
// as "not exposed" rather than left out.

#ifndef NETLAB_LAB_MEASURE_ENVIRONMENT_H_
#define NETLAB_LAB_MEASURE_ENVIRONMENT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace netlab::lab {

struct Fact {
  std::string key;    // "cpu_model"
  std::string value;  // "AMD EPYC 7763"
};

// Where the kernel's files are; tests have some of their own.
struct EnvironmentSources {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string os_release = "/etc/os-release";
};

// Of the machine and of this build: date, cpu_model, cpus, physical_cores, smt,
// memory, hypervisor, os, kernel, mitigations, governor, clock_source,
// load_average, ulimit_n, somaxconn, tcp_max_syn_backlog, ip_local_port_range,
// compiler, compiler_options.
std::vector<Fact> RecordEnvironment(const EnvironmentSources& sources = {});

// The commit that `folder` has checked out, with "-dirty" when files differ
// from it; "not known" where that is not netlab's own work tree.
std::string SourceCommit(const std::string& folder);

// Whether this build's figures mean anything.
bool BuiltForMeasuring();

}  // namespace netlab::lab

#endif  // NETLAB_LAB_MEASURE_ENVIRONMENT_H_
