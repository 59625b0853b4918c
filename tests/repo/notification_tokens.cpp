// Tokens of devices: one row each, whoever registers them and however many at once.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <future>
#include <set>

#include "repo/enquiry_support.h"
#include "resources/notification_tokens/handlers.h"
#include "support/process.h"

using namespace tradepost;

BOOST_FIXTURE_TEST_SUITE(notification_tokens_rows, test::Enquirers)

BOOST_AUTO_TEST_CASE(parallel_calls_leave_one_row) {
    std::vector<std::future<void>> calls;
    for (int caller = 0; caller < 8; ++caller)
        calls.push_back(std::async(std::launch::async, [&, caller] {
            db::Connection own(database.config());
            notification_tokens::NotificationTokens tokens(own);
            for (int n = 0; n < 50; ++n)
                db::in_transaction(own, [&] {
                    tokens.put(caller % 2 ? member : sender,
                               {.token = "token " + std::to_string(n), .platform = "IOS", .device_name = {}}, start);
                });
        }));
    for (auto& call : calls) call.get();
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM notification_tokens").at(0).integer(0) == 50);
}

BOOST_AUTO_TEST_CASE(the_fifty_newest_of_a_user_stay) {
    notification_tokens::NotificationTokens tokens(connection);
    const auto put = [&](const core::Uuid& user, int n, core::Time now) {
        db::in_transaction(connection, [&] {
            tokens.put(user, {.token = "token " + std::to_string(n), .platform = "IOS", .device_name = {}}, now);
        });
    };
    const auto names = [&](const core::Uuid& user) {
        std::set<std::string> found;
        for (const auto& row : connection.query("SELECT token FROM notification_tokens WHERE user_id = ?", {user}))
            found.insert(row.text(0));
        return found;
    };
    put(member, 1000, start);
    for (int n = 0; n < 50; ++n) put(sender, n, start + core::milliseconds(n));
    BOOST_TEST(names(sender).size() == 50u);
    put(sender, 0, start + core::milliseconds(100));  // registered again: now the newest
    put(sender, 50, start - core::milliseconds(1));   // the one that was just registered stays whatever the clock says
    BOOST_TEST(names(sender).size() == 50u);
    BOOST_TEST(names(sender).contains("token 0"));
    BOOST_TEST(!names(sender).contains("token 1"));
    BOOST_TEST(names(sender).contains("token 50"));
    BOOST_TEST(names(member).size() == 1u);
}

BOOST_AUTO_TEST_CASE(two_registrations_at_once_leave_fifty) {
    const auto put = [&](db::Connection& with, int n) {
        notification_tokens::NotificationTokens(with).put(
            sender, {.token = "token " + std::to_string(n), .platform = "IOS", .device_name = {}}, start);
    };
    for (int n = 0; n < 49; ++n) db::in_transaction(connection, [&] { put(connection, n); });
    std::future<void> second;
    db::in_transaction(connection, [&] {
        put(connection, 49);
        second = std::async(std::launch::async, [&] {
            db::Connection other(database.config());
            db::in_transaction(other, [&] { put(other, 50); });
        });
        db::Connection watcher(database.config());
        BOOST_TEST(test::await([&] {
            return second.wait_for(std::chrono::seconds(0)) == std::future_status::ready ||
                   watcher.query(
                              "SELECT COUNT(*) FROM information_schema.processlist WHERE db = ? AND info LIKE "
                              "'SELECT id FROM users%FOR UPDATE'",
                              {database.config().name})
                           .at(0)
                           .integer(0) > 0;
        }));
    });
    second.get();
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM notification_tokens").at(0).integer(0) == 50);
}

BOOST_AUTO_TEST_SUITE_END()
