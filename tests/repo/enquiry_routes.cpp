// Routes of enquiries while somebody else holds what they need.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "app.h"
#include "identity/tokens/tokens.h"
#include "repo/enquiry_support.h"
#include "support/quiet.h"

using namespace tradepost;

namespace {

class SharedClock final : public core::Clock {
public:
    explicit SharedClock(core::Time start) : now_(start) {}
    core::Time now() const override { return now_; }
    void advance(core::milliseconds by) { now_ = now_.load() + by; }

private:
    std::atomic<core::Time> now_;
};

struct NoLimits final : limits::Limiter {
    limits::Verdict count(std::string_view, std::string_view, core::Rate, limits::Use) noexcept override {
        return {true, 1, 1, 1};
    }
};

struct Fixture : test::Enquirers {
    test::Quiet quiet;
    SharedClock clock{start};
    core::Config config;
    NoLimits limiter;
    db::Connection holder{database.config()}, watch{database.config()};
    std::string sender_token = identity::Tokens(connection).mint(sender, {}, clock).value().plain;
    std::string member_token = identity::Tokens(connection).mint(member, {}, clock).value().plain;

    Fixture() { config.database = database.config(); }

    nlohmann::json call(App& app, const std::string& token, const std::string& method, const std::string& target,
                        const std::string& body = {}) {
        http::Request request;
        request.method = method;
        request.target = "/api/v1/enquiries" + target;
        request.headers = {{"authorization", "Bearer " + token}, {"content-type", "application/json"}};
        request.body = body;
        return nlohmann::json::parse(app.handle(request).body);
    }

    std::string send() {
        App app(config, clock, limiter);
        return call(app, sender_token, "POST", "",
                    R"({"organisationId":")" + organisations[0].to_string() + R"(","name":"S","message":"?"})")
            .at("data")
            .at("id");
    }

    std::int64_t waiting() {
        return std::stoll(watch.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'").at(0).text(1));
    }

    // What `route` answers when the clock moves on by a second while it waits for the organisation.
    template <class Route>
    auto held_up(Route route) {
        db::Transaction transaction(holder);
        holder.query("SELECT 1 FROM organisations WHERE id = ? FOR UPDATE", {organisations[0]});
        auto answer = std::async(std::launch::async, route);
        const auto ended = [&] { return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
        while (!ended() && waiting() == 0) std::this_thread::yield();
        BOOST_TEST(!ended());
        clock.advance(core::seconds(1));
        transaction.commit();
        return answer.get();
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(enquiry_routes, Fixture)

BOOST_AUTO_TEST_CASE(times_are_taken_when_the_organisation_is_held) {
    const auto id = held_up([&] { return send(); });
    App app(config, clock, limiter);
    const auto sent = call(app, member_token, "GET", "/" + id).at("data");
    BOOST_TEST(sent.at("createdAt") == core::to_rfc3339(start + core::seconds(1)));
    BOOST_TEST(sent.at("updatedAt") == core::to_rfc3339(start + core::seconds(1)));

    const auto changed = held_up([&] {
        App other(config, clock, limiter);
        return call(other, member_token, "PATCH", "/" + id, R"({"status":"READ"})");
    });
    BOOST_TEST(changed.at("data").at("updatedAt") == core::to_rfc3339(start + core::seconds(2)));
}

BOOST_AUTO_TEST_CASE(a_poll_that_waits_in_vain_is_503) {
    send();
    db::Transaction transaction(holder);
    holder.query("SELECT 1 FROM organisations WHERE id = ? LOCK IN SHARE MODE", {organisations[0]});
    config.database.lock_wait = std::chrono::milliseconds(250);
    App app(config, clock, limiter);
    BOOST_TEST(call(app, member_token, "GET", "?updatedSince=2026-01-01T00:00:00Z").value("error", "") == "Service unavailable");
    BOOST_TEST(call(app, member_token, "GET", "").contains("data"));
}

BOOST_AUTO_TEST_CASE(parallel_changes_of_different_fields_both_survive) {
    const auto id = send();
    for (int n = 0; n < 20; ++n) {
        const auto change = [&](const std::string& body) {
            return std::async(std::launch::async, [&, body] {
                App app(config, clock, limiter);
                return call(app, member_token, "PATCH", "/" + id, body);
            });
        };
        const std::string status = n % 2 ? "READ" : "REPLIED", note = std::to_string(n);
        auto first = change(nlohmann::json{{"status", status}}.dump()), second = change(nlohmann::json{{"note", note}}.dump());
        BOOST_TEST(first.get().contains("data"));
        BOOST_TEST(second.get().contains("data"));
        App app(config, clock, limiter);
        const auto now = call(app, member_token, "GET", "/" + id).at("data");
        BOOST_TEST(now.at("status") == status);
        BOOST_TEST(now.at("note") == note);
    }
}

BOOST_AUTO_TEST_SUITE_END()
