// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#include "netlab/lab/load/worker.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "netlab/lab/load/clock.h"
#include "netlab/lab/load/epoll_engine.h"
#include "netlab/lab/load/uring_engine.h"
#include "netlab/net/cpu_list.h"

namespace netlab::lab {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

// How soon a worker without events notices a new phase.
constexpr int64_t kPhaseInterval = 10 * kMillisecond;
// How often time-outs are looked for, at most and at least. Looking visits all
// connections, so that a request itself pays nothing.
constexpr int64_t kMinExpiryInterval = kMillisecond;
constexpr int64_t kMaxExpiryInterval = 100 * kMillisecond;

// All threads together have no more connections than this in their set-up.
constexpr int kSetUpWindow = 32;
constexpr int kSetUpAttempts = 3;
constexpr int64_t kSetUpPatience = 1000 * kMillisecond;

constexpr int64_t kFirstBackOff = 10 * kMillisecond;
constexpr int64_t kMaxBackOff = 1000 * kMillisecond;

int ShareOf(int total, int index, int parts) {
  return total / parts + (index < total % parts ? 1 : 0);
}

}  // namespace

Worker::Worker(const LoadOptions& options, const SocketAddress& server,
               int index, ExpectedBody* expected_body, LoadControl* control)
    : options_(options),
      server_(server),
      index_(index),
      expected_body_(expected_body),
      control_(control),
      timeout_ns_(absl::ToInt64Nanoseconds(options.timeout)) {}

absl::Status Worker::Run() {
  absl::Status status = Init();
  while (status.ok() && phase_ != LoadPhase::kDone) status = Turn();
  engine_ = nullptr;
  if (!status.ok()) {
    control_->worker_failed.store(true, std::memory_order_release);
  }
  return status;
}

absl::Status Worker::Init() {
  if (!options_.cpus.empty()) {
    const size_t cpu = static_cast<size_t>(index_) % options_.cpus.size();
    if (absl::Status status = PinCurrentThread({options_.cpus[cpu]});
        !status.ok()) {
      return status;
    }
  }
  // The kernel lets a thread oversleep by 50 us unless told otherwise, which
  // would make every request of an open loop that much late.
  if (prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) != 0) {
    return absl::ErrnoToStatus(errno, "prctl(PR_SET_TIMERSLACK)");
  }
  const int count = ShareOf(options_.connections, index_, options_.threads);
  connections_.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    connections_.emplace_back(options_.pipeline, &known_head_, expected_body_);
  }
  const auto make_engine = options_.engine == EngineKind::kIoUring
                               ? &MakeUringEngine
                               : &MakeEpollEngine;
  absl::StatusOr<std::unique_ptr<Engine>> engine = make_engine(
      server_, RequestText(options_), options_.pipeline, count, this);
  if (!engine.ok()) return engine.status();
  engine_ = *std::move(engine);
  ramp_.emplace(count, std::min(count, kSetUpWindow / options_.threads),
                timeout_ns_ + kSetUpPatience, NowNanos());
  return absl::OkStatus();
}

absl::Status Worker::Turn() {
  int64_t now_ns = NowNanos();
  if (const LoadPhase phase = control_->phase.load(std::memory_order_acquire);
      phase != phase_) {
    EnterPhase(phase, now_ns);
    if (phase == LoadPhase::kDone) return absl::OkStatus();
  }
  if (ramp_) ContinueSetUp(now_ns);
  ConnectDue(now_ns);
  if (now_ns >= next_expiry_ns_) Expire(now_ns);
  if (schedule_) now_ns = SendArrivals(now_ns);
  progress_.store(requests_before_window_ + counts_.requests,
                  std::memory_order_relaxed);
  return engine_->Wait(NextDeadline(now_ns), now_ns);
}

