// A full disk: 503, and nothing left behind. On a small file system of its own, which only root may make.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
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
#include "support/process.h"
#include "support/refusal.h"
#include "support/threads.h"

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
    BOOST_CHECK(files::run_child({"/bin/sh", "-c", "while :; do :; done"}, "/tmp", little).end == files::ChildEnd::killed);
    const Folder folder;
    little.file = 1000;
    BOOST_CHECK(files::run_child({"/bin/dd", "if=/usr/bin/vips", "of=x", "bs=2000", "count=1"}, folder.path, little).end ==
                files::ChildEnd::killed);
    BOOST_TEST(fs::file_size(folder.path + "/x") <= 1000u);
    little.memory = 64 << 20;
    BOOST_CHECK(files::run_child({"/bin/dd", "if=/dev/null", "of=/dev/null", "bs=200M", "count=1"}, folder.path, little).end ==
                files::ChildEnd::failed);
}

// What a Python program writes to the file `out`, in a folder of its own.
std::string written_by_child(const std::string& program, const std::vector<std::string>& arguments = {}) {
    const Folder folder;
    std::vector<std::string> all{"/usr/bin/python3", "-Sc",
                                 "import os, ctypes, signal, socket, sys\nout = open('out', 'w')\n" + program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto result = files::run_child(all, folder.path, limits());
    BOOST_TEST((result.end == files::ChildEnd::succeeded), result.messages);
    std::ifstream in(folder.path + "/out");
    return {std::istreambuf_iterator<char>(in), {}};
}

BOOST_AUTO_TEST_CASE(nothing_of_ours_is_there) {
    setenv("TRADEPOST_SECRET", "x", 1);
    const int left_open = fcntl(0, F_DUPFD, 100);  // a number that the program itself does not come to
    BOOST_TEST(written_by_child("print(os.environ, file=out)").find("TRADEPOST_SECRET") == std::string::npos);
    BOOST_TEST(written_by_child("print(signal.pthread_sigmask(signal.SIG_BLOCK, []), file=out)") == "set()\n");
    BOOST_TEST(written_by_child("try: os.fstat(int(sys.argv[1]))\nexcept OSError as e: print(e.errno, file=out)",
                                {std::to_string(left_open)}) == std::to_string(EBADF) + "\n");
    close(left_open);
}

// What a decoder that an attacker has taken over may try. Each attempt prints nothing, or what it achieved.
BOOST_AUTO_TEST_CASE(it_reaches_nothing_outside_its_folder) {
    const Folder ours;
    std::ofstream(ours.path + "/secret") << "secret";
    fs::create_directory(ours.path + "/folder");
    const std::string attempts = R"(
libc = ctypes.CDLL(None, use_errno=True)
parent, ours = os.getppid(), sys.argv[1]
def attempt(name, act):
    try: got = act()
    except OSError: return
    if got not in (-1, None): print(name, got, file=out)
def did(act):
    return lambda: (act(), 'done')[1]
attempt('read', lambda: open(ours + '/secret').read())
attempt('passwd', lambda: open('/etc/passwd').read())
attempt('environ', lambda: open(f'/proc/{parent}/environ').read())
attempt('memory', did(lambda: open(f'/proc/{parent}/mem', 'rb')))
attempt('list', lambda: os.listdir(ours))
attempt('write', did(lambda: open(ours + '/secret', 'a')))
attempt('create', did(lambda: open(ours + '/new', 'w')))
attempt('mkdir', did(lambda: os.mkdir(ours + '/new')))
attempt('remove', did(lambda: os.remove(ours + '/secret')))
attempt('rename', did(lambda: os.rename(ours + '/secret', 'taken')))
attempt('link', did(lambda: os.link(ours + '/secret', 'linked')))
attempt('symlink', did(lambda: os.symlink(ours, 'symlink')))
attempt('truncate', did(lambda: os.truncate(ours + '/secret', 0)))
attempt('chmod', did(lambda: os.chmod(ours + '/secret', 0o777)))
attempt('utime', did(lambda: os.utime(ours + '/secret', (1, 1))))
attempt('chown', did(lambda: os.chown(ours + '/secret', os.getuid(), os.getgid())))
attempt('own chmod', did(lambda: os.chmod('out', 0o777)))
attempt('tcp', did(lambda: socket.socket(socket.AF_INET)))
attempt('unix', did(lambda: socket.socket(socket.AF_UNIX)))
attempt('netlink', did(lambda: socket.socket(socket.AF_NETLINK)))
attempt('pair', did(lambda: socket.socketpair()))
attempt('kill', did(lambda: os.kill(parent, 0)))
attempt('ptrace', lambda: libc.ptrace(0x4206, parent, 0, 0))
attempt('unshare', lambda: libc.unshare(0x10000000))
attempt('namespace', lambda: libc.syscall(56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0))
attempt('clone3', lambda: libc.syscall(435, 0, 0))
attempt('io_uring', lambda: libc.syscall(425, 1, 0))
attempt('prlimit', lambda: libc.prlimit(parent, 4, None, ctypes.create_string_buffer(16)))
attempt('new program', lambda: os.posix_spawn(os.path.abspath('out'), ['x'], {}))
print('ends', file=out)
)";
    BOOST_TEST(written_by_child(attempts, {ours.path}) == "ends\n");
    BOOST_TEST(test::read_file(ours.path + "/secret") == "secret");
}

BOOST_AUTO_TEST_CASE(its_memory_is_never_dumped) {
    BOOST_TEST(written_by_child("import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE), file=out)") == "(1, 1)\n");
}

BOOST_AUTO_TEST_CASE(it_lets_others_go_first_and_not_for_ever) {
    // The kernel lets other users than root say so only so often.
    if (geteuid() != 0 || !fs::exists("/proc/self/autogroup")) {
        std::cerr << "SKIPPED uploads_child: only root always weighs sessions, of a kernel that knows that\n";
        return;
    }
    const auto niceness = [] {
        const auto children = test::children_of(getpid());
        const auto text = children.empty() ? "" : test::read_file("/proc/" + std::to_string(children.front()) + "/autogroup");
        return text.substr(text.find("nice") == std::string::npos ? text.size() : text.find("nice"));
    };
    bool first = false, then = false;
    test::Thread watching([&] {
        first = test::await([&] { return niceness() == "nice 10\n"; });
        then = test::await([&] { return niceness() == "nice 0\n"; });
    });
    files::run_child({"/bin/sleep", "60"}, "/tmp", limits(std::chrono::seconds(5)));
    watching.join();
    BOOST_TEST(first);
    BOOST_TEST(then);
}

BOOST_AUTO_TEST_SUITE_END()
