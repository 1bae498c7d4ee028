// Copyright 2026 The netlab Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NETLAB_LAB_LOAD_WORKER_H_
#define NETLAB_LAB_LOAD_WORKER_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "netlab/lab/load/arrival_schedule.h"
#include "netlab/lab/load/connection.h"
#include "netlab/lab/load/connection_ramp.h"
#include "netlab/lab/load/engine.h"
#include "netlab/lab/load/expected_body.h"
#include "netlab/lab/load/load_options.h"
#include "netlab/lab/load/load_phase.h"
#include "netlab/lab/load/load_result.h"
#include "netlab/lab/load/response_parser.h"
#include "netlab/lab/load/url.h"

namespace netlab::lab {

// One thread's share of a load: its connections, its part of the schedule, its
// counts. What a response means for the load is decided here; how bytes move is
// the engine's business.
class Worker final : public Engine::Handler {
 public:
  // All referenced objects must outlive the worker. The options name an engine,
  // not kAuto. `expected_body` may be
  // null: bodies are not compared.
  Worker(const LoadOptions& options, const SocketAddress& server, int index,
         ExpectedBody* expected_body, LoadControl* control);

  // The thread's whole life: set-up to kDone. Fails only where nothing can be
  // measured at all; what the server does wrong is counted.
  absl::Status Run();

  // After Run().
  const LoadCounts& counts() const { return counts_; }

  // Connections that the set-up has proved. Any thread, once the worker has
  // added itself to `workers_ready`.
  int connected() const { return connected_; }

  // Good responses so far, for a progress line. Any thread.
  int64_t progress() const { return progress_.load(std::memory_order_relaxed); }

  void OnConnected(int slot) override;
  void OnReceived(int slot, absl::string_view bytes, int64_t now_ns) override;
  void OnClosed(int slot, Cause cause, int error) override;

 private:
  // When to connect which slot again; the soonest on top of the heap.
  using Reconnect = std::pair<int64_t, int>;

  Connection& connection(int slot) {
    return connections_[static_cast<size_t>(slot)];
  }

  absl::Status Init();
  absl::Status Turn();
  void EnterPhase(LoadPhase phase, int64_t now_ns);
  void ForgetCounts(int64_t now_ns);
  void EndWindow(int64_t now_ns);
  int64_t NextDeadline(int64_t now_ns) const;

  // Connections.
  void ContinueSetUp(int64_t now_ns);
  void Connect(int slot, int64_t now_ns);
  void ConnectLater(int slot, int64_t now_ns);
  void ConnectDue(int64_t now_ns);
  void Expire(int64_t now_ns);

  // Requests.
  void StartLoad(int64_t now_ns);
  void Fill(int slot, int64_t now_ns);
  int64_t SendArrivals(int64_t now_ns);
  void SendOne(int slot, InFlight request);
  void Complete(Connection& connection, int64_t now_ns);

  // Ends of connections. The first two close the slot, the others are told.
  void Break(int slot, int64_t ErrorCounts::* kind, absl::string_view what);
  void CloseInOrder(int slot);
  void OnEndOfStream(int slot);
  void Lose(int slot, int64_t ErrorCounts::* kind, absl::string_view what);
  void ReturnUnanswered(int slot);
  void OnGone(int slot);
  void NoteError(absl::string_view what);

  const LoadOptions& options_;
  const SocketAddress& server_;
  const int index_;
  ExpectedBody* const expected_body_;
  LoadControl* const control_;
  const int64_t timeout_ns_;

  std::unique_ptr<Engine> engine_;
  KnownHead known_head_;
  std::vector<Connection> connections_;
  LoadPhase phase_ = LoadPhase::kSetUp;
  std::optional<ConnectionRamp> ramp_;
  // What the set-up has given up or not come to; the load tries them again.
  std::vector<int> postponed_;
  std::priority_queue<Reconnect, std::vector<Reconnect>, std::greater<>>
      reconnects_;
  int64_t next_expiry_ns_ = 0;

  // Open loop: free places on open connections, oldest first, so that all
  // connections take part however low the rate.
  std::deque<int> free_places_;
  std::optional<ArrivalSchedule> schedule_;
  // Intended times of requests that a connection took with it when it closed
  // in order: they are due again.
  std::deque<int64_t> returned_;
  int64_t arrivals_taken_ = 0;
  int64_t arrivals_before_window_ = 0;

  int connected_ = 0;
  LoadCounts counts_;
  int64_t requests_before_window_ = 0;
  std::atomic<int64_t> progress_ = 0;
};

}  // namespace netlab::lab

#endif  // NETLAB_LAB_LOAD_WORKER_H_
