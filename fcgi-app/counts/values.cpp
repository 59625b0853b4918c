#include "counts/values.h"

#include <algorithm>
#include <vector>

#include "core/crypto.h"
#include "db/statement.h"

namespace tradepost::counts {
namespace {

constexpr std::size_t most_at_once = 500, most_known = 50'000;

// In the order of their ids, so that two who write at once wait for each other at most.
void write(db::Connection& connection, const std::string& values) {
    connection.execute("INSERT INTO facet_values (id, text) SELECT v.id, v.text FROM (" + values +
                       ") v LEFT JOIN facet_values f ON f.id = v.id WHERE f.id IS NULL OR f.text <> v.text "
                       "ON DUPLICATE KEY UPDATE text = IF(facet_values.text = VALUES(text), facet_values.text, NULL)");
}

}  // namespace

std::uint64_t value_id(std::string_view text) {
    const auto hash = core::sha256(text);
    std::uint64_t id = 0;
    for (const char byte : std::string_view(hash).substr(0, 8)) id = id << 8 | std::uint8_t(byte);
    return id >> 1;
}

void write_values(db::Connection& connection, const Values& values) {
    std::string selects;
    std::size_t count = 0;
    for (const auto& [id, text] : values) {
        selects += count % most_at_once == 0 ? "" : " UNION ALL ";
        selects += "SELECT " + std::to_string(id) + " AS id, " + db::literal(db::Binary{text}) + " AS text";
        if (++count % most_at_once != 0 && count < values.size()) continue;
        write(connection, selects);
        selects.clear();
    }
}

void Texts::learn(db::Connection& connection, std::span<const std::uint64_t> ids) {
    if (known_.size() > most_known) known_.clear();
    std::vector<std::uint64_t> unknown;
    for (const auto id : ids)
        if (!known_.contains(id)) unknown.push_back(id);
    for (std::span<const std::uint64_t> rest(unknown); !rest.empty();) {
        const auto some = rest.first(std::min(rest.size(), most_at_once));
        rest = rest.subspan(some.size());
        std::string list;
        for (const auto id : some) list.append(list.empty() ? "" : ", ").append(std::to_string(id));
        for (const auto& row :
             connection.query("SELECT id, text FROM facet_values FORCE INDEX (PRIMARY) WHERE id IN (" + list + ")"))
            known_.emplace(row.unsigned_integer(0), row.text(1));
    }
}

const std::string* Texts::find(std::uint64_t id) const {
    const auto at = known_.find(id);
    return at == known_.end() ? nullptr : &at->second;
}

}  // namespace tradepost::counts
