// tradepostctl against the running stack (API rules, "Commands"): every worker sees its changes on the next request.
#include "core/crypto.h"
#include "e2e/checks.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

std::string unique(const std::string& start) {
    return start + "-" + core::to_hex(core::random_bytes(6));
}

nlohmann::json job(const std::string& slug, const std::string& organisation, const std::string& word) {
    return {{"slug", slug},
            {"organisation", organisation},
            {"title", "Bellfounder " + word},
            {"description", "Casts bells."},
            {"category", "Foundry"},
            {"contractType", "PERMANENT"},
            {"city", "Loughborough"},
            {"status", "PUBLISHED"},
            {"publishedAt", "2026-01-01T00:00:00.000Z"}};
}

int total(Client& client, const std::string& query) {
    const auto answer = until_served([&] { return client.get("/api/v1/jobs?" + query); });
    BOOST_TEST(answer.status == 200);
    return answer.status == 200 ? answer.json()["data"]["total"].get<int>() : -1;
}

// Calls check with a client whose requests only this worker serves, for each.
void on_every_worker(const std::function<void(Client&)>& check) {
    const auto workers = stack().workers();
    for (const auto worker : workers) {
        auto others = workers;
        std::erase(others, worker);
        const Paused paused(others);
        Client client(stack().site());
        check(client);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(administration)

BOOST_AUTO_TEST_CASE(a_new_user_organisation_and_token_are_usable_at_once) {
    const auto user = stack().add_user();
    const auto slug = unique("e2e-org");
    BOOST_TEST(stack().ctl({"org", "add", "--name", "End to End Ltd", "--slug", slug}).code == 0);
    BOOST_TEST(stack().ctl({"org", "add-member", "--org", slug, "--email", user.email, "--role", "ADMIN"}).code == 0);
    const auto token = stack().mint(user, "from the command line");
    on_every_worker([&](Client& client) {
        const auto me = client.get("/api/v1/me", bearer(token)).json()["data"];
        BOOST_TEST(me["email"] == user.email);
        BOOST_TEST(me["token"]["name"] == "from the command line");
        BOOST_REQUIRE_EQUAL(me["organisations"].size(), 1u);
        BOOST_TEST(me["organisations"][0]["slug"] == slug);
        BOOST_TEST(me["organisations"][0]["role"] == "ADMIN");
    });
    BOOST_TEST(stack().ctl({"org", "remove-member", "--org", slug, "--email", user.email}).code == 0);
    on_every_worker(
        [&](Client& client) { BOOST_TEST(client.get("/api/v1/me", bearer(token)).json()["data"]["organisations"].empty()); });
}

BOOST_AUTO_TEST_CASE(imported_jobs_are_seen_and_unpublished_organisations_are_not) {
    const auto organisation = unique("e2e-org"), slug = unique("bellfounder"), word = unique("ding").replace(4, 1, "");
    BOOST_REQUIRE_EQUAL(stack().ctl({"org", "add", "--name", "Bell Foundry", "--slug", organisation, "--published"}).code, 0);
    const auto queries = {std::string("category=Foundry"), std::string("q=bellfounder"), "q=" + word};
    std::vector<int> before;
    // Every worker has looked, and may remember what it saw.
    on_every_worker([&](Client& client) {
        before.clear();
        for (const auto& query : queries) before.push_back(total(client, query));
        check_refused(client.get("/api/v1/jobs/" + slug), 404, "Not found");
    });

    const auto imported = stack().ctl({"import", "jobs", "-"}, job(slug, organisation, word).dump() + "\n");
    BOOST_REQUIRE_MESSAGE(imported.code == 0, imported.err);
    const auto check = [&](int more, int status) {
        on_every_worker([&](Client& client) {
            std::size_t i = 0;
            for (const auto& query : queries) BOOST_TEST_CONTEXT(query) BOOST_TEST(total(client, query) == before[i++] + more);
            BOOST_TEST(client.get("/api/v1/jobs/" + slug).status == status);
            const auto found = until_served([&] { return client.get("/api/v1/jobs?q=" + word); }).json()["data"]["jobs"];
            BOOST_TEST(found.size() == std::size_t(more));
            if (more) BOOST_TEST(found[0]["slug"] == slug);
        });
    };
    check(1, 200);
    BOOST_TEST(stack().ctl({"org", "unpublish", "--org", organisation}).code == 0);
    check(0, 404);
    BOOST_TEST(stack().ctl({"org", "publish", "--org", organisation}).code == 0);
    check(1, 200);
    BOOST_TEST(stack().ctl({"org", "unpublish", "--org", organisation}).code == 0);  // other tests count too
    check(0, 404);
}

BOOST_AUTO_TEST_CASE(a_bad_line_imports_nothing) {
    const auto organisation = unique("e2e-org"), slug = unique("bellfounder");
    BOOST_REQUIRE_EQUAL(stack().ctl({"org", "add", "--name", "Bell Foundry", "--slug", organisation, "--published"}).code, 0);
    const auto imported = stack().ctl({"import", "jobs", "-"}, job(slug, organisation, "a").dump() + "\n{\"title\":\n");
    BOOST_TEST(imported.code == 1);
    BOOST_TEST(imported.err.find('2') != std::string::npos);
    BOOST_TEST(std::count(imported.err.begin(), imported.err.end(), '\n') == 1);
    check_refused(Client(stack().site()).get("/api/v1/jobs/" + slug), 404, "Not found");
}

BOOST_AUTO_TEST_CASE(status_and_schema_of_a_running_stack_are_sound) {
    BOOST_TEST(stack().ctl({"status"}).code == 0);
    BOOST_TEST(stack().ctl({"migrate"}).code == 0);
    BOOST_TEST(stack().ctl({"config", "check"}).code == 0);
    BOOST_TEST(Client(stack().site()).get("/readyz").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
