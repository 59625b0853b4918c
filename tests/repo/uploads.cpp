// What is collected: rows that nothing shows, files that no row refers to; and nothing else, also while others attach and upload.
#define BOOST_TEST_DYN_LINK
#include <sys/stat.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "core/crypto.h"
#include "ctl/housekeeping.h"
#include "files/store.h"
#include "identity/instance_keys.h"
#include "identity/organisations/organisations.h"
#include "repo/import_support.h"
#include "resources/uploads/attachments.h"
#include "resources/uploads/rows.h"
#include "resources/uploads/upload.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

const auto now = *core::parse_rfc3339("2026-03-01T12:00:00Z");

struct Fixture : test::ImportFixture {
    Fixture() {
        fs::create_directory(directory);
        identity::Organisation organisation;
        organisation.id = organisation_id;
        organisation.slug = "o";
        organisation.name = "O";
        organisation.created_at = organisation.updated_at = now;
        write_organisation(organisation);
    }
    ~Fixture() { fs::remove_all(directory); }

    uploads::Upload add(core::Time created, const std::string& content, bool ready = true) {
        uploads::Upload upload;
        upload.id = core::Uuid::v7(created);
        upload.organisation_id = organisation_id;
        upload.status = ready ? "READY" : "PENDING";
        upload.filename = "f";
        upload.content_type = "image/jpeg";
        if (ready)
            upload.content_hash = core::sha256(content);
        else
            upload.sent_hash = core::sha256(content), upload.sent_size = 1;
        upload.size = std::int64_t(content.size());
        upload.created_at = created;
        db::in_transaction(connection, [&] { uploads::Uploads(connection).insert(upload); });
        return upload;
    }
    bool there(const uploads::Upload& upload) { return uploads::Uploads(connection).find(upload.id).has_value(); }

    // As an upload does it: to be found under its hash, and as old as `age`.
    std::string put(const std::string& content, std::chrono::seconds age = 2h) {
        const auto hash = core::sha256(content);
        const auto url = uploads::upload_url(hash, "image/jpeg");
        files::Work work(store.work());
        files::write_file(work.file("x"), content);
        store.publish(work.file("x"), url);
        fs::last_write_time(store.path(url), fs::file_time_type::clock::now() - age);
        return store.path(url);
    }
    std::size_t sweep() {
        const auto system = core::SystemClock().now();
        return store.sweep(system - 1h, [this](const auto& hashes) { return uploads::Uploads(connection).referenced(hashes); });
    }

