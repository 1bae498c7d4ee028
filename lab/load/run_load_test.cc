// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

// The load generator against servers that behave and misbehave. A test ends
// when its server has seen what it waits for, never after a fixed time.

#include "netlab/lab/load/run_load.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "netlab/lab/load/scripted_server.h"

namespace netlab::lab {
namespace {

using ::testing::HasSubstr;
using Peer = ScriptedServer::Peer;

constexpr absl::string_view kGood =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

// Ends a run from within a server's script.
class StopSignal {
 public:
  StopSignal() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~StopSignal() { close(fd_); }
  int fd() const { return fd_; }
  void Reset() {
    eventfd_t value;
    eventfd_read(fd_, &value);
  }
  void Raise() { EXPECT_EQ(eventfd_write(fd_, 1), 0); }

 private:
  const int fd_;
};

class RunLoadTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  RunLoadTest() {
    options_.engine = GetParam();
    options_.connections = 1;
    options_.warmup = absl::ZeroDuration();
    // Far beyond what any test needs: it is the script that ends a run.
    options_.duration = absl::Seconds(30);
    options_.timeout = absl::Minutes(1);
  }

  LoadResult Run(const ScriptedServer& server) {
    options_.url.host = "127.0.0.1";
    options_.url.port = server.port();
    stop_.Reset();
    absl::StatusOr<LoadResult> result =
        RunLoad(options_, stop_.fd(), /*progress=*/nullptr);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : LoadResult();
  }

  // Runs against a server that plays `misbehave` after one good answer on the
  // first connection (which is the set-up), and then shows by answering ten
  // requests of a further one that the generator has gone on.
  LoadResult RunOnce(const ScriptedServer::Script& misbehave) {
    ScriptedServer server([&](Peer& peer) {
      if (peer.index() == 0) {
        if (!peer.ReadRequest()) return;
        peer.Write(kGood);
        return misbehave(peer);
      }
      AnswerThenStop(peer);
    });
    return Run(server);
  }

  void AnswerThenStop(Peer& peer) {
    for (int i = 0; peer.ReadRequest(); ++i) {
      if (i == 10) stop_.Raise();
      peer.Write(kGood);
    }
  }

