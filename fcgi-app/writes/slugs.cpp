#include "writes/slugs.h"

#include "core/crypto.h"
#include "core/slug.h"
#include "db/sql.h"

namespace tradepost::writes {

std::string unique_slug(db::Connection& connection, std::string_view table, const std::string& base) {
    return SlugMaker(connection, table).make(base);
}

std::string new_slug(WriteTransaction& transaction, std::string_view table, std::string_view title, std::string_view kind) {
    const auto base = core::slugify(title, kind);
    if (transaction.attempt() > 2 || transaction.has_waited()) return base + "-" + core::to_hex(core::random_bytes(4));
    return unique_slug(transaction.connection(), table, base);
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
