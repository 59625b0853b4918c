// Letters about enquiries: who gets them, what a daily one tells, and when.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>

#include "core/clock.h"
#include "db/bulk_insert.h"
#include "db/statement.h"
#include "deliver/enquiries.h"
#include "identity/instance_keys.h"
#include "identity/people/enquiry_mail.h"
#include "repo/enquiry_support.h"
#include "resources/enquiries/letters.h"

using namespace tradepost;
using identity::EnquiryMail;

namespace {

struct Fixture : test::Enquirers {
    identity::EnquiryMails mails{connection};
    core::Config config;
    core::Uuid organisation = organisations[0];

    Fixture() { config.http.base_url = "https://trade.example"; }

    // Enquiries by this name, noted for the member's next digest.
    core::Uuid noted(const std::string& name, core::Time time) {
        auto sent = enquiry(organisation, sender, time);
        sent.name = name;
        sent.email = "sam@buyer.example";
        db::in_transaction(connection, [&] {
            connection.execute(
                "INSERT INTO enquiries (id, organisation_id, type, from_user_id, name, email, message, status, created_at, "
                "updated_at) "
                "VALUES (?, ?, 'GENERAL', ?, ?, ?, '?', 'NEW', ?, ?)",
                {sent.id, organisation, sender, name, sent.email, time, time});
            mails.note(member, organisation, sent.id);
        });
        return sent.id;
    }

