// What the tests of counts share: a database with organisations and users, and pages held against SQL.
#pragma once
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <thread>

#include "repo/recount.h"
#include "repo/search_engine.h"
#include "support/database.h"

namespace tradepost::test {

using namespace std::chrono_literals;
using core::Time;
using core::Uuid;

inline const Time now = *core::parse_rfc3339("2026-06-01T12:00:00Z");
inline const std::vector<std::int64_t> offsets{0, 7, 30, 999, 1000, 1001, 1300, 1700, 2222, 2600};

struct CountedFixture {
    TestDatabase database;
    db::Connection connection;
    repo::MysqlSearch search{connection, 1500ms};
    std::mt19937 random{5};
    std::vector<Uuid> organisations, users;
    int made = 0;

    CountedFixture() : connection((database.migrate(), database.config())) {
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
    void counts_are_right() { BOOST_TEST(repo::recount_totals(connection) == 0u); }

    // Without counts the rows are counted, with the same result; afterwards they are there again.
    void same_without(const std::function<void()>& check) {
        check();
        connection.execute("DELETE FROM list_counts");
        check();
        BOOST_TEST(repo::recount_totals(connection) > 0u);
        check();
    }
};

// `found` against the ids in SQL: those of a page.
template <class T>
void check_page(const std::vector<T>& found, const std::vector<Uuid>& expected, std::int64_t offset, std::int64_t limit) {
    const auto size = std::clamp<std::int64_t>(std::int64_t(expected.size()) - offset, 0, limit);
    BOOST_REQUIRE(std::int64_t(found.size()) == size);
    for (std::int64_t i = 0; i < size; ++i) BOOST_TEST((found[std::size_t(i)].id == expected[std::size_t(offset + i)]));
}

inline std::string one_of(const Uuid& id) {
    return "UNHEX(REPLACE('" + id.to_string() + "', '-', ''))";
}

}  // namespace tradepost::test
