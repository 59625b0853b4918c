// Uploads where nginx and the workers are different users, as when installed.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "db/connection.h"
#include "e2e/checks.h"
#include "support/pictures.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
namespace fs = std::filesystem;

namespace {

// Where every user can reach it; stopped and removed with this object, however far it came.
struct Folder {
    Folder() { BOOST_REQUIRE(mkdtemp(path.data())); }
    ~Folder() {
        run_command({"tests/support/two_users", "down", path});
        fs::remove_all(path);
    }
    std::string path = "/tmp/tradepost-users-XXXXXX";
};

class TwoUsers {
public:
    TwoUsers() {
        const auto up = run_command({"tests/support/two_users", "up", folder_.path, program_folder()});
        BOOST_REQUIRE_MESSAGE(up.code == 0, up.err);
        BOOST_REQUIRE(stack.await_workers(4));
        for (const auto* pool : {"auth", "uploads"}) BOOST_REQUIRE(stack.await_workers(8, pool));
    }

    // As the unit that prunes would run it.
    Finished prune(const std::string& user) {
        return run_command({"setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--",
                            folder_.path + "/bin/tradepostctl", "--config", folder_.path + "/tradepost.toml", "--json", "prune"});
    }
    std::string user_of(const std::string& pool) {
        std::ifstream status("/proc/" + std::to_string(stack.workers(pool).at(0)) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("Uid:")) return line.substr(5, line.find('\t', 5) - 5);
        return {};
    }
    // A day passes, and two.
    void age() {
        db::Connection(stack.config().database).execute("UPDATE uploads SET detached_at = detached_at - INTERVAL 25 HOUR", {});
        for (const auto& entry : fs::recursive_directory_iterator(stack.config().uploads.directory))
            fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(2));
    }

private:
    Folder folder_;

public:
    Stack stack{folder_.path};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads_users)

BOOST_AUTO_TEST_CASE(nginx_passes_bodies_and_reads_files_of_the_workers) {
    if (geteuid() != 0) {
        std::cerr << "SKIPPED uploads_users: only root can start processes of other users\n";
        return;
    }
    TwoUsers two;
    const auto& stack = two.stack;
    for (const auto* pool : {"api", "auth", "uploads"}) BOOST_TEST(two.user_of(pool) == "61001");
    const auto dealer = add_dealer(stack);
    DealerClient client(stack, dealer);
    const auto fetched = [&](const nlohmann::json& url) { return Client(stack.site()).get(url.get<std::string>()).status; };
    const auto directory = stack.config().uploads.directory;

    // Both ways in, and out.
    const auto bytes = picture(500, 300);
    const auto small = client.send("POST", "/api/v1/uploads", small_upload(bytes, "image/jpeg"));
    BOOST_REQUIRE_MESSAGE(small.status == 201, small.body + stack.log("uploads"));
    const auto logo = small.json()["data"];
    const auto document = pdf(std::string(2'000'000, 'd')), other = pdf("other");
    const auto put = put_bytes(stack, ticket_for(stack, dealer, document, "application/pdf"), document);
    BOOST_REQUIRE_MESSAGE(put.status == 200, put.body);
    for (const auto& url : {logo["url"], logo["thumbnailUrl"], put.json()["data"]["url"]}) BOOST_TEST(fetched(url) == 200, url);
    struct stat status {};
    BOOST_TEST(stat((directory + logo["url"].get<std::string>().substr(8)).c_str(), &status) == 0);
    BOOST_TEST(((status.st_mode & 07777) == 0640u && status.st_uid == 61001u && status.st_gid == 33u));
    BOOST_TEST(stat((directory + "/incoming").c_str(), &status) == 0);
    BOOST_TEST(((status.st_mode & 0777) == 0770u && status.st_uid == 33u));

    // The pools count together.
    const auto left = [](const Answer& answer) { return std::stoi(answer.header("ratelimit-remaining").value_or("0")); };
    const auto in_uploads = client.send("POST", "/api/v1/uploads", {}), in_api = client.send("POST", "/api/v1/stock", {});
    BOOST_TEST(left(in_api) == left(in_uploads) - 1);

    // The API's pool removes what the other pool wrote.
    const auto third = client.send("POST", "/api/v1/uploads", small_upload(other, "application/pdf")).json()["data"];
    BOOST_TEST(fetched(third["url"]) == 200);
    BOOST_TEST(client.send("DELETE", "/api/v1/uploads/" + third["id"].get<std::string>()).status == 200);
    BOOST_TEST(fetched(third["url"]) == 404);

    // What nginx left, and the document, which nothing shows; the logo stays.
    BOOST_TEST(client.send("PATCH", "/api/v1/accounts", {{"logoUploadId", logo["id"]}}).status == 200);
    const auto abandoned = directory + "/incoming/0000000999";
    std::ofstream(abandoned) << "abandoned";
    BOOST_REQUIRE_EQUAL(chown(abandoned.c_str(), 33, 33), 0);
    BOOST_REQUIRE_EQUAL(chmod(abandoned.c_str(), 0600), 0);
    two.age();
    const auto refused = two.prune("61002");
    BOOST_TEST(refused.code == 1);
    const auto pruned = two.prune("61001");
    BOOST_TEST(pruned.code == 0, pruned.err);
    // The rows went with the first.
    BOOST_TEST(nlohmann::json::parse(pruned.out)["files"] == 2);
    BOOST_TEST(!fs::exists(abandoned));
    BOOST_TEST(fetched(put.json()["data"]["url"]) == 404);
    BOOST_TEST(fetched(logo["url"]) == 200);
    BOOST_TEST(fetched(logo["thumbnailUrl"]) == 200);

    BOOST_TEST(stack.log("nginx-error").find("denied") == std::string::npos, stack.log("nginx-error"));
    for (const auto* pool : {"api", "uploads"}) BOOST_TEST(stack.lines_with(pool, "upload_file_kept") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
