// Webhooks: what is told to whom in which order and in how many statements, and when they are switched off.
#define BOOST_TEST_DYN_LINK
#include "webhooks/webhooks.h"

#include <boost/test/unit_test.hpp>

#include "core/crypto.h"
#include "deliver/kinds.h"
#include "outbox/queue.h"
#include "outbox/stored.h"
#include "support/database.h"
#include "webhooks/announce.h"
#include "webhooks/deliveries.h"
#include "webhooks/signature.h"

using namespace tradepost;
using namespace tradepost::webhooks;
using outbox::Outcome;

namespace {

using Texts = std::vector<std::string>;

struct Fixture {
    test::MigratedDatabase database;
    db::Connection connection{database.config()}, other{database.config()}, watcher{database.config()};
    const core::Time now = core::parse_rfc3339("2026-03-01T12:00:00Z").value();
    const core::Uuid ours = core::Uuid::v7(now), theirs = core::Uuid::v7(now);
    outbox::Queue queue{connection, core::Uuid::from_bytes(core::random_bytes(16))};

    core::Uuid add(const core::Uuid& organisation, std::vector<std::string> events, bool active = true) {
        const Webhook webhook{.id = core::Uuid::v7(now),
                              .organisation_id = organisation,
                              .url = "https://a.example/",
                              .events = std::move(events),
                              .active = active,
                              .disabled_reason = {},
                              .failing_since = {},
                              .created_at = now,
                              .updated_at = now};
        Webhooks(connection).insert(webhook, new_secret());
        return webhook.id;
    }
    Happening happening(const core::Uuid& organisation, const std::string& data) {
        return {organisation, now, stock_changed, core::Uuid::v7(now), [data] { return data; }};
    }
    // The data of a target's messages in the order in which they are sent.
    Texts sent(const core::Uuid& webhook) {
        Texts all;
        while (outbox::number(connection)) {
        }
        const auto target = target_of(webhook);
        const auto held = queue.take(100, {}, {100});
        while (const auto delivery = queue.next(target)) {
            const auto& payload = delivery->payload;
            const auto begin = payload.find("\"data\":") + 7;
            all.push_back(payload.substr(begin, payload.size() - begin - 1));
            BOOST_TEST_REQUIRE(queue.finish(*delivery, Outcome::delivered("ok", 200), false));
        }
        for (const auto& each : held) queue.release(each.name);
        return all;
    }
    template <class Work>
    std::int64_t statements(Work work) {
        const auto count = [&] { return std::stoll(watcher.query("SHOW GLOBAL STATUS LIKE 'Questions'").at(0).text(1)); };
        const auto before = count();
        work();
        return count() - before - 1;
    }
    std::string text(const std::string& sql) { return connection.query(sql).at(0).text(0); }