int64_t Worker::NextDeadline(int64_t now_ns) const {
  int64_t deadline_ns = std::min(now_ns + kPhaseInterval, next_expiry_ns_);
  if (!reconnects_.empty()) {
    deadline_ns = std::min(deadline_ns, reconnects_.top().first);
  }
  if (schedule_ && !free_places_.empty()) {
    deadline_ns = std::min(deadline_ns, schedule_->next_ns());
  }
  return deadline_ns;
}

// A phase may be so short that this worker never sees it.
void Worker::EnterPhase(LoadPhase phase, int64_t now_ns) {
  const LoadPhase previous = phase_;
  phase_ = phase;
  ramp_.reset();
  if (previous == LoadPhase::kSetUp && phase != LoadPhase::kDone) {
    StartLoad(now_ns);
  }
  if (phase == LoadPhase::kDone && previous == LoadPhase::kMeasure) {
    EndWindow(now_ns);
  } else {
    ForgetCounts(now_ns);
  }
}

// The warm-up is recorded like the rest and then forgotten, so that the
// histograms' memory is warm as well.
void Worker::ForgetCounts(int64_t now_ns) {
  requests_before_window_ += counts_.requests;
  counts_.requests = 0;
  counts_.bytes_received = 0;
  counts_.latency.Clear();
  counts_.service_time.Clear();
  if (schedule_) arrivals_before_window_ = schedule_->CountUntil(now_ns);
}

void Worker::EndWindow(int64_t now_ns) {
  if (!schedule_) return;
  const int64_t arrivals = schedule_->CountUntil(now_ns);
  counts_.arrivals = arrivals - arrivals_before_window_;
  counts_.backlog = std::max<int64_t>(0, arrivals - arrivals_taken_) +
                    static_cast<int64_t>(returned_.size());
}

void Worker::ContinueSetUp(int64_t now_ns) {
  for (int slot; (slot = ramp_->Next()) >= 0;) {
    connection(slot).in_set_up = true;
    Connect(slot, now_ns);
  }
  if (!ramp_->Done(now_ns)) return;
  connected_ = ramp_->ready();
  for (int slot = ramp_->opened(); slot < static_cast<int>(connections_.size());
       ++slot) {
    postponed_.push_back(slot);
  }
  ramp_.reset();
  control_->workers_ready.fetch_add(1, std::memory_order_release);
}

void Worker::Connect(int slot, int64_t now_ns) {
  Connection& connection = this->connection(slot);
  connection.state = Connection::State::kConnecting;
  connection.connecting_since_ns = now_ns;
  ++connection.attempts;
  connection.parser.Reset();
  engine_->Connect(slot);
}

// At once if the last connection was good for something, then after ever longer
// pauses.
void Worker::ConnectLater(int slot, int64_t now_ns) {
  const int attempts = connection(slot).attempts;
  int64_t pause_ns = 0;
  if (attempts > 1) {
    pause_ns =
        std::min(kMaxBackOff, kFirstBackOff << std::min(attempts - 2, 8));
  }
  reconnects_.emplace(now_ns + pause_ns, slot);
}

void Worker::ConnectDue(int64_t now_ns) {
  while (!reconnects_.empty() && reconnects_.top().first <= now_ns) {
    const int slot = reconnects_.top().second;
    reconnects_.pop();
    Connect(slot, now_ns);
  }
}

void Worker::Expire(int64_t now_ns) {
  next_expiry_ns_ = now_ns + std::clamp(timeout_ns_ / 20, kMinExpiryInterval,
                                        kMaxExpiryInterval);
  for (int slot = 0; slot < static_cast<int>(connections_.size()); ++slot) {
    const Connection& connection = connections_[static_cast<size_t>(slot)];
    if (connection.state == Connection::State::kConnecting) {
      if (now_ns - connection.connecting_since_ns > timeout_ns_) {
        engine_->Close(slot);
        OnClosed(slot, Cause::kConnect, ETIMEDOUT);
      }
    } else if (connection.in_flight() > 0 &&
               now_ns - connection.front().sent_ns > timeout_ns_) {
      Break(slot, &ErrorCounts::timeout,
            absl::StrCat("no response within ",
                         absl::FormatDuration(options_.timeout)));
    }
  }
}

