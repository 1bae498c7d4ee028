// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs the fuzz target without a fuzzer: over its corpus, over mutations of it,
// and over heads around the limit.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace netlab::echo {
namespace {

// A failure aborts: the message says what, and the bytes are worth a file in
// the corpus.
void FuzzOnce(const std::string& stream) {
  std::string input = "\x2a" + stream;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()),
                         input.size());
}

std::vector<std::string> Corpus() {
  std::vector<std::string> corpus;
  for (const auto& file :
       std::filesystem::directory_iterator("echo/framer_corpus")) {
    std::ifstream in(file.path(), std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in),
                        std::istreambuf_iterator<char>());
  }
  return corpus;
}

std::string Mutate(std::string bytes, const std::vector<std::string>& corpus,
                   std::minstd_rand& random) {
  static constexpr char kTelling[] =
      "\r\n :,\t\0\x7f\x80"
      "0Cct/.1";
  for (size_t edits = 1 + random() % 4; edits > 0; --edits) {
    const size_t at = random() % (bytes.size() + 1);
    switch (random() % 4) {
      case 0:
        bytes.insert(at, 1, kTelling[random() % (sizeof(kTelling) - 1)]);
        break;
      case 1:
        bytes.erase(at, 1 + random() % 3);
        break;
      case 2:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random());
        break;
      default: {
        const std::string& other = corpus[random() % corpus.size()];
        const size_t from = random() % other.size();
        bytes.insert(at, other.substr(from, random() % 40));
      }
    }
  }
  return bytes;
}

TEST(FramerFuzzTest, Corpus) {
  const std::vector<std::string> corpus = Corpus();
  ASSERT_GE(corpus.size(), 10u);
  for (const std::string& stream : corpus) FuzzOnce(stream);
}

TEST(FramerFuzzTest, MutationsOfTheCorpus) {
  const std::vector<std::string> corpus = Corpus();
  std::minstd_rand random(1);
  for (int round = 0; round < 5000; ++round) {
    for (const std::string& stream : corpus) {
      FuzzOnce(Mutate(stream, corpus, random));
    }
  }
}

TEST(FramerFuzzTest, EveryByteAtEveryPlace) {
  for (const std::string& stream : Corpus()) {
    for (size_t at = 0; at < stream.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = stream;
        changed[at] = static_cast<char>(byte);
        FuzzOnce(changed);
      }
    }
  }
}

TEST(FramerFuzzTest, HeadsAroundTheLimit) {
  const std::string start = "GET / HTTP/1.1\r\nX: ";
  for (size_t size = 8186; size <= 8196; ++size) {
    const std::string filler(size - start.size() - 4, 'x');
    FuzzOnce(absl::StrCat(start, filler, "\r\n\r\n", start, "\r\n\r\n"));
    FuzzOnce(absl::StrCat(start, filler, "\r\nY\x01\r\n\r\n"));
    FuzzOnce(std::string(size, '\n'));
    FuzzOnce("GET /" + std::string(size, 'x'));
  }
  std::string empty_lines;
  while (empty_lines.size() < 8200) empty_lines += "\r\n";
  FuzzOnce(empty_lines);
}

}  // namespace
}  // namespace netlab::echo