  LoadOptions options_;
  StopSignal stop_;
};

INSTANTIATE_TEST_SUITE_P(Engines, RunLoadTest,
                         ::testing::Values(EngineKind::kEpoll,
                                           EngineKind::kIoUring));

TEST_P(RunLoadTest, CountsWhatTheServerHasAnswered) {
  options_.connections = 7;
  options_.threads = 2;
  std::atomic<int> answered = 0;
  ScriptedServer server([&](Peer& peer) {
    while (peer.ReadRequest()) {
      if (++answered == 2000) stop_.Raise();
      peer.Write(kGood);
    }
  });
  const LoadResult result = Run(server);
  const LoadCounts& counts = result.counts;
  EXPECT_EQ(counts.errors.total(), 0) << counts.first_error;
  // All but the set-up's, and those that were on their way at the end.
  EXPECT_GE(counts.requests, 2000 - 2 * options_.connections);
  EXPECT_LE(counts.requests, answered);
  EXPECT_EQ(counts.latency.count(), counts.requests);
  EXPECT_EQ(counts.service_time.count(), 0);
  EXPECT_EQ(counts.bytes_received,
            counts.requests * static_cast<int64_t>(kGood.size()));
  EXPECT_LT(result.elapsed, options_.duration);
  ASSERT_TRUE(result.generator.ok()) << result.generator.status();
  EXPECT_GT(result.generator->cpu(), absl::ZeroDuration());
  EXPECT_FALSE(result.observed);
}

TEST_P(RunLoadTest, KeepsThePipelineFull) {
  options_.pipeline = 8;
  ScriptedServer server([&](Peer& peer) {
    peer.ReadRequest();
    peer.Write(kGood);  // The set-up's.
    for (int round = 0; round < 100; ++round) {
      // All eight come although none is answered.
      for (int i = 0; i < 8; ++i) {
        if (!peer.ReadRequest()) return;
      }
      for (int i = 0; i < 8; ++i) peer.Write(kGood);
    }
    stop_.Raise();
    peer.AnswerAll(kGood);
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
  EXPECT_GE(result.counts.requests, 99 * 8);
}

TEST_P(RunLoadTest, ReadsResponsesHoweverTheyAreSplit) {
  options_.verify_body = true;
  options_.expect_body = "hello";
  ScriptedServer server([&](Peer& peer) {
    for (int i = 0; peer.ReadRequest(); ++i) {
      if (i == 20) stop_.Raise();
      for (const char& byte : kGood) peer.Write(absl::string_view(&byte, 1));
    }
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
  EXPECT_GE(result.counts.requests, 19);
}

TEST_P(RunLoadTest, ReadsResponsesLongerThanItsBuffer) {
  options_.verify_body = true;
  options_.expect_body = std::string(1'000'000, 'x');
  const std::string response =
      absl::StrCat("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
                   options_.expect_body);
  ScriptedServer server([&](Peer& peer) {
    for (int i = 0; peer.ReadRequest(); ++i) {
      if (i == 5) stop_.Raise();
      peer.Write(response);
    }
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
  EXPECT_GE(result.counts.requests, 4);
}

TEST_P(RunLoadTest, ReconnectsWhereTheServerCloses) {
  ScriptedServer server([&](Peer& peer) {
    if (!peer.ReadRequest()) return;
    if (peer.index() == 50) stop_.Raise();
    switch (peer.index() % 3) {
      case 0:
        return peer.Write(
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
            "ok");
      case 1:
        return peer.Write("HTTP/1.0 200 OK\r\n\r\nuntil the end");
      default:
        return peer.Write(
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            "2\r\nok\r\n0\r\n\r\n");
    }
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
  EXPECT_GE(result.counts.requests, 48);
}

TEST_P(RunLoadTest, RequestsBehindAnOrderlyCloseAreNoErrors) {
  options_.pipeline = 8;
  const LoadResult result = RunOnce([](Peer& peer) {
    for (int i = 0; i < 8; ++i) peer.ReadRequest();
    peer.Write(kGood);
    peer.Write(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
}

TEST_P(RunLoadTest, CountsStatuses) {
  ScriptedServer server([&](Peer& peer) {
    peer.ReadRequest();
    peer.Write(kGood);
    for (absl::string_view status : {"503 Busy", "404 Not Found", "302 Found",
                                     "204 No Content", "201 Created"}) {
      peer.ReadRequest();
      peer.Write(
          absl::StrCat("HTTP/1.1 ", status, "\r\nContent-Length: 0\r\n\r\n"));
    }
    AnswerThenStop(peer);
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.status, 3);
  EXPECT_EQ(result.counts.errors.total(), 3);
  EXPECT_EQ(result.counts.first_error, "status 503");
}

TEST_P(RunLoadTest, CountsWhatIsNoResponse) {
  const LoadResult result = RunOnce([](Peer& peer) {
    peer.ReadRequest();
    peer.Write("SSH-2.0-something\r\n\r\n");
    peer.ReadRequest();  // Until the generator closes.
  });
  EXPECT_EQ(result.counts.errors.status, 1);
  EXPECT_EQ(result.counts.errors.total(), 1);
}

TEST_P(RunLoadTest, CountsBytesThatNobodyHasAskedFor) {
  // Written as one, so that the second is there when nothing is in flight.
  ScriptedServer server([&](Peer& peer) {
    if (peer.index() > 0) return AnswerThenStop(peer);
    peer.ReadRequest();
    peer.Write(absl::StrCat(kGood, kGood));
    peer.ReadRequest();
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.status, 1);
  EXPECT_EQ(result.counts.errors.total(), 1);
}

TEST_P(RunLoadTest, CountsResponsesThatAreCutShort) {
  for (const size_t size : {size_t{1}, size_t{20}, kGood.size() - 1}) {
    SCOPED_TRACE(size);
    const LoadResult result = RunOnce([size](Peer& peer) {
      peer.ReadRequest();
      peer.Write(kGood.substr(0, size));
    });
    EXPECT_EQ(result.counts.errors.cut_short, 1);
    EXPECT_EQ(result.counts.errors.total(), 1);
  }
}

TEST_P(RunLoadTest, CountsConnectionsThatEndWithoutAResponse) {
  const LoadResult result = RunOnce([](Peer& peer) { peer.ReadRequest(); });
  EXPECT_EQ(result.counts.errors.read, 1);
  EXPECT_EQ(result.counts.errors.total(), 1);
}

TEST_P(RunLoadTest, CountsResets) {
  const LoadResult result = RunOnce([](Peer& peer) {
    peer.ReadRequest();
    peer.ResetAtEnd();
  });
  EXPECT_EQ(result.counts.errors.read, 1);
  EXPECT_EQ(result.counts.errors.total(), 1);
  EXPECT_THAT(result.counts.first_error, HasSubstr("reset"));
}

TEST_P(RunLoadTest, CountsEveryRequestOfABrokenPipeline) {
  options_.pipeline = 8;
  const LoadResult result = RunOnce([](Peer& peer) {
    for (int i = 0; i < 8; ++i) peer.ReadRequest();
    peer.Write(absl::StrCat(kGood, kGood, kGood.substr(0, 30)));
    // The two that follow the two responses, lest the close become a reset.
    peer.ReadRequest();
    peer.ReadRequest();
  });
  EXPECT_EQ(result.counts.errors.cut_short, 1);
  EXPECT_EQ(result.counts.errors.read, 7);
  EXPECT_EQ(result.counts.errors.total(), 8);
}

TEST_P(RunLoadTest, CountsTimeouts) {
  options_.timeout = absl::Milliseconds(50);
  const LoadResult result = RunOnce([](Peer& peer) {
    peer.ReadRequest();
    peer.Write(kGood.substr(0, 10));
    peer.ReadRequest();  // Until the generator closes.
  });
  EXPECT_EQ(result.counts.errors.timeout, 1);
  EXPECT_EQ(result.counts.errors.total(), 1);
}

TEST_P(RunLoadTest, EndsSoonIfNothingIsEverAnswered) {
  options_.connections = 5;
  options_.timeout = absl::Milliseconds(50);
  ScriptedServer server([](Peer& peer) {
    while (peer.ReadRequest()) {
    }
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.requests, 0);
  EXPECT_EQ(result.counts.errors.timeout, 5);
  EXPECT_EQ(result.counts.errors.total(), 5);
}

TEST_P(RunLoadTest, EndsSoonIfNobodyListens) {
  ScriptedServer server([](Peer&) {});
  server.Vanish();
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.requests, 0);
  EXPECT_EQ(result.counts.errors.connect, 3) << "attempts of the set-up";
  EXPECT_EQ(result.counts.errors.total(), 3);
  EXPECT_EQ(result.counts.first_error, "connect: Connection refused");
  EXPECT_EQ(result.elapsed, absl::ZeroDuration());
}

TEST_P(RunLoadTest, AServerThatVanishesIsAskedLessAndLess) {
  options_.duration = absl::Milliseconds(500);
  ScriptedServer server([](Peer& peer) { peer.AnswerAll(kGood); });
  std::thread vanish([&server] {
    absl::SleepFor(absl::Milliseconds(100));
    server.Vanish();
  });
  const LoadResult result = Run(server);
  vanish.join();
  EXPECT_LE(result.counts.errors.connect, 2 + 6);  // 10 + 20 + ... + 320 ms
}

TEST_P(RunLoadTest, ComparesBodiesOnRequest) {
  for (const bool verify : {false, true}) {
    options_.verify_body = verify;
    ScriptedServer server([&](Peer& peer) {
      peer.ReadRequest();
      peer.Write(kGood);
      for (absl::string_view body : {"Hello", "hell", "hello"}) {
        peer.ReadRequest();
        peer.Write(absl::StrCat("HTTP/1.1 200 OK\r\nContent-Length: ",
                                body.size(), "\r\n\r\n", body));
      }
      AnswerThenStop(peer);
    });
    const LoadResult result = Run(server);
    EXPECT_EQ(result.counts.errors.body, verify ? 2 : 0);
    EXPECT_EQ(result.counts.errors.total(), verify ? 2 : 0);
  }
}

TEST_P(RunLoadTest, AnIdleConnectionMayBeClosed) {
  // An open loop too slow to send anything while the server closes.
  options_.rate_per_s = 0.01;
  ScriptedServer server([&](Peer& peer) {
    peer.ReadRequest();
    peer.Write(kGood);
    if (peer.index() == 0) return;
    stop_.Raise();
    peer.AnswerAll(kGood);
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
}

TEST_P(RunLoadTest, AnOpenLoopSendsWhatIsDue) {
  options_.connections = 4;
  options_.threads = 2;
  options_.rate_per_s = 20000;
  std::atomic<int> received = 0;
  ScriptedServer server([&](Peer& peer) {
    while (peer.ReadRequest()) {
      if (++received == 2000) stop_.Raise();
      peer.Write(kGood);
    }
  });
  const LoadResult result = Run(server);
  const LoadCounts& counts = result.counts;
  EXPECT_EQ(counts.errors.total(), 0) << counts.first_error;
  EXPECT_EQ(counts.latency.count(), counts.requests);
  EXPECT_EQ(counts.service_time.count(), counts.requests);
  // What fell due in the window has been sent or waits; and of what was sent,
  // all has been answered but one request for each connection.
  const int64_t sent = counts.arrivals - counts.backlog;
  EXPECT_GT(sent, 0);
  EXPECT_LE(sent, received + options_.connections);
  EXPECT_GE(counts.requests, sent - options_.connections);
}

TEST_P(RunLoadTest, AnOpenLoopCountsFromTheIntendedTime) {
  constexpr absl::Duration kStall = absl::Milliseconds(200);
  options_.rate_per_s = 1000;
  ScriptedServer server([&](Peer& peer) {
    for (int i = 0; peer.ReadRequest(); ++i) {
      if (i == 50) absl::SleepFor(kStall);
      if (i == 500) stop_.Raise();
      peer.Write(kGood);
    }
  });
  const LoadResult result = Run(server);
  EXPECT_EQ(result.counts.errors.total(), 0) << result.counts.first_error;
  // One connection: whatever fell due in the first half of the stall, a fifth
  // of all, had to wait for the second half at least.
  const LatencyHistogram::Summary latency = result.counts.latency.Summarize();
  const double stall_us = absl::ToDoubleMicroseconds(kStall);
  EXPECT_GE(latency.p90_us, 0.99 * stall_us / 2);
  EXPECT_GE(latency.max_us, 0.99 * stall_us);
  // The server itself was slow but once.
  const LatencyHistogram::Summary service =
      result.counts.service_time.Summarize();
  EXPECT_GE(service.max_us, 0.99 * stall_us);
  EXPECT_LT(service.mean_us, latency.mean_us);
}

TEST_P(RunLoadTest, AnOpenLoopThatIsTooFastHasABacklog) {
  options_.rate_per_s = 100'000;
  ScriptedServer server([&](Peer& peer) {
    for (int i = 0; peer.ReadRequest(); ++i) {
      absl::SleepFor(absl::Milliseconds(1));
      if (i == 20) stop_.Raise();
      peer.Write(kGood);
    }
  });
  const LoadResult result = Run(server);
  EXPECT_GT(result.counts.backlog, 1000);
  EXPECT_GT(result.counts.arrivals, 1000);
}

TEST_P(RunLoadTest, ObservesAProcess) {
  options_.observe_pid = getpid();
  ScriptedServer server([&](Peer& peer) { AnswerThenStop(peer); });
  const LoadResult result = Run(server);
  ASSERT_TRUE(result.observed);
  ASSERT_TRUE(result.observed->ok()) << result.observed->status();
  EXPECT_GT((*result.observed)->max_rss_bytes, 0);
}

TEST_P(RunLoadTest, WhatCannotBeMeasuredIsAnError) {
  options_.url.host = "127.0.0.1";
  options_.observe_pid = 0x7fffffff;
  absl::Status status = RunLoad(options_, -1, nullptr).status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_EQ(status.message(), "process 2147483647 is gone");
  options_.observe_pid = 0;
  options_.url.host = "no such host";
  status = RunLoad(options_, -1, nullptr).status();
  EXPECT_TRUE(absl::IsNotFound(status));
}

}  // namespace
}  // namespace netlab::lab