void Worker::StartLoad(int64_t now_ns) {
  for (const int slot : std::exchange(postponed_, {})) {
    ConnectLater(slot, now_ns);
  }
  if (options_.open_loop()) {
    schedule_.emplace(control_->load_start_ns.load(std::memory_order_relaxed),
                      options_.rate_per_s, index_, options_.threads);
  }
  // Place by place, so that the open loop goes round the connections.
  for (int place = 0; place < options_.pipeline; ++place) {
    for (int slot = 0; slot < static_cast<int>(connections_.size()); ++slot) {
      const Connection& connection = this->connection(slot);
      if (connection.state != Connection::State::kOpen) continue;
      if (!schedule_) {
        Fill(slot, now_ns);
      } else if (place < connection.room()) {
        free_places_.push_back(slot);
      }
    }
  }
}

// Closed loop: as many requests as there is room for.
void Worker::Fill(int slot, int64_t now_ns) {
  Connection& connection = this->connection(slot);
  const int count = connection.room();
  if (count == 0) return;
  for (int i = 0; i < count; ++i) {
    connection.Push({.intended_ns = now_ns, .sent_ns = now_ns});
  }
  engine_->Send(slot, count);
}

// Open loop: what is due, as far as there are free places. Returns the time.
int64_t Worker::SendArrivals(int64_t now_ns) {
  while (!free_places_.empty()) {
    int64_t intended_ns;
    if (!returned_.empty()) {
      intended_ns = returned_.front();
      returned_.pop_front();
    } else if ((intended_ns = schedule_->next_ns()) <= now_ns) {
      schedule_->Advance();
      ++arrivals_taken_;
    } else {
      break;
    }
    const int slot = free_places_.front();
    free_places_.pop_front();
    SendOne(slot, {.intended_ns = intended_ns, .sent_ns = now_ns});
    now_ns = NowNanos();
  }
  return now_ns;
}

void Worker::SendOne(int slot, InFlight request) {
  connection(slot).Push(request);
  engine_->Send(slot, 1);
}

void Worker::OnConnected(int slot) {
  Connection& connection = this->connection(slot);
  connection.state = Connection::State::kOpen;
  const int64_t now_ns = NowNanos();
  if (connection.in_set_up) {
    SendOne(slot, {.intended_ns = now_ns, .sent_ns = now_ns});
  }
  if (phase_ == LoadPhase::kSetUp) return;
  if (schedule_) {
    free_places_.insert(free_places_.end(),
                        static_cast<size_t>(connection.room()), slot);
    SendArrivals(now_ns);
  } else {
    Fill(slot, now_ns);
  }
}

void Worker::OnReceived(int slot, absl::string_view bytes, int64_t now_ns) {
  Connection& connection = this->connection(slot);
  counts_.bytes_received += static_cast<int64_t>(bytes.size());
  while (!bytes.empty()) {
    if (connection.in_flight() == 0) {
      ++counts_.errors.status;
      NoteError("bytes that no request has asked for");
      return CloseInOrder(slot);
    }
    switch (connection.parser.Parse(bytes)) {
      case ResponseParser::Result::kIncomplete:
        break;
      case ResponseParser::Result::kMalformed:
        return Break(slot, &ErrorCounts::status, "not a valid response");
      case ResponseParser::Result::kComplete:
        Complete(connection, now_ns);
        if (schedule_) free_places_.push_back(slot);
        if (!connection.parser.keep_alive()) return CloseInOrder(slot);
        break;
    }
  }
  if (schedule_) {
    SendArrivals(now_ns);
  } else if (phase_ != LoadPhase::kSetUp) {
    Fill(slot, now_ns);
  }
}