    std::string names(const std::optional<deliver::EnquiryLetter>& letter) {
        if (!letter) return "-";
        std::string all;
        for (const auto& each : letter->values.at("enquiries")) all += each.at("sender").get<std::string>() + " ";
        return all;
    }
    std::optional<deliver::EnquiryLetter> digest() { return deliver::digest_letter(connection, config, member, organisation); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(enquiry_letters, Fixture)

BOOST_AUTO_TEST_CASE(at_the_next_hour_of_the_day) {
    const auto next = [](const char* now, int hour) {
        return core::to_rfc3339(enquiries::next_digest(*core::parse_rfc3339(now), std::chrono::hours(hour)));
    };
    BOOST_TEST(next("2026-03-01T05:59:59.999Z", 6) == "2026-03-01T06:00:00.000Z");
    BOOST_TEST(next("2026-03-01T06:00:00.000Z", 6) == "2026-03-02T06:00:00.000Z");
    BOOST_TEST(next("2026-12-31T23:59:59.000Z", 0) == "2027-01-01T00:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(choices) {
    const auto readers = [&] {
        std::string all;
        for (const auto& each : mails.of_organisation(organisation)) all += std::string(identity::to_string(each.choice)) + " ";
        return all;
    };
    BOOST_TEST(readers() == "");
    BOOST_TEST((mails.of(member, organisation) == EnquiryMail::none));
    connection.execute("UPDATE memberships SET role = 'ADMIN'");
    BOOST_TEST(readers() == "AT_ONCE ");
    BOOST_TEST(mails.set(member, organisation, EnquiryMail::daily));
    BOOST_TEST(readers() == "DAILY ");
    BOOST_TEST((mails.of(member, organisations[1]) == EnquiryMail::at_once));
    BOOST_TEST(!mails.of(sender, organisation));
    BOOST_TEST(!mails.set(sender, organisation, EnquiryMail::daily));
    connection.execute("UPDATE users SET disabled_at = UTC_TIMESTAMP(3)");
    BOOST_TEST(readers() == "");
}

BOOST_AUTO_TEST_CASE(a_digest_tells_each_enquiry_once) {
    mails.set(member, organisation, EnquiryMail::daily);
    BOOST_TEST(names(digest()) == "-");
    noted("One", start);
    noted("Two", start + core::seconds(1));
    const auto first = digest();
    BOOST_TEST(names(first) == "One Two ");
    BOOST_TEST(first->values.at("count") == "2 new enquiries");
    BOOST_TEST(first->to.address == "member@example.com");
    BOOST_TEST(!first->reply_to);

    // It committed after the letter was written, with an earlier time.
    noted("Late", start - core::seconds(1));
    deliver::forget_digest(connection, member, organisation, first->told);
    const auto second = digest();
    BOOST_TEST(names(second) == "Late ");
    BOOST_TEST(second->values.at("count") == "1 new enquiry");
    // A letter that could not be sent is written again.
    BOOST_TEST(names(digest()) == "Late ");
    deliver::forget_digest(connection, member, organisation, second->told);
    BOOST_TEST(names(digest()) == "-");
}

// One that would be sent is tried again here, as there is no mail server.
BOOST_AUTO_TEST_CASE(after_five_letters_in_an_hour_a_digest_tells_the_others) {
    mails.set(member, organisation, EnquiryMail::at_once);
    const std::atomic<bool> stopped = false;
    deliver::Sending sending{config, connection, stopped};
    const auto is_sent = [&](core::Time time, const std::optional<core::Uuid>& from = {}) {
        const auto id = noted("N", time);
        if (from) connection.execute("UPDATE enquiries SET from_user_id = ? WHERE id = ?", {*from, id});
        connection.execute("DELETE FROM enquiry_digests WHERE enquiry_id = ?", {id});
        outbox::Delivery delivery{};
        delivery.payload = R"({"userId":")" + member.to_string() + R"(","enquiryId":")" + id.to_string() + R"("})";
        const auto outcome = deliver::send_enquiry(sending, delivery);
        if (outcome.kind == outbox::Outcome::Kind::retry) return true;
        BOOST_TEST(outcome.result == "told with others at the next full hour");
        deliver::send_enquiry(sending, delivery);  // once more, as after a crash
        return false;
    };
    is_sent(start, member);  // the member's own makes no letter to them
    for (int i = 0; i < 5; ++i) BOOST_TEST(is_sent(start + std::chrono::minutes(10 * i)));
    BOOST_TEST(!is_sent(start + std::chrono::minutes(50)));
    BOOST_TEST(!is_sent(start + std::chrono::minutes(59)));
    BOOST_TEST(names(digest()) == "N N ");
    const auto due = connection.query("SELECT not_before FROM outbox_messages WHERE kind = 'mail digest'");
    BOOST_TEST(due.size() == 2u);
    BOOST_TEST((due[0].time(0) == std::chrono::floor<std::chrono::hours>(due[0].time(0))));
    BOOST_TEST((due[0].time(0) > core::SystemClock().now() - std::chrono::hours(1)));
    // The first five are more than an hour ago.
    BOOST_TEST(is_sent(start + std::chrono::minutes(101)));
}

BOOST_AUTO_TEST_CASE(who_wants_none_is_not_told_later) {
    mails.set(member, organisation, EnquiryMail::daily);
    noted("Old", start);
    mails.set(member, organisation, EnquiryMail::none);
    mails.set(member, organisation, EnquiryMail::daily);
    BOOST_TEST(names(digest()) == "-");
    noted("New", start + core::seconds(1));
    BOOST_TEST(names(digest()) == "New ");
}

BOOST_AUTO_TEST_CASE(an_ended_membership_fails_no_enquiry) {
    connection.execute("DELETE FROM memberships WHERE user_id = ? AND organisation_id = ?", {member, organisation});
    noted("One", start);
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM enquiry_digests").at(0).integer(0) == 0);
}

BOOST_AUTO_TEST_CASE(a_digest_names_fifty) {
    mails.set(member, organisation, EnquiryMail::daily);
    for (int i = 0; i < 52; ++i) noted("N", start + core::seconds(i));
    const auto letter = digest();
    BOOST_TEST(letter->values.at("enquiries").size() == 50U);
    BOOST_TEST(letter->values.at("more") == "2");
    BOOST_TEST(letter->told.size() == 52U);
}

BOOST_AUTO_TEST_CASE(what_is_not_wanted_any_more_is_not_sent) {
    mails.set(member, organisation, EnquiryMail::at_once);
    const auto id = noted("One", start);
    const auto letter = [&] { return deliver::enquiry_letter(connection, config, member, id); };
    BOOST_TEST(letter()->reply_to->address == "sam@buyer.example");
    BOOST_TEST(letter()->values.at("link") == "https://trade.example/dashboard/o/first/enquiries/" + id.to_string());
    BOOST_TEST(!deliver::enquiry_letter(connection, config, sender, id));
    mails.set(member, organisation, EnquiryMail::none);
    BOOST_TEST(!letter());
    BOOST_TEST(names(digest()) == "-");
    mails.set(member, organisation, EnquiryMail::daily);
    BOOST_TEST(letter().has_value());
    connection.execute("UPDATE users SET disabled_at = UTC_TIMESTAMP(3)");
    BOOST_TEST(!letter());
    BOOST_TEST(names(digest()) == "-");
    connection.execute("UPDATE users SET disabled_at = NULL");
    connection.execute("UPDATE enquiries SET email = 'x@y.example>, <z@y.example'");
    BOOST_TEST(!letter()->reply_to);
    connection.execute("DELETE FROM enquiries");
    BOOST_TEST(!letter());
    noted("Two", start);
    connection.execute("DELETE FROM memberships");
    BOOST_TEST(names(digest()) == "-");
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM enquiry_digests").front().integer(0) == 0);
}

BOOST_AUTO_TEST_CASE(a_link_is_for_one_member_and_one_organisation) {
    const auto key = identity::InstanceKeys(connection).get(identity::unsubscribe_key, start);
    const auto token = identity::make_unsubscribe_token(key, {member, organisation});
    const auto of = identity::read_unsubscribe_token(key, token);
    BOOST_TEST((of->user_id == member && of->organisation_id == organisation));
    BOOST_TEST(token.size() == 86U);
    BOOST_TEST(!identity::read_unsubscribe_token(std::string(32, 'k'), token));
    for (std::size_t i = 0; i < token.size() - 1; ++i) {
        auto other = token;
        other[i] = other[i] == 'A' ? 'B' : 'A';
        BOOST_TEST(!identity::read_unsubscribe_token(key, other));
    }
    BOOST_TEST(!identity::read_unsubscribe_token(key, token + "A"));
    BOOST_TEST(!identity::read_unsubscribe_token(key, ""));
}

BOOST_AUTO_TEST_SUITE_END()
