// What workers answer without asking the database is never what a confirmed change has made old, whoever changed it.
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "core/crypto.h"
#include "e2e/checks.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Requests of one path by several clients, so that every worker remembers it, until this object ends.
class Hot {
public:
    explicit Hot(std::string target) {
        for (int i = 0; i < 4; ++i)
            threads_.emplace_back(
                [this, target] {
                    while (!stop_) {
                        Client client(stack().site());  // an address has 60 requests a minute
                        for (int n = 0; n < 50 && !stop_; ++n, ++asked_) client.get(target);
                    }
                },
                [this] { stop_ = true; });
        await_more(60);
    }
    ~Hot() { stop_ = true; }  // the threads' own destructors wait for them
    Hot(const Hot&) = delete;
    Hot& operator=(const Hot&) = delete;

    void await_more(int requests) const {
        const int until = asked_ + requests;
        BOOST_REQUIRE(await([&] { return asked_ >= until; }));
    }

private:
    std::atomic<bool> stop_{false};
    std::atomic<int> asked_{0};
    std::vector<Thread> threads_;
};

struct Organisation {
    std::string slug = "hot-" + core::to_hex(core::random_bytes(6)), job = slug + "-job";

    Organisation() {
        BOOST_REQUIRE_EQUAL(stack().ctl({"org", "add", "--name", "Hot Reads Ltd", "--slug", slug, "--published"}).code, 0);
        import("First");
    }
    ~Organisation() { stack().ctl({"org", "unpublish", "--org", slug}); }  // other tests count jobs
    void import(const std::string& title) const {
        const nlohmann::json line{
            {"slug", job},           {"organisation", slug},      {"title", title},
            {"description", "Text"}, {"category", "Hot " + slug}, {"contractType", "PERMANENT"},
            {"city", "York"},        {"status", "PUBLISHED"},     {"publishedAt", "2026-01-01T00:00:00.000Z"}};
        const auto imported = stack().ctl({"import", "jobs", "-"}, line.dump() + "\n");
        BOOST_REQUIRE_MESSAGE(imported.code == 0, imported.err);
    }
    std::string detail() const { return "/api/v1/jobs/" + job; }
    std::string list() const { return "/api/v1/jobs?category=Hot+" + slug; }

    // The very next answers, of whichever workers.
    void check_title(const std::string& title) const {
        Client client(stack().site());
        int wrong = 0;
        for (int i = 0; i < 20; ++i) {
            const auto job_answer = client.get(detail()).json();
            wrong += job_answer.value("/data/title"_json_pointer, "") != title;
            const auto list_answer = client.get(list()).json();
            wrong += list_answer.value("/data/jobs/0/title"_json_pointer, "") != title;
        }
        BOOST_TEST(wrong == 0);
    }
    void check_hidden() const {
        Client client(stack().site());
        int wrong = 0;
        for (int i = 0; i < 20; ++i) {
            wrong += client.get(detail()).status != 404;
            wrong += client.get(list()).json().value("/data/total"_json_pointer, -1) != 0;
        }
        BOOST_TEST(wrong == 0);
    }
};

struct DatabaseStopped {
    DatabaseStopped() { stack().sv("stop", stack().database()); }
    ~DatabaseStopped() {
        stack().sv("start", stack().database());
        BOOST_TEST(await([] { return stack().answers(); }));
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(hot_reads)

BOOST_AUTO_TEST_CASE(what_tradepostctl_has_changed_is_in_every_next_answer) {
    const Organisation organisation;
    const Hot detail(organisation.detail()), list(organisation.list());
    organisation.check_title("First");
    for (int round = 0; round < 3; ++round) {
        const auto title = "Title " + std::to_string(round);
        organisation.import(title);
        organisation.check_title(title);
        BOOST_TEST(stack().ctl({"org", "unpublish", "--org", organisation.slug}).code == 0);
        organisation.check_hidden();
        BOOST_TEST(stack().ctl({"org", "publish", "--org", organisation.slug}).code == 0);
        organisation.check_title(title);
    }
}

BOOST_AUTO_TEST_CASE(a_killed_worker_leaves_nothing_stale) {
    const Organisation organisation;
    const auto count = stack().workers().size();
    const Hot detail(organisation.detail());
    for (int round = 0; round < 3; ++round) {
        kill(stack().workers().front(), SIGKILL);
        organisation.import("Killed " + std::to_string(round));
        BOOST_REQUIRE(stack().await_workers(count));
        organisation.check_title("Killed " + std::to_string(round));
    }
}

BOOST_AUTO_TEST_CASE(a_removed_file_leaves_nothing_stale) {
    const Organisation organisation;
    const Hot detail(organisation.detail());
    const auto file = stack().config().counters_path() + ":versions";
    for (int round = 0; round < 3; ++round) {
        BOOST_TEST(unlink(file.c_str()) == 0);
        detail.await_more(20);
        organisation.import("Removed " + std::to_string(round));
        organisation.check_title("Removed " + std::to_string(round));
    }
}

BOOST_AUTO_TEST_CASE(a_hot_answer_ends_with_the_database) {
    const Organisation organisation;
    const Hot detail(organisation.detail());
    const DatabaseStopped stopped;
    Client client(stack().site());
    for (int i = 0; i < 20; ++i)
        for (const auto& target : {organisation.detail(), organisation.list()})
            check_refused(client.send({.target = target, .timeout = std::chrono::seconds(10)}), 503, "Service unavailable");
}

BOOST_AUTO_TEST_SUITE_END()