    // What a deliverer does with one message that failed at last.
    void give_up(const core::Uuid& webhook, int status, const std::string& failing_for) {
        const auto* kind = deliver::find_kind("webhook");
        BOOST_TEST_REQUIRE(kind);
        outbox::send(connection, now, {.kind = "webhook", .target = target_of(webhook), .payload = R"({"type":"a"})"});
        outbox::send(connection, now, {.kind = "webhook", .target = target_of(webhook), .payload = R"({"type":"b"})"});
        outbox::number(connection);
        const auto held = queue.take(1, {}, {1});
        const auto delivery = queue.next(target_of(webhook));
        BOOST_TEST_REQUIRE(delivery.has_value());
        connection.execute("UPDATE webhooks SET failing_since = UTC_TIMESTAMP(3) - INTERVAL " + failing_for);
        BOOST_TEST(queue.finish(*delivery, Outcome::dead("no", status), true, [&] { kind->given_up(connection, *delivery); }));
        queue.release(target_of(webhook));
    }
    void add_user(const char* name, const core::Uuid& organisation, const char* role, bool disabled = false) {
        const auto id = core::Uuid::v7(now);
        connection.execute(
            "INSERT INTO users (id, email, email_key, name, created_at, updated_at, disabled_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            {id, name, db::Binary{name}, name, now, now, disabled ? db::Value(now) : db::Value(nullptr)});
        connection.execute("INSERT INTO memberships (user_id, organisation_id, role, created_at) VALUES (?, ?, ?, ?)",
                           {id, organisation, role, now});
    }
    void add_organisation() {
        connection.execute(
            "INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES (?, 'a', 'A', 1, ?, ?)",
            {ours, now, now});
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(webhooks_told, Fixture)

BOOST_AUTO_TEST_CASE(those_who_asked_are_told) {
    const auto one = add(ours, {"stock.changed"}), two = add(ours, {"job.changed", "stock.changed"});
    add(ours, {"job.changed"});
    add(ours, {"stock.changed"}, false);
    const auto foreign = add(theirs, {"stock.changed"});
    announce(connection, stock_changed, std::vector{happening(ours, "1"), happening(theirs, "2"), happening(ours, "3")});
    BOOST_TEST(sent(one) == (Texts{"1", "3"}));
    BOOST_TEST(sent(two) == (Texts{"1", "3"}));
    BOOST_TEST(sent(foreign) == Texts{"2"});
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM outbox_messages").at(0).integer(0) == 0);
}

BOOST_AUTO_TEST_CASE(it_exists_when_the_transaction_commits) {
    const auto webhook = add(ours, {"stock.changed"});
    {
        db::Transaction transaction(connection);
        announce(connection, stock_changed, happening(ours, "1"));
    }
    BOOST_TEST(sent(webhook).empty());
}

// Of two that are committed before either is numbered, and of many in one transaction.
BOOST_AUTO_TEST_CASE(the_order_is_that_of_the_happenings) {
    const auto webhook = add(ours, {"stock.changed"});
    std::vector<Happening> many;
    Texts expected{"\"first\""};
    for (int i = 0; i < 450; ++i) {
        many.push_back(happening(ours, std::to_string(i)));
        expected.push_back(std::to_string(i));
    }
    announce(other, stock_changed, happening(ours, "\"first\""));
    db::Transaction transaction(connection);
    announce(connection, stock_changed, many);
    transaction.commit();
    BOOST_TEST(sent(webhook) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(many_happenings_take_few_statements) {
    std::vector<Happening> many;
    int rendered = 0;
    connection.query("SELECT 1");  // connected
    for (int i = 0; i < 1000; ++i)
        many.push_back({ours, now, stock_changed, core::Uuid::v7(now), [&] { return ++rendered, std::string("0"); }});
    BOOST_TEST(statements([&] { announce(connection, stock_changed, many); }) == 1);
    BOOST_TEST(rendered == 0);
    add(ours, {"stock.changed"});
    add(ours, {"stock.changed"});
    // The bundle, and a row for each webhook.
    BOOST_TEST(statements([&] { announce(connection, stock_changed, many); }) == 1 + 2);
    BOOST_TEST(rendered == 1000);
}

BOOST_AUTO_TEST_CASE(what_is_gone_is_switched_off) {
    add_organisation();
    add_user("admin", ours, "ADMIN");
    add_user("second", ours, "ADMIN");
    add_user("member", ours, "MEMBER");
    add_user("disabled", ours, "ADMIN", true);
    const auto webhook = add(ours, {"stock.changed"});
    give_up(webhook, 410, "1 SECOND");
    BOOST_TEST(text("SELECT CONCAT(active, disabled_reason) FROM webhooks") == "0GONE");
    // Its log keeps what failed; what waited is dropped.
    BOOST_TEST(text("SELECT GROUP_CONCAT(state, ' ', status) FROM outbox_messages WHERE kind = 'webhook'") == "dead 410");
    BOOST_TEST(
        text("SELECT GROUP_CONCAT(u.name ORDER BY u.name) FROM outbox_messages m JOIN users u ON m.target = CONCAT('mail ', "
             "LOWER(CONCAT_WS('-', SUBSTR(HEX(u.id), 1, 8), SUBSTR(HEX(u.id), 9, 4), SUBSTR(HEX(u.id), 13, 4), "
             "SUBSTR(HEX(u.id), 17, 4), SUBSTR(HEX(u.id), 21)))) WHERE m.kind = 'mail webhook'") == "admin,second");
    BOOST_TEST(text("SELECT GROUP_CONCAT(event, detail) FROM audit_log WHERE event LIKE 'webhook%'") == "webhook_disabledGONE");
}

BOOST_AUTO_TEST_CASE(what_failed_for_three_days_is_switched_off) {
    const auto webhook = add(ours, {"stock.changed"});
    give_up(webhook, 500, "71 HOUR");
    BOOST_TEST(text("SELECT CONCAT(active, disabled_reason) FROM webhooks") == "0FAILING");
}

// A message that waited long behind others may die at its first failure.
BOOST_AUTO_TEST_CASE(what_failed_for_less_stays_on) {
    const auto webhook = add(ours, {"stock.changed"});
    give_up(webhook, 500, "60 HOUR");
    BOOST_TEST(text("SELECT CONCAT(active, COALESCE(disabled_reason, '-')) FROM webhooks") == "1-");
    BOOST_TEST(text("SELECT GROUP_CONCAT(state ORDER BY id) FROM outbox_messages") == "dead,waiting");
}

BOOST_AUTO_TEST_CASE(thirty_deliveries_of_each_end_are_kept) {
    const auto webhook = add(ours, {"stock.changed"}), another = add(ours, {"stock.changed"});
    for (const auto& id : {webhook, another})
        for (const auto* state : {"delivered", "dead", "waiting"})
            for (int i = 1; i <= 33; ++i)
                connection.execute(
                    "INSERT INTO outbox_messages (id, kind, target, position, payload, state, created_at, not_before, "
                    "attempted_at) "
                    "VALUES (?, 'webhook', ?, ?, '{\"type\":\"a\"}', ?, ?, ?, ?)",
                    {core::Uuid::v7(now), target_of(id), i, state, now, now, now + std::chrono::minutes(i)});
    Deliveries(connection, webhook).trim();
    BOOST_TEST(
        text("SELECT GROUP_CONCAT(state, ' ', n, ' ', first ORDER BY state SEPARATOR ', ') FROM (SELECT state, COUNT(*) n, "
             "MIN(position) first FROM outbox_messages WHERE target = '" +
             target_of(webhook) + "' GROUP BY state) s") == "dead 30 4, delivered 30 4, waiting 33 1");
    BOOST_TEST(text("SELECT CONCAT(COUNT(*), '') FROM outbox_messages WHERE target = '" + target_of(another) + "'") == "99");
    const auto latest = Deliveries(connection, webhook).latest();
    BOOST_TEST(latest.size() == 30u);
    BOOST_TEST((latest.front().attempted_at == now + std::chrono::minutes(33)));
}

BOOST_AUTO_TEST_CASE(an_old_secret_signs_until_its_end) {
    const auto webhook = add(ours, {"stock.changed"});
    const auto real_now = connection.query("SELECT UTC_TIMESTAMP(3)").at(0).time(0);
    const auto first = Webhooks(connection).destination(webhook)->secrets;
    const auto second = new_secret();
    Webhooks(connection).rotate(webhook, second, real_now - std::chrono::hours(23));
    BOOST_TEST((Webhooks(connection).destination(webhook)->secrets == Texts{second, first[0]}));
    connection.execute(
        "UPDATE webhook_secrets SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE expires_at IS NOT NULL");
    BOOST_TEST((Webhooks(connection).destination(webhook)->secrets == Texts{second}));
}

BOOST_AUTO_TEST_SUITE_END()
