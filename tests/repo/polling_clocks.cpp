// Polls and writes by way of hosts whose clocks differ: none misses a row.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "ctl/import/import.h"
#include "identity/tokens/tokens.h"
#include "repo/application.h"
#include "repo/enquiry_support.h"

using namespace tradepost;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

struct Fixture : test::Enquirers {
    test::Quiet quiet;
    core::Config config;
    test::Unlimited limiter;
    // One of them was set right, or stepped back, after the poll.
    core::ManualClock ahead{start + 10min}, behind{start};
    std::string sender_token = identity::Tokens(connection).mint(sender, {}, behind).value().plain;
    std::string member_token = identity::Tokens(connection).mint(member, {}, behind).value().plain;

    Fixture() { config.database = database.config(); }

    http::Response call(const core::Clock& clock, const std::string& token, const std::string& method, const std::string& target,
                        const Json& body = {}) {
        App app(config, clock, limiter);
        http::Request request;
        request.method = method;
        request.target = "/api/v1/" + target;
        request.headers = {{"authorization", "Bearer " + token}, {"content-type", "application/json"}};
        if (!body.is_null()) request.body = body.dump();
        auto response = app.handle(request);
        BOOST_REQUIRE_MESSAGE(response.status < 300, method << " " << target << ": " << response.body);
        return response;
    }
    static Json data(const http::Response& response) { return Json::parse(response.body).at("data"); }

    // One that polls again and again from X-Next-Updated-Since.
    struct Poller {
        Fixture& fixture;
        std::string token, target, name;
        std::string since = "2020-01-01T00:00:00Z";

        std::set<std::string> poll(const core::Clock& clock) {
            // Deletions take the one, lists the other.
            const auto response = fixture.call(clock, token, "GET", target + "since=" + since + "&updatedSince=" + since);
            since = response.header("X-Next-Updated-Since").value();
            std::set<std::string> ids;
            const auto shown = data(response).at(name);
            for (const auto& item : shown) ids.insert(item.at("id"));
            return ids;
        }
    };
    Poller stock() { return {*this, member_token, "stock?", "stock"}; }
    Poller jobs() { return {*this, member_token, "jobs?organisationId=" + organisations[0].to_string() + "&", "jobs"}; }
    Poller deletions(const std::string& of) {
        return {*this, member_token, of + "/deletions?", "deletions", core::to_rfc3339(start)};
    }
    Poller received() { return {*this, member_token, "enquiries?", "enquiries"}; }
    Poller sent() { return {*this, sender_token, "enquiries?sent=true&", "enquiries"}; }

