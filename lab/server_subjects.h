// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The servers that lab/subjects.bzl lists.

#ifndef NETLAB_LAB_SERVER_SUBJECTS_H_
#define NETLAB_LAB_SERVER_SUBJECTS_H_

#include <string>
#include <vector>

namespace netlab::lab {

struct ListedSubject {
  std::string name;
  std::string what;
  std::string runfiles_path;
  std::vector<std::string> args;
  bool reference;
};

const std::vector<ListedSubject>& ListedServers();

}  // namespace netlab::lab

#endif  // NETLAB_LAB_SERVER_SUBJECTS_H_
