#include "support/change_watch.h"

namespace tradepost::test {
namespace {

// What a collection's rows are made of: each statement gives an id, then anything.
const std::pair<const char*, const char*> parts[] = {
    {"jobs", "SELECT t.id, t.organisation_id, t.* FROM jobs t"},
    {"events", "SELECT t.id, t.organisation_id, t.* FROM events t"},
    {"posts", "SELECT t.id, t.organisation_id, t.* FROM posts t"},
    {"posts",
     "SELECT g.post_id, t.organisation_id, g.* FROM post_tags g JOIN posts t ON t.id = g.post_id ORDER BY g.post_id, g.tag_key"},
    {"stock", "SELECT t.id, t.organisation_id, t.* FROM stock_items t"},
    {"stock",
     "SELECT i.stock_id, t.organisation_id, i.* FROM stock_images i JOIN stock_items t ON t.id = i.stock_id ORDER BY i.stock_id, "
     "i.position"},
    {"stock",
     "SELECT d.stock_id, t.organisation_id, d.* FROM stock_documents d JOIN stock_items t ON t.id = d.stock_id ORDER BY "
     "d.stock_id, d.position"},
    {"enquiries", "SELECT t.id, t.organisation_id, t.* FROM enquiries t"},
    // They are found by it.
    {"jobs", "SELECT t.id, t.organisation_id, o.name FROM jobs t JOIN organisations o ON o.id = t.organisation_id"},
    {"events", "SELECT t.id, t.organisation_id, o.name FROM events t JOIN organisations o ON o.id = t.organisation_id"},
    {"posts", "SELECT t.id, t.organisation_id, o.name FROM posts t JOIN organisations o ON o.id = t.organisation_id"},
};

}  // namespace

ChangeWatch::Rows ChangeWatch::read() {
    Rows rows;
    for (const auto& [collection, sql] : parts)
        for (const auto& row : connection_.query(sql)) {
            auto& [organisation, content] = rows[{collection, row.uuid(0)}];
            organisation = row.opt_text(1).value_or("");
            for (std::size_t i = 2; i < row.columns(); ++i) content.append(row.opt_text(i).value_or("NULL")).append("\n");
        }
    return rows;
}

void ChangeWatch::start() {
    before_ = read();
    last_ = connection_.query("SELECT COALESCE(MAX(id), 0) FROM changes").at(0).unsigned_integer(0);
}

std::vector<std::string> ChangeWatch::faults() {
    auto after = read();
    std::map<std::pair<std::string, core::Uuid>, std::pair<std::string, std::string>> recorded;
    recorded_ = 0;
    for (const auto& row : connection_.query(
             "SELECT collection, row_id, organisation_id, kind, id FROM changes WHERE id > ? ORDER BY id", {last_})) {
        recorded[{row.text(0), row.uuid(1)}] = {row.opt_text(2).value_or(""), row.text(3)};
        last_ = row.unsigned_integer(4);
        ++recorded_;
    }
    std::vector<std::string> faults;
    const auto expect = [&](const auto& key, const Row& row, const char* kind) {
        const auto found = recorded.find(key);
        const auto name = key.first + " " + key.second.to_string();
        if (found == recorded.end())
            faults.push_back("change log: " + name + " was " + kind + ", which is not recorded");
        else if (found->second != std::pair<std::string, std::string>{row.organisation, kind})
            faults.push_back("change log: " + name + " was " + kind + ", and recorded as " + found->second.second +
                             ", or for another organisation");
    };
    for (const auto& [key, row] : before_)
        if (!after.contains(key)) expect(key, row, "removed");
    for (const auto& [key, row] : after) {
        const auto found = before_.find(key);
        if (recorded.contains(key) || found == before_.end() || found->second != row) expect(key, row, "written");
    }
    for (const auto& [key, record] : recorded)
        if (!before_.contains(key) && !after.contains(key) && record.second != "removed")
            faults.push_back("change log: there is no " + key.first + " " + key.second.to_string() + ", which was recorded");
    before_ = std::move(after);
    return faults;
}

}  // namespace tradepost::test
