#include "scale/checks.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

namespace tradepost::test {
namespace {

// What a page of 20 needs whatever the size: its entries of an index, a table of their ids, twice, the rows and what belongs to
// them, and a few rows that say who asks and what is known of the collection.
constexpr std::int64_t constant = 200;
// The same where the small database has less than a page: to fill it, a page of two filters looks at 20 entries for each that it
// finds.
constexpr std::int64_t constant_of_short = 1000;
// A page that is not the first is walked to from where the counts say that it is near, or from the first when that is near.
constexpr std::int64_t constant_of_deep = 1500;
// However much the small database costs.
constexpr std::int64_t flat = 2500;
// Only tables of 20 ids are read in their own order.
constexpr std::int64_t most_scanned = 300;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) text.replace(at, what.size(), by);
    return text;
}

std::string organisation_id(SizedDatabase& database) {
    return database.connection().query("SELECT id FROM fixture_organisations WHERE n = 0").at(0).uuid(0).to_string();
}

}  // namespace

std::string filled(SizedDatabase& database, const std::string& query) {
    const auto soon = core::to_rfc3339(database.soon()), long_ago = core::to_rfc3339(database.long_ago());
    const auto item = database.connection().query("SELECT UNHEX(MD5('item 7'))").at(0).uuid(0).to_string();
    return replaced(
        replaced(replaced(replaced(query, "{soon}", soon), "{long ago}", long_ago), "{organisation}", organisation_id(database)),
        "{item}", item);
}

namespace {

std::vector<std::string> expected_ids(SizedDatabase& database, const Read& read, std::int64_t offset) {
    std::vector<std::string> ids;
    const auto sql = "SELECT t.id FROM " + read.from + " WHERE " + read.where + " ORDER BY " + read.order + " LIMIT 20 OFFSET " +
                     std::to_string(offset);
    for (const auto& row : database.connection().query(database.filled(sql))) ids.push_back(row.uuid(0).to_string());
    return ids;
}

Cost check_answer(SizedDatabase& database, const Read& read) {
    const auto total = database.count(read.from, read.where);
    const auto page = page_number(read, total);
    const auto query = filled(database, read.query);
    const auto measured = measure(database, read.path + "?" + joined(query, "page=" + std::to_string(page)), read.caller);
    BOOST_TEST_REQUIRE(measured.response.status == 200, measured.response.body);
    const auto data = nlohmann::json::parse(measured.response.body).at("data");
    BOOST_TEST(data.at("total").get<std::int64_t>() == total);
    std::vector<std::string> ids;
    for (const auto& item : data.at(read.path.substr(1))) ids.push_back(item.at("id"));
    const auto shown = std::clamp<std::int64_t>(total - (page - 1) * page_size, 0, page_size);
    BOOST_TEST(std::int64_t(ids.size()) == shown);
    // To sort a million rows in every test would take its time.
    if (&database == &*sizes().small || read.at == At::last)
        BOOST_TEST(ids == expected_ids(database, read, (page - 1) * page_size), boost::test_tools::per_element());
    return measured.cost;
}

}  // namespace

Sizes& sizes() {
    static Sizes both;
    return both;
}

std::int64_t page_number(const Read& read, std::int64_t total) {
    const auto pages = std::max<std::int64_t>(1, (total + page_size - 1) / page_size);
    switch (read.at) {
        case At::first:
            return 1;
        case At::middle:
            return std::max<std::int64_t>(1, pages / 2);
        case At::last:
            return pages;
        case At::past_the_end:
            return pages + 1;
    }
    return 1;
}

std::int64_t flat_bound(const Cost& small) {
    return std::min(2 * small.read + constant, flat);
}

std::vector<std::string> complaints(const std::string& name, const Cost& small, const Cost& large, std::int64_t more) {
    const auto most = flat_bound(small) + more;
    std::vector<std::string> found;
    if (large.read > most)
        found.push_back(name + ": " + std::to_string(small.read) + " rows read with " + std::to_string(sizes().small->jobs()) +
                        " jobs, " + std::to_string(large.read) + " with " + std::to_string(sizes().large->jobs()) + "; at most " +
                        std::to_string(most) + " wanted");
    // Of what may be looked at besides, a table of ids may be made too.
    if (large.scanned > most_scanned + more)
        found.push_back(name + ": " + std::to_string(large.scanned) + " rows scanned without an index");
    return found;
}

void check_cost(const std::string& name, const Cost& small, const Cost& large, std::int64_t more) {
    BOOST_TEST_MESSAGE(name << ": " << small.read << " rows read with " << sizes().small->jobs() << " jobs, " << large.read
                            << " with " << sizes().large->jobs() << " (" << large.scanned << " scanned)");
    for (const auto& complaint : complaints(name, small, large, more)) BOOST_ERROR(complaint);
}

void check_list(const Read& read) {
    const auto small = check_answer(*sizes().small, read), large = check_answer(*sizes().large, read);
    std::int64_t more = 0;
    if (sizes().small->count(read.from, read.where) < page_size) more = constant_of_short;
    if (read.at != At::first) more = constant_of_deep;
    if (!read.by_design.empty()) more += 6 * sizes().large->count(read.from, read.by_design);
    check_cost(read.name, small, large, more);
}

}  // namespace tradepost::test