    const core::Uuid organisation_id = core::Uuid::v7(now);
    std::string directory = path + ".store";
    files::Store store{directory};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(uploads_kept, Fixture)

BOOST_AUTO_TEST_CASE(rows_go_a_day_after_the_last_reference) {
    const auto old = add(now - 25h, "a"), young = add(now - 23h, "b"), attached = add(now - 25h, "c"),
               detached = add(now - 25h, "d");
    const auto pending_old = add(now - 61min, "e", false), pending = add(now - 59min, "f", false);
    db::in_transaction(connection, [&] {
        uploads::Attachments attachments(connection);
        attachments.attach(std::vector{attached.id, detached.id});
        attachments.detach(std::vector{detached.id}, now - 23h);
    });
    BOOST_TEST(ctl::prune(connection, now).uploads == 2u);
    BOOST_TEST(!there(old));
    BOOST_TEST(!there(pending_old));
    for (const auto& kept : {young, attached, detached, pending}) BOOST_TEST(there(kept));
    BOOST_TEST(ctl::prune(connection, now + 2h).uploads == 3u);
    BOOST_TEST(there(attached));
}

BOOST_AUTO_TEST_CASE(an_attach_under_way_keeps_the_upload) {
    const auto upload = add(now - 25h, "a");
    db::Connection other(database.config());
    std::uint64_t removed = 99;
    const auto pruning = test::session_of(other);
    test::Thread pruner;
    int attempts = 0;
    db::in_transaction(connection, [&] {
        // Once: they do not wait for each other.
        BOOST_REQUIRE_EQUAL(++attempts, 1);
        uploads::Attachments attachments(connection);
        BOOST_TEST(attachments.lock(organisation_id, std::vector{upload.id}).size() == 1u);
        pruner = test::Thread([&] { removed = ctl::prune(other, now).uploads; });
        // Until it waits for our row, or has passed it by.
        db::Connection watcher(database.config());
        while (!pruner.ended() && !test::waits_for_lock(watcher, pruning)) {
        }
        attachments.attach(std::vector{upload.id});
    });
    pruner.join();
    BOOST_TEST(removed == 0u);
    BOOST_TEST(there(upload));
}

BOOST_AUTO_TEST_CASE(files_go_that_no_row_refers_to) {
    const auto kept = put("kept"), unreferred = put("unreferred"), young = put("young", 59min);
    add(now, "kept");
    std::ofstream(directory + "/note.txt") << "not ours";
    fs::create_directories(directory + "/incoming");
    std::ofstream(directory + "/incoming/0000000001") << "left by nginx";
    std::ofstream(directory + "/incoming/0000000002") << "coming in";
    const auto left_work = store.work() + "/abcdef";
    fs::create_directory(left_work);
    std::ofstream(left_work + "/in") << "left by a worker";
    for (const auto& left : {directory + "/incoming/0000000001", left_work})
        fs::last_write_time(left, fs::file_time_type::clock::now() - 2h);
    BOOST_TEST(sweep() == 3u);
    BOOST_TEST(fs::exists(kept));
    BOOST_TEST(!fs::exists(unreferred));
    BOOST_TEST(fs::exists(young));
    BOOST_TEST(fs::exists(directory + "/note.txt"));
    BOOST_TEST(!fs::exists(directory + "/incoming/0000000001"));
    BOOST_TEST(fs::exists(directory + "/incoming/0000000002"));
    BOOST_TEST(!fs::exists(left_work));
    BOOST_TEST(sweep() == 0u);
}

// Another host stores the same bytes while this one removes them: before its commit, at it and after it.
BOOST_AUTO_TEST_CASE(a_file_that_is_stored_again_at_this_moment_stays) {
    const auto none = [](const auto&) { return std::set<std::string>{}; };
    const auto hash = core::sha256("again");

    const auto file = put("again");
    int asked = 0;
    store.remove(hash, [&](const auto&) {
        BOOST_TEST(fs::exists(file) == (++asked == 1));
        if (asked == 2) put("again");
        return std::set<std::string>{};
    });
    BOOST_TEST(asked == 2);
    BOOST_TEST(fs::exists(file));

    // A third host removes it too, and finds the new row.
    const auto all = [](const auto& hashes) { return std::set<std::string>(hashes.begin(), hashes.end()); };
    asked = 0;
    store.remove(hash, [&](const auto&) {
        if (++asked == 2) {
            put("again");
            int others = 0;
            store.remove(hash, [&](const auto& hashes) { return ++others == 1 ? std::set<std::string>{} : all(hashes); });
            BOOST_TEST(others == 2);
        }
        return std::set<std::string>{};
    });
    BOOST_TEST(fs::exists(file));

    store.remove(hash, all);
    BOOST_TEST(fs::exists(file));

    // Its row is committed after the question; it publishes the file once more.
    store.remove(hash, none);
    BOOST_TEST(!fs::exists(file));
    put("again");
    BOOST_TEST(fs::exists(file));

    // A sweep that found the file old finds it young.
    BOOST_TEST(store.sweep(core::SystemClock().now() - 1h, [&](const auto& hashes) {
        put("again", 0s);
        return std::set<std::string>(hashes.begin(), hashes.begin());
    }) == 0u);
    BOOST_TEST(fs::exists(file));
}

BOOST_AUTO_TEST_CASE(a_removal_that_cannot_ask_removes_nothing) {
    const auto file = put("kept");
    const auto fail = [](const auto&) -> std::set<std::string> { throw std::runtime_error("the database is away"); };
    BOOST_CHECK_THROW(store.remove(core::sha256("kept"), fail), std::runtime_error);
    BOOST_TEST(fs::exists(file));
}

BOOST_AUTO_TEST_CASE(a_file_that_a_dead_process_hid_is_shown_again) {
    const auto file = put("hidden");
    add(now, "hidden");
    const auto hidden = fs::path(file).parent_path() / (".0123456789abcdef." + fs::path(file).filename().string());
    fs::rename(file, hidden);
    const auto of_nfs = fs::path(file).parent_path() / ".nfs0001";  // as its clients name what is removed and still open
    std::ofstream(of_nfs) << "x";
    sweep();
    BOOST_TEST(!fs::exists(file));  // it may be that of a process that lives
    store.sweep(core::SystemClock().now() + 1h,
                [this](const auto& hashes) { return uploads::Uploads(connection).referenced(hashes); });
    BOOST_TEST(fs::exists(file));
    BOOST_TEST(!fs::exists(hidden));
    BOOST_TEST(fs::exists(of_nfs));
}

BOOST_AUTO_TEST_CASE(a_file_is_removed_with_its_last_row_only) {
    const auto file = put("shared", 0s);
    const auto first = add(now, "shared"), second = add(now, "shared");
    const auto forget = [&](const uploads::Upload& upload) {
        db::in_transaction(connection, [&] { uploads::Uploads(connection).remove(upload.id); });
        store.remove(core::sha256("shared"),
                     [this](const auto& hashes) { return uploads::Uploads(connection).referenced(hashes); });
    };
    forget(first);
    BOOST_TEST(fs::exists(file));
    forget(second);
    BOOST_TEST(!fs::exists(file));
}

BOOST_AUTO_TEST_CASE(modes_follow_the_folder_and_not_the_umask) {
    fs::permissions(directory, fs::perms(0750));
    const auto before = umask(077);
    const auto file = put("mode");
    umask(before);
    struct stat status {};
    BOOST_TEST(stat(file.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 07777) == 0640u);
    BOOST_TEST(stat(fs::path(file).parent_path().c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 07777) == 0750u);
    BOOST_TEST(stat((directory + "/work").c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 07777) == 0700u);
    // Also where a process was killed before it gave the folder its mode.
    const auto folder = fs::path(file).parent_path();
    fs::permissions(folder, fs::perms(0700));
    put("mode");
    BOOST_TEST(stat(folder.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 07777) == 0750u);
}

BOOST_AUTO_TEST_CASE(one_key_for_all) {
    db::Connection other(database.config());
    const auto key = identity::InstanceKeys(connection).get("tickets", now);
    BOOST_TEST(key.size() == 32u);
    BOOST_TEST(identity::InstanceKeys(other).get("tickets", now) == key);
    BOOST_TEST(identity::InstanceKeys(other).get("another", now) != key);
}

BOOST_AUTO_TEST_SUITE_END()
