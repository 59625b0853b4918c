// A full disk: 503, and nothing left behind. On a small file system of its own, which only root may make.
#define BOOST_TEST_DYN_LINK
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "files/child.h"
#include "files/intake.h"
#include "support/pictures.h"
#include "support/refusal.h"

using namespace tradepost;
namespace fs = std::filesystem;

namespace {

struct Folder {
    Folder() { BOOST_REQUIRE(mkdtemp(path.data())); }
    ~Folder() { fs::remove_all(path); }
    std::string path = "/tmp/tradepost-disk-XXXXXX";
};

int files_below(const std::string& path) {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path)) count += entry.is_regular_file();
    return count;
}

// "503 Service unavailable, 0 files": what becomes of it where there is room for so many KiB.
std::string taken_with_room_for(int kib, const std::string& bytes, const std::string& type) {
    const Folder folder;
    int ends[2];
    BOOST_REQUIRE_EQUAL(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        std::string text = "no mount";
        const auto size = "size=" + std::to_string(kib) + "k";
        if (unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
            mount("none", folder.path.c_str(), "tmpfs", 0, size.c_str()) == 0) {
            const files::Store store(folder.path);
            try {
                text = test::refusal([&] { files::prepare(store, bytes, type, "data"); });
            } catch (const std::exception& error) {
                text = error.what();
            }
            text += ", " + std::to_string(files_below(folder.path)) + " files";
        }
        if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
        _exit(0);
    }
    close(ends[1]);
    std::string text(300, '\0');
    const auto got = read(ends[0], text.data(), text.size());
    text.resize(got > 0 ? std::size_t(got) : 0);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return text;
}

bool may_mount() {
    if (geteuid() == 0) return true;
    std::cerr << "SKIPPED uploads_disk: only root can mount a small file system\n";
    return false;
}

// A kernel may keep networks of one's own to root, or forbid them in a container.
bool may_leave_network() {
    const pid_t child = fork();
    if (child == 0) _exit(unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) std::cerr << "SKIPPED uploads_child/no_network: this kernel does not let us leave the network\n";
    return status == 0;
}

files::ChildLimits limits(std::chrono::milliseconds time = std::chrono::seconds(20)) {
    files::ChildLimits all;
    all.deadline = std::chrono::steady_clock::now() + time;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads_disk)

BOOST_AUTO_TEST_CASE(a_full_disk_is_503_and_leaves_nothing) {
    if (!may_mount()) return;
    const auto jpeg = test::picture(1500, 1500, "x.jpg[Q=100]"), document = test::pdf(std::string(300'000, 'x'));
    const int size = int(jpeg.size() >> 10);
    BOOST_TEST(taken_with_room_for(100, document, "application/pdf") == "503 Service unavailable, 0 files");
    BOOST_TEST(taken_with_room_for(size / 2, jpeg, "image/jpeg") == "503 Service unavailable, 0 files");
    // Room for what came and not for what is made of it.
    BOOST_TEST(taken_with_room_for(size + 12, jpeg, "image/jpeg") == "503 Service unavailable, 0 files");
    BOOST_TEST(taken_with_room_for(10'000, jpeg, "image/jpeg") == "accepted, 0 files");
    BOOST_TEST(taken_with_room_for(10'000, document, "application/pdf") == "accepted, 0 files");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(uploads_child)

BOOST_AUTO_TEST_CASE(ends_and_messages) {
    BOOST_CHECK(files::run_child({"/bin/true"}, "/tmp", limits()).end == files::ChildEnd::succeeded);
    BOOST_CHECK(files::run_child({"/bin/false"}, "/tmp", limits()).end == files::ChildEnd::failed);
    const auto told = files::run_child({"/bin/ls", "/nonexistent"}, "/tmp", limits());
    BOOST_CHECK(told.end == files::ChildEnd::failed);
    BOOST_TEST(told.messages.find("nonexistent") != std::string::npos);
    BOOST_CHECK_THROW(files::run_child({"/nonexistent"}, "/tmp", limits()), std::system_error);
}

BOOST_AUTO_TEST_CASE(limits_hold) {
    BOOST_CHECK(files::run_child({"/bin/sleep", "60"}, "/tmp", limits(std::chrono::milliseconds(200))).end ==
                files::ChildEnd::timed_out);
    auto little = limits();
    little.cpu = std::chrono::seconds(1);
    BOOST_CHECK(files::run_child({"/usr/bin/sha256sum", "/dev/zero"}, "/tmp", little).end == files::ChildEnd::failed);
    const Folder folder;
    little.file = 1000;
    BOOST_CHECK(files::run_child({"/bin/dd", "if=/dev/zero", "of=x", "bs=2000", "count=1"}, folder.path, little).end ==
                files::ChildEnd::failed);
    BOOST_TEST(fs::file_size(folder.path + "/x") <= 1000u);
    little.memory = 64 << 20;
    BOOST_CHECK(files::run_child({"/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=200M", "count=1"}, folder.path, little).end ==
                files::ChildEnd::failed);
}

// What the child reads of a file of /proc/self, in a folder of its own.
std::string read_by_child(const std::string& what) {
    const Folder folder;
    BOOST_CHECK(files::run_child({"/bin/dd", "if=/proc/self/" + what, "of=out", "status=none"}, folder.path, limits()).end ==
                files::ChildEnd::succeeded);
    std::ifstream in(folder.path + "/out");
    return {std::istreambuf_iterator<char>(in), {}};
}

BOOST_AUTO_TEST_CASE(nothing_of_ours_is_there) {
    setenv("TRADEPOST_SECRET", "x", 1);
    const int left_open = dup(0);
    BOOST_TEST(read_by_child("environ").find("TRADEPOST_SECRET") == std::string::npos);
    const auto status = read_by_child("status");
    BOOST_TEST(status.find("NoNewPrivs:\t1") != std::string::npos);
    BOOST_TEST(status.find("SigBlk:\t0000000000000000") != std::string::npos);
    const auto listed = files::run_child({"/bin/ls", "/proc/self/fd/" + std::to_string(left_open)}, "/tmp", limits());
    BOOST_CHECK(listed.end == files::ChildEnd::failed);
    close(left_open);
}

BOOST_AUTO_TEST_CASE(it_lets_others_go_first_and_not_for_ever) {
    // The kernel lets other users than root say so only so often.
    if (geteuid() != 0 || !fs::exists("/proc/self/autogroup")) {
        std::cerr << "SKIPPED uploads_child: only root always weighs sessions, of a kernel that knows that\n";
        return;
    }
    BOOST_TEST(read_by_child("autogroup").ends_with(" nice 10\n"));
    const std::string waits = "until grep -q 'nice 0$' /proc/self/autogroup; do sleep 0.1; done";
    BOOST_CHECK(files::run_child({"/bin/sh", "-c", waits}, "/tmp", limits()).end == files::ChildEnd::succeeded);
}

BOOST_AUTO_TEST_CASE(no_network) {
    if (!may_leave_network()) return;
    const Folder folder;
    BOOST_CHECK(
        files::run_child({"/usr/bin/find", "/proc/self/ns/net", "-fprintf", "network", "%l"}, folder.path, limits()).end ==
        files::ChildEnd::succeeded);
    std::string its;
    std::ifstream(folder.path + "/network") >> its;
    BOOST_TEST(its.starts_with("net:["));
    BOOST_TEST(its != fs::read_symlink("/proc/self/ns/net").string());
}

BOOST_AUTO_TEST_SUITE_END()
