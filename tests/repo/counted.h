// What the tests of counts share: a database with organisations and users, and pages held against SQL.
#pragma once
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "support/database.h"
#include "support/list_reader.h"
#include "support/recount.h"

namespace tradepost::test {

using namespace std::chrono_literals;
using core::Time;
using core::Uuid;

inline const Time now = *core::parse_rfc3339("2026-06-01T12:00:00Z");
inline const std::vector<std::int64_t> usual_offsets{0, 7, 30, 999, 1000, 1001, 1300, 1700, 2222, 2600};

struct CountedFixture {
    MigratedDatabase database;
    db::Connection connection;
    std::mt19937 random{5};
    std::vector<Uuid> organisations, users;
    int made = 0;

    CountedFixture() : connection(database.config()) {
        for (int i = 0; i < 3; ++i) {
            const auto name = "one-" + std::to_string(i);
            organisations.push_back(Uuid::v7(now));
            users.push_back(Uuid::v7(now));
            connection.execute(
                "INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES (?, ?, 'O', 1, ?, ?)",
                {organisations.back(), name, now, now});
            connection.execute(
                "INSERT INTO users (id, email, email_key, name, created_at, updated_at) VALUES (?, ?, ?, 'U', ?, ?)",
                {users.back(), name, name, now, now});
        }
    }

    int below(int n) { return int(random() % unsigned(n)); }
    std::string pick(std::initializer_list<const char*> texts) { return *(texts.begin() + below(int(texts.size()))); }
    // Many have one time, as an import's have; some are very old.
    Time any_time() { return below(4) == 0 ? now - 48h : below(30) == 0 ? Time(-1h * below(99)) : now - 1min * below(900000); }

    std::vector<Uuid> select(const std::string& sql) {
        std::vector<Uuid> ids;
        for (const auto& row : connection.query(sql)) ids.push_back(row.uuid(0));
        return ids;
    }
    std::uint64_t rows_read(const std::function<void()>& work) {
        const auto read = [&] {
            std::uint64_t sum = 0;
            for (const auto& row : connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) sum += std::stoull(row.text(1));
            return sum;
        };
        const auto before = read();
        work();
        return read() - before;
    }
    void counts_are_right() { BOOST_TEST(recount_all(connection) == 0u); }

    // Without counts the rows are counted, with the same result; afterwards they are there again.
    void same_without(const std::function<void()>& check) {
        check();
        connection.execute("DELETE FROM list_counts");
        check();
        BOOST_TEST(recount_all(connection) > 0u);
        check();
    }
};

// The selection's pages and total against all its ids in SQL.
inline void check_list(db::Connection& connection, const lists::Selection& selection, const std::vector<Uuid>& expected, Time at,
                       const std::vector<std::int64_t>& offsets = test::usual_offsets, std::int64_t limit = 6) {
    const auto name = selection.is_public() ? selection.key() : std::string(selection.list->collection);  // no bytes of ids
    const auto known = total(connection, selection, at);
    BOOST_TEST(known.rows == std::int64_t(expected.size()), name);
    for (const auto offset : offsets) {
        const auto first = std::clamp<std::int64_t>(offset, 0, known.rows), last = std::min(first + limit, known.rows);
        const std::vector<Uuid> slice(expected.begin() + first, expected.begin() + last);
        BOOST_CHECK_MESSAGE(ids(read(connection, selection, {first, limit}, at, &known)) == slice, name << " at " << first);
        const auto page = read(connection, selection, {first, limit}, at);
        BOOST_CHECK_MESSAGE(ids(page) == slice, name << " at " << first << " with the total");
        BOOST_TEST(page.total.rows == known.rows, name);
    }
}

inline std::string one_of(const Uuid& id) {
    return "UNHEX(REPLACE('" + id.to_string() + "', '-', ''))";
}

}  // namespace tradepost::test
