// Bundles of messages: stored once, sent in their place, and merged when too much waits. Lanes: who waits for whom.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/crypto.h"
#include "outbox/backlogs.h"
#include "outbox/bundle.h"
#include "outbox/queue.h"
#include "outbox/stored.h"
#include "support/database.h"

using namespace tradepost;
using outbox::Outcome;

namespace {

using Texts = std::vector<std::string>;

struct Fixture {
    static constexpr std::int64_t most_parts = 100;
    test::MigratedDatabase database;
    db::Connection connection{database.config()}, other{database.config()};
    const core::Time now = std::chrono::floor<core::milliseconds>(std::chrono::system_clock::now());
    const core::Uuid ours = core::Uuid::v7(now);
    outbox::Queue queue{connection, core::Uuid::v7(now)}, rival{other, core::Uuid::v7(now)};

    static outbox::Part part(const core::Uuid& item, const std::string& payload) { return {item, payload}; }
    void send(Texts targets, std::vector<outbox::Part> parts) {
        outbox::send(
            connection, now,
            outbox::Bundle{.kind = "plain", .targets = std::move(targets), .parts = std::move(parts), .organisation_id = ours});
    }
    void send(const std::string& target, const std::string& payload, const std::string& kind = "plain") {
        outbox::send(connection, now, {.kind = kind, .target = target, .payload = payload, .organisation_id = ours});
    }
    void number() {
        while (outbox::number(connection)) {
        }
    }
    // Sends all that waits for the target; its payloads in order.
    Texts sent(const std::string& target) {
        number();
        queue.take(100, {}, {100});
        Texts all;
        while (const auto delivery = queue.next(target)) {
            BOOST_TEST(delivery->kind == "plain");
            all.push_back(delivery->payload);
            BOOST_TEST_REQUIRE(queue.finish(*delivery, Outcome::delivered("ok"), false));
        }
        queue.release(target);
        return all;
    }
    // More parts about these items than may wait.
    std::vector<outbox::Part> many(const std::vector<core::Uuid>& items, const std::string& payload) {
        std::vector<outbox::Part> parts;
        for (const auto& item : items) parts.push_back(part(item, payload));
        return parts;
    }
    std::vector<core::Uuid> ids(std::int64_t n) {
        std::vector<core::Uuid> all;
        while (n-- > 0) all.push_back(core::Uuid::v7(now));
        return all;
    }
    std::int64_t count(const std::string& from) { return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0); }
    std::string lane_of(const std::string& target) {
        return connection.query("SELECT lane FROM outbox_targets WHERE target = ?", {target}).at(0).text(0);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(outbox_bundles, Fixture)

BOOST_AUTO_TEST_CASE(a_bundle_is_stored_once_and_sent_in_its_place) {
    send("a", "1");
    send({"a", "b"}, {part(ours, "2"), part(ours, "{\n3}"), {{}, "4"}});
    send("a", "5");
    BOOST_TEST(count("outbox_bundles") == 1);
    BOOST_TEST(count("outbox_messages") == 4);
    BOOST_TEST(outbox::backlog(connection).waiting == 1 + 3 + 3 + 1);
    BOOST_TEST(sent("a") == (Texts{"1", "2", "{ 3}", "4", "5"}), boost::test_tools::per_element());
    BOOST_TEST(count("outbox_bundles") == 1);
    BOOST_TEST(sent("b") == (Texts{"2", "{ 3}", "4"}), boost::test_tools::per_element());
    for (const auto* table : {"outbox_bundles", "outbox_messages", "outbox_targets"}) BOOST_TEST(count(table) == 0);
}

BOOST_AUTO_TEST_CASE(only_the_holder_of_the_lease_unpacks) {
    send({"a"}, {part(ours, "1")});
    number();
    BOOST_TEST(queue.take(1, {}, {1}).size() == 1u);
    BOOST_TEST(!rival.next("a"));
    BOOST_TEST(count("outbox_bundles") == 1);
    const auto first = queue.next("a");
    BOOST_TEST_REQUIRE(first.has_value());
    BOOST_TEST(count("outbox_bundles") == 0);
    // A message that is sent again has the same id.
    connection.execute("UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
    BOOST_TEST(rival.take(1, {}, {1}).size() == 1u);
    BOOST_TEST((rival.next("a")->id == first->id));
}

BOOST_AUTO_TEST_CASE(a_message_of_a_bundle_has_the_age_of_the_bundle) {
    send({"a"}, {part(ours, "1")});
    number();
    connection.execute("UPDATE outbox_messages SET not_before = UTC_TIMESTAMP(3) - INTERVAL 2 HOUR");
    queue.take(1, {}, {1});
    BOOST_TEST((queue.next("a")->age >= std::chrono::hours(2)));
}

BOOST_AUTO_TEST_CASE(a_large_backlog_tells_the_newest_of_each_item) {
    const auto items = ids(most_parts / 2 + 1);
    auto first = many(items, "old"), second = many(items, "new");
    first.push_back(part(ours, "only once"));
    second.insert(second.begin(), part(items[0], "older than the last of its bundle"));
    send({"a", "b"}, first);
    send({"a", "b"}, second);
    send({"a"}, {part(ours, "not for b")});
    BOOST_TEST(outbox::Backlogs(connection, most_parts).merge() == 0u);  // without positions none is the later one
    number();
    BOOST_TEST(outbox::Backlogs(connection, most_parts).merge() == items.size() + 1);
    Texts expected{"only once"};
    expected.resize(1 + items.size(), "new");
    BOOST_TEST(sent("b") == expected, boost::test_tools::per_element());
    expected.push_back("not for b");
    BOOST_TEST(sent("a") == expected, boost::test_tools::per_element());
    BOOST_TEST(count("outbox_bundles") == 0);
}

BOOST_AUTO_TEST_CASE(a_small_backlog_stays) {
    for (int i = 0; i < 2; ++i) send({"a"}, {part(ours, std::to_string(i))});
    number();
    BOOST_TEST(outbox::Backlogs(connection, most_parts).merge() == 0u);
    BOOST_TEST(sent("a") == (Texts{"0", "1"}));
}

BOOST_AUTO_TEST_CASE(different_items_are_looked_at_again_when_there_are_more) {
    const auto items = ids(most_parts + 1);
    outbox::Backlogs backlogs(connection, most_parts);
    send({"a"}, many(items, "1"));
    number();
    BOOST_TEST(backlogs.merge() == 0u);
    send({"a"}, {part(items[0], "2")});
    number();
    BOOST_TEST(backlogs.merge() == 0u);
    send({"a"}, many({items.begin(), items.begin() + items.size() / 9}, "3"));
    number();
    BOOST_TEST(backlogs.merge() == 1 + items.size() / 9);
}

BOOST_AUTO_TEST_CASE(a_bundle_without_parts_is_gone) {
    send({"a", "b"}, {part(ours, R"({"email":"anna@example.org"})"), part(ours, R"({"id":")" + ours.to_string() + R"("})")});
    send({"a"}, {part(ours, R"({"email":"hanna@example.org"})"), part(ours, R"({"email":"Anna@example.org"})")});
    BOOST_TEST(outbox::drop_about(connection, json::Mentions({ours}, "anna@example.org")) == 3u);
    BOOST_TEST(count("outbox_bundles") == 1);
    BOOST_TEST(sent("a") == Texts{R"({"email":"hanna@example.org"})"});
    BOOST_TEST(sent("b").empty());
}

BOOST_AUTO_TEST_CASE(a_bundle_that_nobody_waits_for_is_pruned) {
    send({"a"}, {part(ours, "1")});
    send({"b"}, {part(ours, "1")});
    connection.execute("UPDATE outbox_bundles SET created_at = created_at - INTERVAL 2 HOUR");
    outbox::drop(connection, {.target = "a"});
    outbox::prune(connection);
    BOOST_TEST(count("outbox_bundles") == 1);
    BOOST_TEST(sent("b") == Texts{"1"});
}

BOOST_AUTO_TEST_CASE(a_lane_takes_its_own_targets) {
    const auto first_letter = [](std::string_view kind) { return std::string(kind.substr(0, 1)); };
    outbox::Queue own(connection, core::Uuid::v7(now), first_letter);
    send("1", "1", "letter");
    send("2", "2", "webhook");
    outbox::number(connection, first_letter);
    // By a release without lanes.
    send("3", "3", "letter");
    outbox::number(connection);
    BOOST_TEST(own.take(9, {}, {9}, "l").size() == 1u);
    BOOST_TEST(own.take(9, {}, {9}, "x").empty());
    BOOST_TEST(own.take(9, {}, {9}, "w").size() == 1u);
    BOOST_TEST(own.take(9, {}, {9}).size() == 1u);
    BOOST_TEST(own.finish(*own.next("3"), Outcome::retry("busy"), false));
    BOOST_TEST(lane_of("3") == "l");
    send("2", "4", "letter");
    outbox::number(connection, first_letter);
    BOOST_TEST(lane_of("2") == "l");
}

BOOST_AUTO_TEST_CASE(a_slow_organisation_gets_one_sender) {
    for (int i = 0; i < 5; ++i) send(std::to_string(i), "1");
    number();
    const outbox::Share share{.most = 3, .slow = {ours}};
    const auto taken = queue.take(9, {}, share);
    BOOST_TEST(taken.size() == 1u);
    BOOST_TEST(queue.take(9, taken, share).empty());
    BOOST_TEST(queue.take(9, taken, {.most = 3}).size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
