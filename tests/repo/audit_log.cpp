// The audit log: a row, a line and a count for each event, in the transaction of what it records.
#include "audit/record.h"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "repo/auth_support.h"
#include "support/database_proxy.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;
using audit::Event;

namespace {

struct Fixture : test::AuthFixture {
    audit::Acting acting{{.address = "192.0.2.7", .request_id = "r-1"}};

    // All rows, oldest first, as text.
    std::string rows() {
        std::string all;
        for (const auto& row : other.query(
                 "SELECT happened_at, event, actor, HEX(user_id), HEX(target_id), HEX(organisation_id), address, request_id, "
                 "detail, times FROM audit_log ORDER BY happened_at, event, id")) {
            for (std::size_t i = 0; i < row.columns(); ++i) all += (i ? "|" : "") + row.opt_text(i).value_or("NULL");
            all += "\n";
        }
        return all;
    }
    static std::string hex(const core::Uuid& id) {
        auto text = id.to_string();
        std::erase(text, '-');
        for (char& c : text) c = char(std::toupper(c));
        return text;
    }
    // Nothing can be recorded any more.
    void hide_table() { connection.execute("CREATE TEMPORARY TABLE audit_log (id INT PRIMARY KEY)"); }
    static std::uint64_t count(Event event) { return audit::totals()[std::size_t(event)]; }
};

constexpr const char* at_start = "2026-03-01 12:00:00.123";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(audit_log, Fixture)

BOOST_AUTO_TEST_CASE(each_event_has_a_row_a_line_and_a_count) {
    const auto user = core::Uuid::v7(clock.now()), target = core::Uuid::v7(clock.now()),
               organisation = core::Uuid::v7(clock.now());
    for (std::size_t i = 0; i < audit::event_names.size(); ++i) {
        const auto event = Event(i);
        const std::string name(audit::event_names[i]);
        const auto before = count(event);
        const auto line = test::errors_of([&] {
            audit::record(connection, clock.now(),
                          {.event = event, .user = user, .target = target, .organisation = organisation, .detail = "a b"});
        });
        BOOST_TEST(line == "level=info event=audit." + name + " actor=" + user.to_string() + " user=" + user.to_string() +
                               " target=" + target.to_string() + " organisation=" + organisation.to_string() +
                               " address=192.0.2.7 request=r-1 detail=\"a b\"\n");
        BOOST_TEST(rows() == std::string(at_start) + "|" + name + "|" + user.to_string() + "|" + hex(user) + "|" + hex(target) +
                                 "|" + hex(organisation) + "|192.0.2.7|r-1|a b|1\n");
        BOOST_TEST(count(event) == before + 1);
        other.execute("DELETE FROM audit_log");
    }
}

BOOST_AUTO_TEST_CASE(what_is_unknown_is_a_hyphen) {
    const audit::Acting unknown({});
    const auto line = test::errors_of([&] { audit::record(connection, clock.now(), {.event = Event::imported}); });
    BOOST_TEST(line == "level=info event=audit.imported actor=- user=- target=- organisation=- address=- request=- detail=-\n");
    BOOST_TEST(rows() == std::string(at_start) + "|imported|-|NULL|NULL|NULL|-|-|-|1\n");
}

BOOST_AUTO_TEST_CASE(it_is_in_the_transaction_of_what_it_records) {
    const auto before = count(Event::token_minted);
    const auto rolled_back = test::errors_of([&] {
        db::Transaction transaction(connection);
        audit::record(connection, clock.now(), {.event = Event::token_minted});
        BOOST_TEST(rows() == "");
    });
    BOOST_TEST(rolled_back == "");
    BOOST_TEST(rows() == "");
    BOOST_TEST(count(Event::token_minted) == before);

    // Nor does a line of a transaction that begins again.
    int runs = 0;
    std::string during;
    const auto repeated = test::errors_of([&] {
        db::in_transaction(connection, [&] {
            audit::record(connection, clock.now(), {.event = Event::token_minted, .detail = std::to_string(++runs)});
            if (runs == 1) connection.execute("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'made up'");
        });
    });
    BOOST_TEST(std::count(repeated.begin(), repeated.end(), '\n') == 1);
    BOOST_TEST(repeated.find(" detail=2\n") != std::string::npos);
    BOOST_TEST(rows() == std::string(at_start) + "|token_minted|-|NULL|NULL|NULL|192.0.2.7|r-1|2|1\n");
    BOOST_TEST(count(Event::token_minted) == before + 1);
}

BOOST_AUTO_TEST_CASE(who_acts) {
    const auto anna = core::Uuid::v7(clock.now()), ben = core::Uuid::v7(clock.now());
    std::vector<std::string> actors;
    const auto note = [&](std::optional<core::Uuid> whose) {
        test::errors_of([&] { audit::record(connection, clock.now(), {.event = Event::sign_in, .user = whose}); });
        actors.push_back(other.query("SELECT actor FROM audit_log").at(0).text(0));
        other.execute("DELETE FROM audit_log");
    };
    note(anna);  // who has just shown the password
    {
        const audit::Acting command({.actor = "ctl:root"});
        note(anna);
        test::Thread([&] { note({}); }).join();
        audit::Acting::set_actor(ben);
        note(anna);
    }
    note({});
    const std::vector<std::string> expected{anna.to_string(), "ctl:root", "-", ben.to_string(), "-"};
    BOOST_TEST(actors == expected, boost::test_tools::per_element());
}

// The row may be there: better a line too many.
BOOST_AUTO_TEST_CASE(a_commit_that_is_not_confirmed_has_a_line) {
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config());
    const auto line = test::errors_of([&] {
        BOOST_CHECK_THROW(db::in_transaction(proxied,
                                             [&] {
                                                 audit::record(proxied, clock.now(), {.event = Event::sign_out});
                                                 proxy.swallow_next_answer();
                                             }),
                          db::Unavailable);
    });
    BOOST_TEST(line.find("event=audit.sign_out ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_change_that_cannot_be_recorded_is_not_made) {
    const auto user = add_user("anna@example.org");
    hide_table();
    BOOST_CHECK_THROW(db::in_transaction(connection,
                                         [&] {
                                             users.disable(user.id, clock.now());
                                             audit::record(connection, clock.now(), {.event = Event::user_disabled});
                                         }),
                      db::Error);
    BOOST_TEST(!users.find(user.id)->disabled_at);
}

BOOST_AUTO_TEST_CASE(failures_of_an_hour_share_a_row) {
    const auto user = core::Uuid::v7(clock.now());
    const auto fail = [&](const char* address, std::optional<core::Uuid> whose, const char* email) {
        const audit::Acting client({.address = address, .request_id = "r-2"});
        audit::record_failure(connection, clock.now(), {.event = Event::sign_in_failed, .user = whose, .detail = email});
    };
    const auto before = count(Event::sign_in_failed);
    const auto lines = test::errors_of([&] {
        for (const auto* email : {"a@example.org", "b@example.org", "c@example.org"}) fail("192.0.2.7", {}, email);
        clock.advance(59min);
        fail("192.0.2.7", {}, "d@example.org");
        fail("192.0.2.7", user, "anna@example.org");
        fail("192.0.2.8", user, "anna@example.org");
        // Of one /64, which anybody may have the whole of.
        fail("2001:db8::1", {}, "e@example.org");
        fail("2001:db8::ffff:2", {}, "f@example.org");
        fail("2001:db8:0:1::1", {}, "g@example.org");
    });
    const std::string later = "2026-03-01 12:59:00.123|sign_in_failed|-|";
    auto found = rows();
    for (const auto& row : {later + "NULL|NULL|NULL|192.0.2.7|r-2|d@example.org|4\n",
                            later + hex(user) + "|NULL|NULL|192.0.2.7|r-2|anna@example.org|1\n",
                            later + hex(user) + "|NULL|NULL|192.0.2.8|r-2|anna@example.org|1\n",
                            later + "NULL|NULL|NULL|2001:db8::ffff:2|r-2|f@example.org|2\n",
                            later + "NULL|NULL|NULL|2001:db8:0:1::1|r-2|g@example.org|1\n"}) {
        const auto at = found.find(row);
        BOOST_TEST_REQUIRE(at != std::string::npos, row);
        found.erase(at, row.size());
    }
    BOOST_TEST(found == "");
    BOOST_TEST(
        other.query("SELECT COUNT(*) FROM audit_log WHERE times = 4 AND first_at = '2026-03-01 12:00:00.123'").at(0).integer(0) ==
        1);
    BOOST_TEST(std::count(lines.begin(), lines.end(), '\n') == 9);
    BOOST_TEST(count(Event::sign_in_failed) == before + 9);

    clock.advance(1min);
    test::errors_of([&] { fail("192.0.2.7", {}, "h@example.org"); });
    BOOST_TEST(other.query("SELECT COUNT(*) FROM audit_log").at(0).integer(0) == 6);
}

BOOST_AUTO_TEST_CASE(a_failure_that_cannot_be_recorded_is_logged) {
    hide_table();
    const auto lines = test::errors_of(
        [&] { audit::record_failure(connection, clock.now(), {.event = Event::sign_in_failed, .detail = "a@example.org"}); });
    BOOST_TEST(lines.find("level=info event=audit.sign_in_failed ") == 0u);
    BOOST_TEST(lines.find("level=warning event=audit_not_written request=r-1 error=") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_text_breaks_out_of_its_line_or_column) {
    std::string longest;
    for (int i = 0; i < 300; ++i) longest += "é";
    const auto lines = test::errors_of([&] {
        const audit::Acting client({longest, longest, longest});
        audit::record(connection, clock.now(),
                      {.event = Event::token_minted, .detail = "x\" actor=root\nlevel=info event=audit.forged \x1b[2J"});
        const audit::Acting other_client({"\xff", "", "r"});
        audit::record(connection, clock.now() + 1ms, {.event = Event::token_minted, .detail = longest});
    });
    BOOST_TEST(std::count(lines.begin(), lines.end(), '\n') == 2);
    BOOST_TEST(lines.find(R"( detail="x\" actor=root\nlevel=info event=audit.forged \x1b[2J")") != std::string::npos);
    const auto sizes = other.query(
        "SELECT CHAR_LENGTH(actor), CHAR_LENGTH(address), CHAR_LENGTH(request_id), CHAR_LENGTH(detail) FROM audit_log "
        "ORDER BY happened_at");
    BOOST_TEST(sizes.at(0).integer(0) == 80);
    BOOST_TEST(sizes.at(0).integer(1) == 45);
    BOOST_TEST(sizes.at(0).integer(2) == 128);
    BOOST_TEST(sizes.at(1).integer(3) == 254);
    BOOST_TEST(other.query("SELECT COUNT(*) FROM audit_log WHERE actor = '-' AND address = '-'").at(0).integer(0) == 1);
}

BOOST_AUTO_TEST_CASE(what_has_not_the_form_of_an_email_is_not_written) {
    BOOST_TEST(audit::loggable_email("Anna@Example.org") == "Anna@Example.org");
    for (const auto* typed : {"", "hunter2 correct horse", "anna", "p@ss word", "a@b@c.org"})
        BOOST_TEST(audit::loggable_email(typed) == "-", typed);
}

BOOST_AUTO_TEST_SUITE_END()
