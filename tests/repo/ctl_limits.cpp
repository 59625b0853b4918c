// tradepostctl and the limits of organisations: it shows them, may exceed them, says so, and prunes the audit log by them.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "audit/record.h"
#include "repo/ctl_support.h"
#include "writes/room.h"

using namespace tradepost;
using nlohmann::json;

namespace {

struct Fixture : test::CtlFixture {
    void set(const std::string& setting) { std::ofstream(config, std::ios::app) << "[limits]\n" << setting << "\n"; }

    json usage_of(const std::string& slug, const std::string& kind) {
        const auto shown = json::parse(ctl({"org", "show", "--org", slug, "--json"}).out);
        for (const auto& each : shown["usage"])
            if (each["kind"] == kind) return each;
        return {};
    }
    test::CtlResult import(const std::string& kind, const std::string& lines) {
        std::ofstream(path, std::ios::binary) << lines;
        return ctl({"import", kind, path});
    }
    core::Uuid id_of(const std::string& slug) { return identity::Organisations(connection).find_by_slug(slug).value().id; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ctl_limits, Fixture)

BOOST_AUTO_TEST_CASE(org_show_tells_what_an_organisation_has_and_may_have) {
    set("organisation_jobs = 5");
    BOOST_TEST(import("jobs", R"({"organisation": "north-tractors", "slug": "a", "title": "A"})").code == 0);
    const auto shown = json::parse(ctl({"org", "show", "--org", "north-tractors", "--json"}).out);
    BOOST_TEST(shown["slug"] == "north-tractors");
    BOOST_TEST(shown["published"] == true);
    BOOST_TEST(shown["members"].empty());
    BOOST_TEST(shown["usage"].size() == writes::limits().size());
    BOOST_TEST(usage_of("north-tractors", "JOBS") ==
               json({{"kind", "JOBS"}, {"used", 1}, {"limit", 5}, {"setting", "limits.organisation_jobs"}}));
    BOOST_TEST(usage_of("south-marine", "JOBS")["used"] == 0);

    const auto text = ctl({"org", "show", "--org", "north-tractors"}).out;
    BOOST_TEST(text.find("north-tractors") != std::string::npos);
    BOOST_TEST(text.find("\nJOBS               1     5           limits.organisation_jobs\n") != std::string::npos, text);
    fails(ctl({"org", "show", "--org", "nobody"}), 1, "nobody");
    fails(ctl({"org", "show"}), 2, "--org");
}

BOOST_AUTO_TEST_CASE(imports_may_exceed_a_limit_and_say_so) {
    set("organisation_jobs = 1\norganisation_stock = 1\norganisation_events = 1\norganisation_posts = 1");
    const auto line = [](const std::string& slug, const std::string& organisation) {
        return R"({"organisation": ")" + organisation + R"(", "slug": ")" + slug + R"(", "title": "T"})" + "\n";
    };
    const auto one = import("jobs", line("a", "north-tractors"));
    BOOST_TEST(one.code == 0);
    BOOST_TEST(one.error == "");
    const auto two = import("jobs", line("b", "north-tractors"));
    BOOST_TEST(two.code == 0);
    BOOST_TEST(two.out == "jobs: 1 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(
        two.error ==
        "tradepostctl: north-tractors has 2 jobs, more than its limit of 1: the API adds none until there are fewer; to allow "
        "them, raise limits.organisation_jobs\n");
    const auto others = import("jobs", line("c", "south-marine") + line("d", "south-marine"));
    BOOST_TEST(others.error.find("more than its limit of 1 (as has another organisation): the API") != std::string::npos,
               others.error);
    const auto items = import("stock", R"({"organisation": "hidden-vans", "reference": "1", "title": "T"})"
                                       "\n"
                                       R"({"organisation": "hidden-vans", "reference": "2", "title": "T"})");
    BOOST_TEST(items.error.find("hidden-vans has 2 stock items, more than its limit of 1") != std::string::npos, items.error);
    BOOST_TEST(import("posts", R"({"slug": "p", "title": "Of no organisation"})").error == "");
}

BOOST_AUTO_TEST_CASE(add_member_may_exceed_the_limit_and_says_so) {
    set("organisation_members = 1");
    const auto add = [&](const std::string& email) {
        ctl({"user", "add", "--email", email, "--name", "N", "--password-stdin"}, "correct horse battery staple\n");
        return ctl({"org", "add-member", "--org", "south-marine", "--email", email, "--role", "MEMBER"});
    };
    BOOST_TEST(ctl({"integration", "add", "--org", "south-marine", "--name", "Feed"}).code == 0);  // is no member
    BOOST_TEST(add("one@example.com").error == "");
    const auto second = add("two@example.com");
    BOOST_TEST(second.code == 0);
    BOOST_TEST(second.error.find("south-marine has 2 members, more than its limit of 1") != std::string::npos, second.error);
}

// The newest events stay, and one tells how many went. Another night removes nothing more.
BOOST_AUTO_TEST_CASE(prune_removes_the_oldest_events_beyond_the_limit) {
    set("organisation_audit_rows = 700");
    connection.execute("DELETE FROM audit_log");
    const auto ours = id_of("south-marine"), theirs = id_of("north-tractors");
    const auto now = core::SystemClock().now();
    for (int i = 0; i < 1500; ++i)
        audit::record(connection, now - core::seconds(2000 - i),
                      {.event = audit::Event::role_changed, .organisation = ours, .detail = std::to_string(i)});
    for (int i = 0; i < 700; ++i)
        audit::record(connection, now - core::seconds(9000), {.event = audit::Event::role_changed, .organisation = theirs});
    audit::record(connection, now - core::seconds(9000), {.event = audit::Event::sign_out});  // of no organisation

    const auto pruned = json::parse(ctl({"prune", "--json"}).out);
    BOOST_TEST(pruned["auditEvents"] == 801);
    BOOST_TEST(usage_of("south-marine", "AUDIT_EVENTS")["used"] == 700);
    BOOST_TEST(usage_of("north-tractors", "AUDIT_EVENTS")["used"] == 700);
    BOOST_TEST(count("audit_log WHERE organisation_id IS NULL") == 1);
    BOOST_TEST(count("audit_log WHERE event = 'role_changed' AND detail = '801'") == 1);
    BOOST_TEST(count("audit_log WHERE event = 'role_changed' AND detail = '800'") == 0);
    BOOST_TEST(count("audit_log WHERE event = 'audit_pruned' AND detail = 'the 801 oldest'") == 1);
    BOOST_TEST(json::parse(ctl({"prune", "--json"}).out)["auditEvents"] == 0);
}

BOOST_AUTO_TEST_SUITE_END()