    std::string send(const core::Clock& clock, int to = 0) {
        return data(call(clock, sender_token, "POST", "enquiries",
                         {{"organisationId", organisations[std::size_t(to)].to_string()}, {"name", "S"}, {"message", "?"}}))
            .at("id");
    }
    std::string put(const core::Clock& clock, const std::string& reference, const std::string& title) {
        return data(call(clock, member_token, "PUT", "stock/by-reference/" + reference,
                         {{"organisationId", organisations[0].to_string()}, {"title", title}}))
            .at("id");
    }
    using Ids = std::set<std::string>;
    // After a poll by way of the other host: the item is in the next poll, wherever that goes.
    void check(Poller poller, const std::function<std::string()>& write) {
        poller.poll(ahead);
        auto elsewhere = poller;
        const Ids written{write()};
        BOOST_TEST((elsewhere.poll(behind) == written));
        ahead.advance(1s);
        BOOST_TEST((poller.poll(ahead) == written));
        BOOST_TEST((elsewhere.poll(ahead).size() <= 1u));  // nothing new: at most what has the time that it begins with
    }
    std::int64_t updates() { return std::stoll(connection.query("SHOW GLOBAL STATUS LIKE 'Com_update'").at(0).text(1)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(polling_clocks, Fixture)

BOOST_AUTO_TEST_CASE(stock_that_a_host_writes_whose_clock_is_behind) {
    const auto id = put(behind, "A", "Van");
    check(stock(), [&] { return put(behind, "A", "Car"); });
    check(stock(), [&] { return put(behind, "B", "Van"); });
    check(stock(), [&] { return data(call(behind, member_token, "PATCH", "stock/" + id, {{"make", "Fendt"}})).at("id"); });
    check(stock(), [&] {
        return data(call(behind, member_token, "POST", "stock",
                         {{"organisationId", organisations[0].to_string()}, {"reference", "C"}, {"title", "Van"}}))
            .at("id");
    });
    // Again and again, which adds up to more than the millisecond that a poll is ahead of.
    check(stock(), [&] {
        for (int n = 0; n < 5; ++n) put(behind, "A", "Car " + std::to_string(n));
        return id;
    });
}

BOOST_AUTO_TEST_CASE(jobs_that_a_host_writes_whose_clock_is_behind) {
    const auto organisation = organisations[0].to_string();
    const auto put_job = [&](const std::string& reference, const std::string& title) {
        return data(call(behind, member_token, "PUT", "jobs/by-reference/" + reference,
                         {{"organisationId", organisation}, {"title", title}}))
            .at("id");
    };
    check(jobs(), [&] { return put_job("A", "Driver"); });
    check(jobs(), [&] { return put_job("A", "Buyer"); });
    const auto slug = connection.query("SELECT slug FROM organisations WHERE id = ?", {organisations[0]}).at(0).text(0);
    check(jobs(), [&]() -> std::string {
        const std::string path = "/tmp/tradepost-clocks-" + std::to_string(getpid());
        std::ofstream(path) << R"({"organisation":")" << slug << R"(","reference":"I","title":"Clerk"})";
        ctl::Lines lines(path);
        ctl::import_jobs(connection, lines, behind);
        unlink(path.c_str());
        return connection.query("SELECT id FROM jobs WHERE reference = 'I'").at(0).uuid(0).to_string();
    });
}

BOOST_AUTO_TEST_CASE(what_a_host_deletes_whose_clock_is_behind) {
    connection.execute("UPDATE memberships SET role = 'ADMIN'");
    const auto remove = [&](const std::string& target) {
        return data(call(behind, member_token, "DELETE", target + "?organisationId=" + organisations[0].to_string(), nullptr))
            .at("id");
    };
    put(behind, "A", "Van");
    check(deletions("stock"), [&] { return remove("stock/by-reference/A"); });
    put(behind, "B", "Van");
    check(deletions("stock"), [&] { return remove("stock/by-reference/B"); });
    call(behind, member_token, "PUT", "jobs/by-reference/J",
         {{"organisationId", organisations[0].to_string()}, {"title", "Driver"}});
    check(deletions("jobs"), [&] { return remove("jobs/by-reference/J"); });
}

BOOST_AUTO_TEST_CASE(enquiries_that_a_host_writes_whose_clock_is_behind) {
    const auto id = send(behind);
    const auto change = [&](const std::string& note) {
        return data(call(behind, member_token, "PATCH", "enquiries/" + id, {{"note", note}})).at("id");
    };
    check(received(), [&] { return send(behind); });
    check(received(), [&] { return change("1"); });
    check(sent(), [&] { return send(behind); });
    check(sent(), [&] { return send(behind, 1); });
    check(sent(), [&] { return change("2"); });
    // By the recipient, who polled before: it is as new to the sender.
    received().poll(ahead);
    check(sent(), [&] { return change("3"); });
}

BOOST_AUTO_TEST_CASE(stock_that_an_import_writes_whose_clock_is_behind) {
    const std::string path = "/tmp/tradepost-clocks-" + std::to_string(getpid());
    const auto import = [&](const std::string& line) {
        std::ofstream(path) << line;
        ctl::Lines lines(path);
        ctl::import_stock(connection, lines, behind);
        unlink(path.c_str());
    };
    const auto slug = connection.query("SELECT slug FROM organisations WHERE id = ?", {organisations[0]}).at(0).text(0);
    const auto line = [&](const std::string& title) {
        return R"({"organisation":")" + slug + R"(","reference":"I","title":")" + title + "\"}";
    };
    check(stock(), [&]() -> std::string {
        import(line("Van"));
        return data(call(behind, member_token, "GET", "stock?reference=I")).at("stock").at(0).at("id");
    });
    check(stock(), [&]() -> std::string {
        import(line("Car"));
        return data(call(behind, member_token, "GET", "stock?reference=I")).at("stock").at(0).at("id");
    });
}

BOOST_AUTO_TEST_CASE(a_poll_that_knows_nothing_newer_writes_nothing) {
    stock().poll(ahead);
    sent().poll(ahead);
    const auto before = updates();
    stock().poll(ahead);
    received().poll(ahead);
    stock().poll(behind);
    sent().poll(ahead);
    sent().poll(behind);
    BOOST_TEST(updates() == before);
    ahead.advance(1ms);
    stock().poll(ahead);
    BOOST_TEST(updates() == before + 1);
}

// A row whose time no clock has shown does not take all later ones with it.
BOOST_AUTO_TEST_CASE(a_time_far_in_the_future_is_left_alone) {
    const auto id = put(behind, "A", "Van");
    connection.execute("UPDATE stock_items SET updated_at = '2099-01-01 00:00:00.000'");
    auto poller = stock();
    poller.poll(ahead);
    put(behind, "B", "Van");
    poller.poll(behind);
    BOOST_TEST(poller.since == core::to_rfc3339(start + 10min + 1ms));
}

BOOST_AUTO_TEST_SUITE_END()