void Worker::Complete(Connection& connection, int64_t now_ns) {
  const InFlight request = connection.Pop();
  const ResponseParser& response = connection.parser;
  connection.attempts = 0;
  if (connection.in_set_up) {
    connection.in_set_up = false;
    if (ramp_) ramp_->OnReady(now_ns);
  }
  if (response.status() < 200 || response.status() > 299) {
    ++counts_.errors.status;
    NoteError(absl::StrCat("status ", response.status()));
  } else if (!response.body_matches()) {
    ++counts_.errors.body;
    NoteError("a body that is not the expected one");
  } else {
    ++counts_.requests;
    counts_.latency.Record(now_ns - request.intended_ns);
    if (schedule_) counts_.service_time.Record(now_ns - request.sent_ns);
  }
}

void Worker::OnClosed(int slot, Cause cause, int error) {
  switch (cause) {
    case Cause::kConnect:
      ++counts_.errors.connect;
      NoteError(absl::StrCat("connect: ", strerror(error)));
      break;
    case Cause::kReceive:
      if (error == 0) {
        OnEndOfStream(slot);
      } else {
        Lose(slot, &ErrorCounts::read, strerror(error));
      }
      break;
    case Cause::kSend:
      Lose(slot, &ErrorCounts::write, strerror(error));
      break;
  }
  OnGone(slot);
}

void Worker::OnEndOfStream(int slot) {
  Connection& connection = this->connection(slot);
  if (connection.in_flight() == 0) return;  // A server may tire of waiting.
  if (connection.parser.ParseEndOfStream() ==
      ResponseParser::Result::kComplete) {
    Complete(connection, NowNanos());
    return ReturnUnanswered(slot);
  }
  if (connection.parser.in_response()) {
    connection.Pop();
    ++counts_.errors.cut_short;
    NoteError("closed within a response");
  }
  Lose(slot, &ErrorCounts::read, "closed without a response");
}

void Worker::Break(int slot, int64_t ErrorCounts::* kind,
                   absl::string_view what) {
  engine_->Close(slot);
  Lose(slot, kind, what);
  OnGone(slot);
}

void Worker::CloseInOrder(int slot) {
  engine_->Close(slot);
  ReturnUnanswered(slot);
  OnGone(slot);
}

// Counts what is in flight as errors.
void Worker::Lose(int slot, int64_t ErrorCounts::* kind,
                  absl::string_view what) {
  Connection& connection = this->connection(slot);
  if (connection.in_flight() == 0) return;
  NoteError(what);
  for (; connection.in_flight() > 0; connection.Pop()) {
    ++(counts_.errors.*kind);
  }
}

// The server has said that it answers no more on this connection, so what is in
// flight has been neither served nor failed. A closed loop asks anew anyway; an
// open loop owes these requests since they were due.
void Worker::ReturnUnanswered(int slot) {
  Connection& connection = this->connection(slot);
  while (connection.in_flight() > 0) {
    const InFlight request = connection.Pop();
    if (schedule_) returned_.push_back(request.intended_ns);
  }
}

// After every end of a connection.
void Worker::OnGone(int slot) {
  Connection& connection = this->connection(slot);
  const bool never_opened = connection.state == Connection::State::kConnecting;
  connection.state = Connection::State::kClosed;
  if (schedule_) std::erase(free_places_, slot);
  if (connection.in_set_up) {
    const bool again = never_opened && connection.attempts < kSetUpAttempts;
    if (!ramp_ || !again) {
      connection.in_set_up = false;
      if (ramp_) ramp_->OnGivenUp();
      if (phase_ == LoadPhase::kSetUp) return postponed_.push_back(slot);
    }
  }
  ConnectLater(slot, NowNanos());
}

void Worker::NoteError(absl::string_view what) {
  if (counts_.first_error.empty()) counts_.first_error = std::string(what);
}

}  // namespace netlab::lab
