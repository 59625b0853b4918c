// A database for the tests of the change log.
#pragma once
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "changes/log.h"
#include "changes/readers.h"
#include "support/database.h"

namespace tradepost::test {

struct ChangesFixture {
    MigratedDatabase database;
    db::Connection connection{database.config()}, other{database.config()};
    const core::Time now = std::chrono::floor<core::milliseconds>(std::chrono::system_clock::now());
    std::vector<core::Uuid> ids;  // of those that record() was given

    void record(db::Connection& own, std::string_view collection = "jobs") {
        ids.push_back(core::Uuid::v7(now));
        const changes::Changed changed{collection, ids.back(), {}, changes::Kind::written};
        changes::record(own, std::span(&changed, 1));
    }
    void add(int count, std::string_view collection = "jobs") {
        db::in_transaction(connection, [&] {
            for (int i = 0; i < count; ++i) record(connection, collection);
        });
    }
    // With positions, by position.
    std::vector<core::Uuid> read_ids(std::int64_t after = 0, std::string_view collection = "", int limit = 10000) {
        std::vector<core::Uuid> found;
        for (const auto& change : changes::read(connection, collection, after, limit)) found.push_back(change.id);
        return found;
    }
    std::int64_t count(const std::string& from) { return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0); }
    std::int64_t first_position() { return connection.query("SELECT COALESCE(MIN(position), 0) FROM changes").at(0).integer(0); }
};

}  // namespace tradepost::test
