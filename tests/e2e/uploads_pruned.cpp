// What `tradepostctl prune` collects of real uploads, also while others attach them.
#include <filesystem>

#include "core/crypto.h"
#include "db/connection.h"
#include "e2e/checks.h"
#include "support/pictures.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Dealership {
    Dealer dealer = add_dealer(stack());
    DealerClient client{stack(), dealer};

    json add(const std::string& bytes, const std::string& type = "application/pdf") {
        const auto answer = client.send("POST", "/api/v1/uploads", small_upload(bytes, type));
        BOOST_REQUIRE_MESSAGE(answer.status == 201, answer.body);
        return answer.json()["data"];
    }
    Answer attach(const json& upload, const std::string& reference) {
        return client.send("POST", "/api/v1/stock",
                           {{"reference", reference}, {"title", "Van"}, {"images", {{{"uploadId", upload["id"]}}}}});
    }
    int status_of(const json& upload) { return client.get("/api/v1/uploads/" + upload["id"].get<std::string>()).status; }
};

int served(const json& url) {
    return Client(stack().site()).get(url.get<std::string>()).status;
}

// As if the last reference to it had gone, and its files been written, so long ago.
void age(const json& upload, std::chrono::hours hours) {
    const auto id = core::Uuid::parse(upload["id"].get<std::string>()).value();
    db::Connection(stack().config().database)
        .execute("UPDATE uploads SET detached_at = detached_at - INTERVAL ? HOUR WHERE id = ?", {hours.count(), id});
    const auto folder = stack().config().uploads.directory + "/" + upload["sha256"].get<std::string>().substr(0, 2);
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with(upload["sha256"].get<std::string>()))
            fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - hours);
}

void prune() {
    const auto done = stack().ctl({"prune"});
    BOOST_TEST(done.code == 0, done.err);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads_pruned)

BOOST_AUTO_TEST_CASE(what_nothing_shows_goes_after_a_day) {
    Dealership one, two;
    const auto mark = core::to_hex(core::random_bytes(8));
    const auto loose = one.add(picture(90, 70), "image/jpeg"), shown = one.add(picture(91, 70), "image/jpeg");
    const auto shared = one.add(pdf("shared " + mark)), other = two.add(pdf("shared " + mark)),
               young = one.add(pdf("young " + mark));
    const auto announced =
        one.client.send("POST", "/api/v1/uploads", announcement(pdf("never sent"), "application/pdf")).json()["data"];
    BOOST_TEST(one.attach(shown, "P-1").status == 201);
    for (const auto& upload : {loose, shown, shared}) age(upload, std::chrono::hours(25));
    age(young, std::chrono::hours(23));
    age(announced, std::chrono::hours(2));
    prune();
    for (const auto& upload : {loose, shared, announced}) BOOST_TEST(one.status_of(upload) == 404);
    for (const auto& upload : {shown, young}) BOOST_TEST(one.status_of(upload) == 200);
    for (const auto* url : {"url", "thumbnailUrl"}) {
        BOOST_TEST(served(loose[url]) == 404);
        BOOST_TEST(served(shown[url]) == 200);
    }
    BOOST_TEST(stored_files(stack(), loose["sha256"].get<std::string>()) == 0);
    // The other organisation still has the same bytes.
    BOOST_TEST(served(other["url"]) == 200);
    BOOST_TEST(served(young["url"]) == 200);
    check_refused(one.attach(loose, "P-2"), 400, "Invalid field: images: must be READY images of the same organisation");

    // A day after the last reference has gone, and not before.
    const auto item = one.client.get("/api/v1/stock?reference=P-1").json()["data"]["stock"][0]["id"].get<std::string>();
    BOOST_TEST(one.client.send("DELETE", "/api/v1/stock/" + item).status == 200);
    prune();
    BOOST_TEST(served(shown["url"]) == 200);
    age(shown, std::chrono::hours(25));
    age(other, std::chrono::hours(25));
    prune();
    for (const auto& url : {shown["url"], shown["thumbnailUrl"], other["url"]}) BOOST_TEST(served(url) == 404);
}

// Either it was collected, and cannot be attached; or it was attached, and stays.
BOOST_AUTO_TEST_CASE(attaching_and_collecting_at_once) {
    Dealership one;
    constexpr int count = 12;
    std::vector<json> uploads;
    for (int i = 0; i < count; ++i) uploads.push_back(one.add(picture(40 + i, 30), "image/jpeg"));
    for (const auto& upload : uploads) age(upload, std::chrono::hours(25));
    std::vector<int> attached(count);
    std::atomic<int> pruned = 0;
    Thread pruner([&] {
        for (int i = 0; i < 3; ++i) pruned += stack().ctl({"prune"}).code == 0;
    });
    in_parallel(3, [&](std::size_t thread) {
        DealerClient client(stack(), one.dealer);
        for (auto i = thread; i < count; i += 3) {
            const json item = {
                {"reference", "R-" + std::to_string(i)}, {"title", "Van"}, {"images", {{{"uploadId", uploads[i]["id"]}}}}};
            attached[i] = client.send("POST", "/api/v1/stock", item).status;
        }
    });
    pruner.join();
    BOOST_TEST(pruned == 3);
    prune();
    for (int i = 0; i < count; ++i) {
        BOOST_TEST((attached[i] == 201 || attached[i] == 400));
        const int expected = attached[i] == 201 ? 200 : 404;
        BOOST_TEST(one.status_of(uploads[i]) == expected, i << ": " << attached[i]);
        for (const auto* url : {"url", "thumbnailUrl"}) BOOST_TEST(served(uploads[i][url]) == expected, i << ": " << attached[i]);
    }
}

BOOST_AUTO_TEST_SUITE_END()
