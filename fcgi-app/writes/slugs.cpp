#include "writes/slugs.h"

#include "core/crypto.h"
#include "core/slug.h"
#include "db/sql.h"

namespace tradepost::writes {

namespace {

// Whether another transaction is about to write the slug. Its rows are not visible yet, and a feed goes on for minutes.
bool is_being_taken(db::Connection& connection, std::string_view table, const std::string& slug) {
    const std::string name(table);
    try {
        connection.query("SELECT 1 FROM " + name + " FORCE INDEX (" + name + "_slug) WHERE slug = ? FOR UPDATE", {slug});
        return false;
    } catch (const db::Error& error) {
        if (!error.is_timeout()) throw;
        return true;
    }
}

}  // namespace

std::string unique_slug(db::Connection& connection, std::string_view table, const std::string& base) {
    return SlugMaker(connection, table).make(base);
}

std::string new_slug(WriteTransaction& transaction, std::string_view table, std::string_view title, std::string_view kind,
                     const core::Uuid& id) {
    auto& connection = transaction.connection();
    const auto base = core::slugify(title, kind, id.to_string());
    if (transaction.attempt() <= 2 && !transaction.has_waited()) {
        const auto slug = unique_slug(connection, table, base);
        // A transaction that waits longer begins again instead.
        if (!connection.limits_lock_waits() || !is_being_taken(connection, table, slug)) return slug;
    }
    return base + "-" + core::to_hex(core::random_bytes(4));
}

std::set<std::string> SlugMaker::taken_among(const std::vector<std::string>& slugs) {
    std::set<std::string> taken;
    if (slugs.empty()) return taken;
    const std::vector<db::Value> values(slugs.begin(), slugs.end());
    for (const auto& row :
         connection_.query("SELECT slug FROM " + table_ + " WHERE slug IN (" + db::placeholders(values.size()) + ")", values))
        taken.insert(row.text(0));
    return taken;
}

void SlugMaker::prepare(const std::vector<std::string>& bases) {
    std::vector<std::string> unknown;
    for (const auto& base : bases)
        if (!known_.contains(base)) unknown.push_back(base);
    const auto taken = taken_among(unknown);
    for (const auto& base : unknown) known_[base] = taken.contains(base);
}

std::string SlugMaker::make(const std::string& base) {
    int& n = last_[base];
    // More at a time with every round: a base that thousands have takes few rounds.
    for (int count = 1;; count = std::min(count * 8, 512)) {
        std::vector<std::string> candidates;
        for (int i = 1; i <= count; ++i) candidates.push_back(core::numbered_slug(base, n + i));
        const auto known = known_.find(candidates[0]);
        std::set<std::string> taken;
        if (count > 1 || known == known_.end())
            taken = taken_among(candidates);
        else if (known->second)
            taken.insert(candidates[0]);
        for (const auto& candidate : candidates) {
            ++n;
            if (!taken.contains(candidate) && reserved_.insert(candidate).second) return candidate;
        }
    }
}

}  // namespace tradepost::writes
