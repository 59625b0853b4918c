// The processes of a stack have few connections to the database together, and give them back (API rules, "Database failures").
#include <atomic>
#include <filesystem>

#include "db/connection.h"
#include "e2e/checks.h"
#include "support/dealer.h"
#include "support/pictures.h"
#include "support/started_stack.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Those of the stack's processes.
class Sessions {
public:
    explicit Sessions(const Stack& stack) : connection_(stack.config().database) {}
    std::int64_t count() {
        return connection_
            .query("SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")
            .at(0)
            .integer(0);
    }

private:
    db::Connection connection_;
};

std::string folder(const std::string& name) {
    return std::filesystem::path(stack().state()).parent_path().string() + "/e2e-" + name;
}

// Sends a request to each pool. Returns how many of them returned 200.
int use_all_pools(const Stack& stack, const Dealer& dealer, const std::string& name) {
    Client client(stack.site());
    int served = client.get("/api/v1/me", {{"Authorization", "Bearer " + dealer.token}}).status == 200;
    const auto signed_in = post_until_served(client, "/api/v1/auth", sign_in_body(dealer.user));
    served += signed_in.status == 200;
    if (signed_in.status == 200) remember_secret(signed_in.json()["data"]["token"]);
    served += put_bytes(stack, ticket_for(stack, dealer, pdf(name), "application/pdf"), pdf(name)).status == 200;
    return served;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(connections, *boost::unit_test::label("slow"))

BOOST_AUTO_TEST_CASE(an_idle_instance_has_three_at_most) {
    StartedStack started(folder("idle"), "");
    const auto& idle = started.get();
    BOOST_TEST(use_all_pools(idle, add_dealer(idle), "Idle") == 3);
    Sessions sessions(idle);
    BOOST_TEST(await([&] { return sessions.count() <= 3; }, std::chrono::seconds(60)), sessions.count());
    started.stop();
}

BOOST_AUTO_TEST_CASE(many_clients_of_all_pools_share_five) {
    StartedStack started(folder("connections"),
                         "database.max_connections = 5\nrate_limits.auth = \"1000000/1m\"\nrate_limits.auth_address = \"0\"\n"
                         "rate_limits.write = \"1000000/1m\"\nrate_limits.public = \"1000000/1m\"");
    const auto& few = started.get();
    const auto dealer = add_dealer(few);
    Sessions sessions(few);
    std::atomic<bool> ended{false};
    std::int64_t most = 0;
    Thread watch(
        [&] {
            while (!ended) most = std::max(most, sessions.count());
        },
        [&] { ended = true; });
    std::atomic<int> served = 0;
    in_parallel(32, [&](std::size_t i) {
        if (i < 2) {
            served += use_all_pools(few, dealer, "File" + std::to_string(i));
            return;
        }
        Client client(few.site());
        for (int n = 0; n < 20; ++n)
            served += client.get("/api/v1/me", {{"Authorization", "Bearer " + dealer.token}}).status == 200;
    });
    ended = true;
    watch.join();
    BOOST_TEST(served == 2 * 3 + 30 * 20);
    // The server may still show some that were just closed.
    BOOST_TEST(most >= 2);
    BOOST_TEST(most <= 8);
    started.stop();
}

BOOST_AUTO_TEST_SUITE_END()
