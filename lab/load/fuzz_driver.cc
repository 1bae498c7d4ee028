// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs a libFuzzer target without libFuzzer, so that any compiler can: over
// the files named on the command line, then over a fixed number of mutations
// of them. The same every time.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kMutations = 20000;

void RunOne(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()),
                         input.size());
}

// Changes, removes, repeats, or takes from elsewhere a few bytes.
std::string Mutate(const std::vector<std::string>& corpus,
                   std::mt19937& random) {
  const auto below = [&random](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  std::string input = corpus[below(corpus.size())];
  for (size_t rounds = 1 + below(4); rounds > 0 && !input.empty(); --rounds) {
    const size_t at = below(input.size());
    const size_t size = 1 + below(8);
    const std::string& other = corpus[below(corpus.size())];
    switch (below(4)) {
      case 0:
        input[at] = static_cast<char>(below(256));
        break;
      case 1:
        input.erase(at, size);
        break;
      case 2:
        input.insert(at, std::string(input, at, size));
        break;
      default:
        input.insert(at, std::string(other, below(other.size()), size * 8));
        break;
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> corpus;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(file), {}};
    if (content.empty()) {
      std::fprintf(stderr, "%s cannot be read or is empty\n", argv[i]);
      return 1;
    }
    corpus.push_back(std::move(content));
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s CORPUS_FILE...\n", argv[0]);
    return 1;
  }
  for (const std::string& input : corpus) RunOne(input);
  std::mt19937 random(1);
  for (int i = 0; i < kMutations; ++i) RunOne(Mutate(corpus, random));
  std::printf("%zu files and %d mutations: ok\n", corpus.size(), kMutations);
  return 0;
}
