// The locks of a feed that writes. A feed may write for minutes, so it does not hold its organisation's row, for which polls and all other
// writers of the organisation would wait. Other writers go on, except on the rows that the feed has written already.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "api/call.h"
#include "db/connection.h"
#include "limits/turns.h"
#include "writes/ownership.h"

namespace tradepost::feeds {

// Tells polls that a feed of `list` is about to be written: until it has ended they are complete up to now and no further. A transaction of
// its own, to be called before the one that writes. Waits for a feed of this organisation and list that another host writes. Throws 404
// when the caller is no member, and db::Error.
void announce_writing(const api::Call& call, const core::Uuid& organisation_id, std::string_view list);

struct Writing {
    writes::OwnOrganisation owner;  // as it was at the beginning
    core::Time now;                 // the `updatedAt` of what the feed changes: later than all polls until the feed ends
};

// Inside the transaction that writes, first: locks the feed's row. Throws as announce_writing().
Writing begin_writing(const api::Call& call, const core::Uuid& organisation_id, std::string_view list);

// At the end of the transaction: locks the organisation, shared, until the commit. Throws 404 when the caller is no member any more, and a
// db::Error with is_retryable() when the organisation has changed, or a poll went beyond `writing.now`, which one does that does not know
// of feeds.
void end_writing(const api::Call& call, const Writing& writing);

// No foreign keys are checked while this object lives. A check would lock the organisation's and the caller's rows as long as the feed
// writes. end_writing() checks that both are still there; items, and uploads that they show, are locked by the feed itself.
class WithoutForeignKeyChecks {
public:
    explicit WithoutForeignKeyChecks(db::Connection& connection);
    ~WithoutForeignKeyChecks();
    WithoutForeignKeyChecks(const WithoutForeignKeyChecks&) = delete;
    WithoutForeignKeyChecks& operator=(const WithoutForeignKeyChecks&) = delete;

private:
    db::Connection& connection_;
    const db::Held held_;
};

// Feeds of one organisation come one after the other.

// What a feed of the most lines may take. nginx waits a little longer (feed_bodies.conf).
constexpr std::chrono::minutes longest_run{5};

// Whether it asks for a feed, by its path as it was sent.
bool is_feed(const http::Request& request);

// The key of the organisation's turn, and how many of its feeds wait or are written at most.
constexpr int most_waiting = 4;
std::string turn_key(const core::Uuid& organisation_id);

// Throws 503 when the turn does not come in a few seconds.
limits::Turns::Place await_turn(const api::Call& call, const core::Uuid& organisation_id);

// The same for reading one.
limits::Turns::Place await_reading_turn(const api::Call& call, const core::Uuid& organisation_id);

}  // namespace tradepost::feeds
