// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a server starts, stops, and lives with its limits.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "netlab/echo/conformance.h"
#include "netlab/echo/session.h"
#include "netlab/echo/test_client.h"
#include "netlab/echo/test_server.h"

namespace netlab::echo {
namespace {

using ::testing::HasSubstr;

void ExpectOneLine(const std::string& text, std::string_view what) {
  EXPECT_THAT(text, HasSubstr(std::string(what)));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST_F(ConformanceTest, ExplainsItself) {
  TestServer server(Binary(), {"--help"});
  server.Wait();
  for (const char* flag : {"--port", "--threads", "--backlog", "--cpus"}) {
    EXPECT_THAT(server.out(), HasSubstr(flag));
  }
}

TEST_F(ConformanceTest, RefusesWrongFlags) {
  struct Case {
    const char* flag;
    const char* complaint;
  };
  for (const Case& wrong :
       {Case{"--port=65536", "--port=65536"}, Case{"--port=-1", "--port=-1"},
        Case{"--port=http", "'http'"}, Case{"--threads=0", "--threads=0"},
        Case{"--threads=9999", "--threads=9999"},
        Case{"--backlog=0", "--backlog=0"}, Case{"--cpus=0-", "'0-'"},
        Case{"--cpus=1023", "CPU 1023"}, Case{"--prot=1", "prot"},
        Case{"8080", "'8080'"}}) {
    TestServer server(Binary(), {wrong.flag});
    EXPECT_EQ(server.Wait(), 1) << wrong.flag;
    EXPECT_EQ(server.out(), "");
    ExpectOneLine(server.err(), wrong.complaint);
  }
}

TEST_F(ConformanceTest, RefusesAPortInUse) {
  auto first = Start();
  const std::string port = absl::StrCat(first->port());
  for (const char* threads : {"--threads=1", "--threads=2"}) {
    TestServer second(Binary(), {absl::StrCat("--port=", port), threads});
    EXPECT_EQ(second.Wait(), 1);
    EXPECT_EQ(second.out(), "");
    ExpectOneLine(second.err(), absl::StrCat("port ", port, " is in use"));
  }
  ExpectAlive(*first);
}

TEST_F(ConformanceTest, TakesAPortThatConnectionsStillRemember) {
  auto first = Start();
  const int port = first->port();
  TestClient client(port);
  ASSERT_TRUE(client.Send("GET / HTTP/1.0\r\n\r\n"));
  ASSERT_EQ(client.ReceiveToEnd(), kResponse);  // The server closed first.
  ExpectCleanStop(*first);
  auto second = Start({absl::StrCat("--port=", port)});
  EXPECT_EQ(second->port(), port);
  ExpectAlive(*second);
}

TEST_F(ConformanceTest, StopsWhenIdle) {
  for (const int signal : {SIGTERM, SIGINT}) {
    auto server = Start({"--threads=2"});
    TestClient silent(server->port());
    TestClient idle(server->port());
    ASSERT_TRUE(idle.Send(kPlainRequest));
    ASSERT_EQ(idle.Receive(kResponse.size()), kResponse);
    server->Signal(signal);
    EXPECT_EQ(idle.ReceiveToEnd(), "");
    EXPECT_EQ(silent.ReceiveToEnd(), "");
    EXPECT_EQ(server->Wait(), 0);
    EXPECT_EQ(server->err(), "");
  }
}

TEST_F(ConformanceTest, AnswersWhatItHasReceivedBeforeItStops) {
  constexpr size_t kPipelined = 500;
  auto server = Start({"--threads=2"});
  std::vector<TestClient> clients;
  for (int i = 0; i < 50; ++i) {
    clients.emplace_back(server->port());
    ASSERT_TRUE(clients.back().Send(Repeat(kPlainRequest, kPipelined)));
  }
  for (const TestClient& client : clients) {
    ASSERT_TRUE(client.WaitUntilDelivered());
  }
  server->Signal(SIGTERM);
  for (TestClient& client : clients) {
    EXPECT_EQ(client.ReceiveToEnd(), Repeat(kResponse, kPipelined));
  }
  EXPECT_EQ(server->Wait(), 0);
  EXPECT_EQ(server->err(), "");
}

// Clients that go on asking cannot keep the server from stopping in time.
TEST_F(ConformanceTest, StopsUnderLoad) {
  auto server = Start({"--threads=2"});
  std::vector<std::thread> load;
  absl::Cleanup join = [&load] {
    for (std::thread& thread : load) thread.join();
  };
  for (int i = 0; i < 4; ++i) {
    load.emplace_back([port = server->port()] {
      std::vector<TestClient> clients;
      for (int j = 0; j < 10; ++j) clients.emplace_back(port);
      for (bool served = true; served;) {
        for (TestClient& client : clients) client.Send(kPlainRequest);
        for (TestClient& client : clients) {
          const std::string answer = client.Receive(kResponse.size());
          served = !answer.empty();
          // Answered or not, but never half.
          EXPECT_TRUE(!served || answer == kResponse) << answer;
        }
      }
    });
  }
  ASSERT_TRUE(
      Eventually([&] { return server->CpuTime() > absl::Milliseconds(50); }));
  server->Signal(SIGTERM);
  std::move(join).Invoke();
  EXPECT_EQ(server->Wait(), 0);
  EXPECT_EQ(server->err(), "");
}

// Shows `look` a duplicate of each TCP socket of the server. False if the
// kernel does not let a process look into its child.
bool ForEachSocket(const TestServer& server,
                   absl::FunctionRef<void(int fd, const tcp_info& info)> look) {
  for (const int file : server.Files()) {
    const int fd = server.Duplicate(file);
    if (fd < 0 && errno == EPERM) return false;
    absl::Cleanup close_fd = [fd] { close(fd); };
    tcp_info info{};
    socklen_t size = sizeof(info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
      look(fd, info);
    }
  }
  return true;
}

TEST_F(ConformanceTest, LeavesAPeerThatNeverReads) {
  auto server = Start();
  TestClient deaf(server->port(), /*receive_buffer=*/4096);
  ASSERT_TRUE(deaf.Send(kPlainRequest));
  ASSERT_EQ(deaf.Receive(kResponse.size()), kResponse);
  // So that the kernel cannot take what is still to be answered in the end.
  const auto shrink_send_buffer = [](int fd, const tcp_info&) {
    const int bytes = 4096;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
  };
  if (!ForEachSocket(*server, shrink_send_buffer)) {
    GTEST_SKIP() << "this kernel does not let a process look into its child";
  }
  deaf.SendUntilStalled(Repeat(kPlainRequest, 100'000));
  server->Signal(SIGTERM);
  EXPECT_EQ(server->Wait(), 0);
  ExpectOneLine(server->err(), "connections were still open");
}

TEST_F(ConformanceTest, OutlivesAShortageOfDescriptors) {
  constexpr size_t kMaxFiles = 40;
  auto server = Start({}, kMaxFiles);
  // A library may open files of its own with the first connection.
  TestClient first(server->port());
  ASSERT_TRUE(first.Send(kPlainRequest));
  ASSERT_EQ(first.Receive(kResponse.size()), kResponse);
  const size_t room = kMaxFiles - server->Files().size();
  std::vector<TestClient> clients;
  for (size_t i = 0; i < room + 20; ++i) {
    clients.emplace_back(server->port());
    ASSERT_TRUE(clients.back().Send(kPlainRequest));
  }
  ASSERT_TRUE(Eventually([&] { return server->Files().size() == kMaxFiles; }));
  for (size_t i = 0; i < room; ++i) {
    ASSERT_EQ(clients[i].Receive(kResponse.size()), kResponse);
  }
  // A server that spins takes all of the time, one that waits next to none.
  const absl::Time start = absl::Now();
  const absl::Duration before = server->CpuTime();
  absl::SleepFor(absl::Milliseconds(500));
  EXPECT_LT((server->CpuTime() - before) / (absl::Now() - start), 0.3);

  clients.erase(clients.begin(), clients.begin() + 20);
  for (size_t i = room - 20; i < clients.size(); ++i) {
    EXPECT_EQ(clients[i].Receive(kResponse.size()), kResponse);
  }
  clients.clear();
  ExpectAlive(*server);
  ExpectCleanStop(*server);
}

TEST_F(ConformanceTest, StopsDuringAShortageOfDescriptors) {
  auto server = Start({}, /*max_files=*/40);
  std::vector<TestClient> clients;
  for (int i = 0; i < 60; ++i) clients.emplace_back(server->port());
  ASSERT_TRUE(Eventually([&] { return server->Files().size() == 40; }));
  ExpectCleanStop(*server);
}

int IntOption(int fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof(value);
  if (getsockopt(fd, level, name, &value, &size) != 0) return -1;
  return value;
}

// The options that decide how a socket performs are the same for all servers.
TEST_F(ConformanceTest, SetsSocketOptions) {
  constexpr int kBacklog = 123;
  constexpr int kThreads = 3;
  auto server = Start({absl::StrCat("--threads=", kThreads),
                       absl::StrCat("--backlog=", kBacklog)});
  TestClient client(server->port());
  ASSERT_TRUE(client.Send(kPlainRequest));
  ASSERT_EQ(client.Receive(kResponse.size()), kResponse);

  int listeners = 0;
  int connections = 0;
  const auto check = [&](int fd, const tcp_info& info) {
    EXPECT_EQ(IntOption(fd, IPPROTO_TCP, TCP_NODELAY), 1);
    if (info.tcpi_state == TCP_LISTEN) {
      ++listeners;
      EXPECT_EQ(info.tcpi_sacked, unsigned{kBacklog});
      EXPECT_EQ(IntOption(fd, SOL_SOCKET, SO_REUSEPORT), 1);
    } else {
      ++connections;
    }
  };
  if (!ForEachSocket(*server, check)) {
    GTEST_SKIP() << "this kernel does not let a process look into its child";
  }
  EXPECT_EQ(listeners, SharesListener() ? 1 : kThreads);
  EXPECT_EQ(connections, 1);
}

TEST_F(ConformanceTest, PinsItsThreads) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  std::vector<std::string> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE && cpus.size() < 2; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(absl::StrCat(cpu));
  }
  // The last CPU first: pinning is to follow the list, not the number.
  std::reverse(cpus.begin(), cpus.end());
  auto server = Start({"--threads=3", "--cpus=" + absl::StrJoin(cpus, ",")});
  EXPECT_TRUE(Eventually([&] {
    std::map<std::string, std::string> threads = server->CpusByThread();
    return threads["worker-0"] == cpus.front() &&
           threads["worker-1"] == cpus.back() &&
           threads["worker-2"] == cpus.front();
  }));
  ExpectAlive(*server);
}

}  // namespace
}  // namespace netlab::echo
