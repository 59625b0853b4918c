// What a body can take of a worker's memory, and that a worker returns it (API rules, "JSON bodies").
#include <filesystem>
#include <fstream>

#include "e2e/checks.h"
#include "support/pictures.h"
#include "support/uploads.h"

using namespace tradepost::test;

namespace {

constexpr long mebibyte = 1024;  // in KiB, as /proc has it

// "VmRSS", resident, or "VmHWM", the most that was since begin_peak(), in KiB.
long memory(pid_t process, const std::string& what) {
    const auto status = read_file("/proc/" + std::to_string(process) + "/status");
    const auto at = status.find(what + ":");
    return at == std::string::npos ? 0 : std::stol(status.substr(at + what.size() + 1));
}

void begin_peak(pid_t process) {
    std::ofstream("/proc/" + std::to_string(process) + "/clear_refs") << "5";
}

// Calls for each worker of the pool, the others standing still, and looks at how that worker's memory grows.
void check_memory(const std::string& pool, const std::function<void()>& call) {
    for (const auto worker : stack().workers(pool)) {
        if (has_address_sanitizer(worker)) return call();
        auto others = stack().workers(pool);
        std::erase(others, worker);
        const Paused paused(others);
        // What a worker allocates once is there after its first request.
        BOOST_TEST(Client(stack().site())
                       .send({.method = "OPTIONS", .target = pool == "auth" ? "/api/v1/auth" : "/api/v1/uploads"})
                       .status == 200);
        const long before = memory(worker, "VmRSS");
        begin_peak(worker);
        // The allocator keeps more of what it gets back once it has given such a block before.
        for (int i = 0; i < 4; ++i) call();
        BOOST_TEST(memory(worker, "VmHWM") - before < 96 * mebibyte);
        const bool returned = await([&] { return memory(worker, "VmRSS") - before < 12 * mebibyte; }, std::chrono::seconds(10));
        BOOST_TEST(returned, memory(worker, "VmRSS") - before);
        BOOST_TEST_MESSAGE(pool << ": " << before << " KiB before, " << memory(worker, "VmHWM") << " at most, "
                                << memory(worker, "VmRSS") << " after");
    }
}

// An object of about so many bytes, full of small values.
std::string many_values(std::size_t size) {
    std::string body = R"({"a":[{})";
    body.reserve(size);
    while (body.size() < size - 8) body += ",{}";
    return body + "]}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(workers_memory, *boost::unit_test::label("slow"))

BOOST_AUTO_TEST_CASE(a_body_of_many_values_takes_little_and_leaves_nothing) {
    const auto body = many_values(12 << 20);
    const auto token = add_dealer(stack()).token;
    check_memory("uploads", [&] {
        check_refused(Client(stack().site()).post("/api/v1/uploads", body, bearer(token)), 400, "Invalid JSON body");
    });
    const auto smaller = many_values(1 << 20);
    check_memory("auth", [&] { check_refused(Client(stack().site()).post("/api/v1/auth", smaller), 400, "Invalid JSON body"); });
}

BOOST_AUTO_TEST_CASE(a_large_file_in_base64_leaves_nothing) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf("large", 8 << 20);
    check_memory("uploads", [&] {
        const auto answer =
            Client(stack().site()).post("/api/v1/uploads", small_upload(bytes, "application/pdf").dump(), bearer(dealer.token));
        BOOST_TEST(answer.status == 201);
    });
}

BOOST_AUTO_TEST_SUITE_END()
