#include "outbox/backlogs.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "outbox/bundle.h"

namespace tradepost::outbox {
namespace {

// A bundle whose rows all have positions: others are too new to be in an order.
struct Waiting {
    core::Uuid id;
    std::int64_t first, last;  // positions of its rows
    std::set<std::string> targets;

    // Whether each target gets `later` after this one.
    bool is_before(const Waiting& later) const {
        return last < later.first && std::includes(later.targets.begin(), later.targets.end(), targets.begin(), targets.end());
    }
};

// The newest first.
std::vector<Waiting> waiting_of(db::Connection& connection, const core::Uuid& organisation) {
    std::map<core::Uuid, Waiting> found;
    std::set<core::Uuid> unnumbered;
    for (const auto& row : connection.query(
             "SELECT m.bundle_id, m.target, m.position FROM outbox_bundles b FORCE INDEX (outbox_bundles_backlog) JOIN "
             "outbox_messages m FORCE INDEX (outbox_messages_bundle) ON m.bundle_id = b.id WHERE b.organisation_id = ?",
             {organisation})) {
        const auto id = row.uuid(0);
        if (row.is_null(2)) {
            unnumbered.insert(id);
            continue;
        }
        const auto position = row.integer(2);
        auto& bundle = found.try_emplace(id, Waiting{id, position, position, {}}).first->second;
        bundle.first = std::min(bundle.first, position);
        bundle.last = std::max(bundle.last, position);
        bundle.targets.insert(row.text(1));
    }
    std::vector<Waiting> all;
    for (auto& [id, bundle] : found)
        if (!unnumbered.contains(id)) all.push_back(std::move(bundle));
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.last > b.last; });
    return all;
}

std::size_t merge_of(db::Connection& connection, const core::Uuid& organisation) {
    const auto bundles = waiting_of(connection, organisation);
    std::map<core::Uuid, const Waiting*> latest;  // by item
    std::size_t dropped = 0;
    for (const auto& bundle : bundles)
        dropped += db::in_transaction(connection, [&] {
            return filter(connection, bundle.id, [&](std::vector<Part> parts) {
                std::vector<Part> kept;
                std::set<core::Uuid> own;  // what is told further down in this bundle
                for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
                    if (part->item) {
                        const auto later = latest.find(*part->item);
                        if (later != latest.end() && bundle.is_before(*later->second)) continue;
                        if (!own.insert(*part->item).second) continue;
                    }
                    kept.push_back(std::move(*part));
                }
                for (const auto& item : own) latest.try_emplace(item, &bundle);
                std::reverse(kept.begin(), kept.end());
                return kept;
            });
        });
    return dropped;
}

}  // namespace

std::uint64_t Backlogs::merge() {
    std::map<core::Uuid, std::int64_t> settled;
    std::uint64_t dropped = 0;
    for (const auto& row : connection_.query(
             "SELECT organisation_id, CAST(SUM(parts) AS SIGNED) total FROM outbox_bundles FORCE INDEX (outbox_bundles_backlog) "
             "WHERE organisation_id IS NOT NULL GROUP BY organisation_id HAVING total > ? OR SUM(bytes) > ?",
             {std::int64_t(most_parts_), most_bytes})) {
        const auto organisation = row.uuid(0);
        const auto parts = row.integer(1);
        const auto before = settled_.find(organisation);
        // Different items are not fewer after another look.
        const bool grown = before == settled_.end() || parts > before->second + before->second / 10;
        const auto gone = grown ? std::int64_t(merge_of(connection_, organisation)) : 0;
        settled[organisation] = grown ? parts - gone : before->second;
        dropped += std::uint64_t(gone);
    }
    settled_ = std::move(settled);
    return dropped;
}

}  // namespace tradepost::outbox
