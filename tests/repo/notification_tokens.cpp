// Tokens of devices: one row each, whoever registers them and however many at once.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <future>

#include "repo/enquiry_support.h"
#include "resources/notification_tokens/rows.h"

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

BOOST_AUTO_TEST_SUITE_END()
