// What must not get in, whatever it is called; what goes wrong on the way. Always JSON, nothing stored, no worker lost.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/crypto.h"
#include "e2e/checks.h"
#include "support/pictures.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

constexpr const char* no_file = "must be a JPEG, PNG or WebP picture or a PDF";
constexpr const char* no_picture = "must be a picture that can be decoded";

// Both ways in refuse it, for what is named "data" in one and "body" in the other.
void check_both_refused(const Dealer& dealer, const std::string& bytes, const std::string& type, const std::string& why,
                        const std::string& name = "x.jpg") {
    const auto workers = stack().workers("uploads");
    const int before = stored_files(stack());
    check_refused(DealerClient(stack(), dealer).send("POST", "/api/v1/uploads", small_upload(bytes, type, name)), 400,
                  "Invalid field: data: " + why);
    const auto ticket = ticket_for(stack(), dealer, bytes, type, name);
    check_refused(put_bytes(stack(), ticket, bytes), 400, "Invalid field: body: " + why);
    // nginx removes what the worker did not take once its answer is out.
    BOOST_TEST(await([&] { return stored_files(stack()) == before; }));
    BOOST_TEST(stack().workers("uploads") == workers);
}

// What nginx has written down of bodies that are under way.
long incoming_files() {
    return std::distance(std::filesystem::directory_iterator(stack().config().uploads.directory + "/incoming"), {});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads_refused)

BOOST_AUTO_TEST_CASE(what_is_no_picture_and_no_pdf) {
    const auto dealer = add_dealer(stack());
    for (const std::string& bytes :
         std::vector<std::string>{"<!DOCTYPE html><html><script>alert(1)</script></html>",
                                  "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
                                  "<?php system($_GET['c']); ?>", "GIF89a\x01", std::string("\0", 1), "\xff\xd8", "\xff\xd8\xff",
                                  "\x89PNG\r\n\x1a\n", "RIFF\x04\0\0\0WEBP", "<html>" + picture(50, 50), "GIF89a=1;" + pdf(),
                                  "#!/bin/sh\n", "BM" + std::string(60, '\0'), "II*" + std::string(60, '\0')})
        check_both_refused(dealer, bytes, "image/jpeg", no_file);
}

BOOST_AUTO_TEST_CASE(what_polyglots_carry_is_not_stored) {
    const auto dealer = add_dealer(stack());
    const std::string script = "<?php system($_GET['c']); ?><script>alert(1)</script>";
    const auto jpeg = picture(60, 40), png = picture(60, 40, "x.png");
    // In a comment of a JPEG file, and behind the end of both.
    const std::string comment = std::string("\xff\xfe\0", 3) + char(script.size() + 2) + script;
    for (const auto& [bytes, type] :
         std::vector<std::pair<std::string, std::string>>{{jpeg.substr(0, 2) + comment + jpeg.substr(2), "image/jpeg"},
                                                          {jpeg + script, "image/jpeg"},
                                                          {png + script, "image/png"}}) {
        const auto answer = DealerClient(stack(), dealer).send("POST", "/api/v1/uploads", small_upload(bytes, type, "x.php.jpg"));
        if (answer.status == 400) continue;
        BOOST_REQUIRE_EQUAL(answer.status, 201);
        const auto served = Client(stack().site()).get(answer.json()["data"]["url"]);
        BOOST_TEST(served.body.find("php") == std::string::npos);
        BOOST_TEST(served.body.find("script") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(bombs_are_not_decoded) {
    const auto dealer = add_dealer(stack());
    constexpr const char* too_large = "must have at most 67 megapixels";
    check_both_refused(dealer, png_header(60000, 60000), "image/png", too_large);
    check_both_refused(dealer, png_header(0x7fffffff, 0x7fffffff), "image/png", too_large);
    check_both_refused(dealer, png_header(0xffffffff, 1), "image/png", no_file);
    check_both_refused(dealer, png_header(0, 5), "image/png", no_file);
    check_both_refused(dealer, png_header(7000, 7000), "image/png", no_picture);
    // A whole one of a few kB.
    const auto bomb = [] {
        const auto path =
            std::filesystem::temp_directory_path() / ("tradepost-bomb-" + core::to_hex(core::random_bytes(6)) + ".png");
        const auto made = run_command({"vips", "black", path.string() + "[compression=9,bitdepth=1]", "20000", "20000"});
        std::ifstream in(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::filesystem::remove(path);
        BOOST_REQUIRE_MESSAGE(made.code == 0, made.err);
        return bytes;
    }();
    BOOST_TEST(bomb.size() < 200'000u);
    check_both_refused(dealer, bomb, "image/png", too_large);
}

BOOST_AUTO_TEST_CASE(truncated_and_damaged_files) {
    const auto dealer = add_dealer(stack());
    const auto half = [](const std::string& bytes) { return bytes.substr(0, bytes.size() / 2); };
    check_both_refused(dealer, half(picture(800, 800, "x.jpg[Q=95]")), "image/jpeg", no_picture);
    check_both_refused(dealer, half(picture(800, 800, "x.png")), "image/png", no_picture);
    check_both_refused(dealer, half(picture(800, 800, "x.webp")), "image/webp", no_picture);
    check_both_refused(dealer, half(pdf()), "application/pdf", "must be a whole PDF");
    auto damaged = picture(300, 300, "x.png");
    damaged[damaged.size() / 2] ^= 0x55;
    check_both_refused(dealer, damaged, "image/png", no_picture);
}

BOOST_AUTO_TEST_CASE(another_type_than_announced) {
    const auto dealer = add_dealer(stack());
    DealerClient client(stack(), dealer);
    const auto jpeg = picture(40, 40);
    for (const auto& [bytes, type] : std::vector<std::pair<std::string, std::string>>{
             {jpeg, "image/png"}, {jpeg, "application/pdf"}, {pdf(), "image/jpeg"}}) {
        check_refused(client.send("POST", "/api/v1/uploads", small_upload(bytes, type)), 400,
                      "Invalid field: contentType: must be what the bytes are");
        const auto ticket = ticket_for(stack(), dealer, bytes, type);
        check_refused(put_bytes(stack(), ticket, bytes), 400, "Invalid field: contentType: must be what the bytes are");
    }
}

BOOST_AUTO_TEST_CASE(sizes) {
    const auto dealer = add_dealer(stack());
    DealerClient client(stack(), dealer);
    const auto filled = [](std::size_t size) { return pdf("filled", size); };
    BOOST_TEST(client.send("POST", "/api/v1/uploads", small_upload(filled(8 << 20), "application/pdf")).status == 201);
    check_refused(client.send("POST", "/api/v1/uploads", small_upload(filled((8 << 20) + 1), "application/pdf")), 400,
                  "Invalid field: data: must be at most 8 MiB; larger files go the way of size and sha256");
    check_refused(client.send("POST", "/api/v1/uploads", small_upload(std::string(10 << 20, 'x'), "application/pdf")), 413,
                  "Request body too large");
    // The limit of other routes stays.
    check_refused(client.send("POST", "/api/v1/stock", {{"title", std::string(2 << 20, 'x')}}), 413, "Request body too large");
    const auto most = filled(50 << 20);
    const auto ticket = ticket_for(stack(), dealer, most, "application/pdf");
    check_refused(put_bytes(stack(), ticket, most + "x"), 413, "Request body too large");
    BOOST_TEST(put_bytes(stack(), ticket, most).status == 200);
}

BOOST_AUTO_TEST_CASE(a_transfer_that_breaks_off_spends_nothing) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf(std::string(300'000, 'b'));
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    {
        RawConnection connection(stack().site());
        connection.send("PUT " + ticket + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(bytes.size()) +
                        "\r\n\r\n" + bytes.substr(0, 200'000));
        BOOST_TEST(await([&] { return incoming_files() > 0; }));
    }
    BOOST_TEST(await([&] { return incoming_files() == 0; }));
    BOOST_TEST(put_bytes(stack(), ticket, bytes).status == 200);
}

BOOST_AUTO_TEST_CASE(without_a_ticket_no_byte_is_taken_in) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf(std::string(300'000, 'c'));
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    auto forged = ticket;
    forged.back() = forged.back() == 'A' ? 'B' : 'A';
    {
        // The answer comes although most of the body never does, and without the worker that would take it.
        const Paused paused(stack().workers("uploads"));
        RawConnection connection(stack().site());
        connection.send("PUT " + forged + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 52428800\r\n\r\n" +
                        std::string(200'000, 'c'));
        const auto answer = connection.read_until("}");
        BOOST_TEST(answer.starts_with("HTTP/1.1 404 "), answer.substr(0, 200));
        BOOST_TEST(answer.ends_with("{\"error\":\"Not found\"}"));
        BOOST_TEST(incoming_files() == 0);
    }
    // No client may ask what nginx does.
    check_refused(Client(stack().site()).get("/check" + ticket), 404, "Not found");
    check_refused(Client(stack().site()).get("/.upload-ticket"), 404, "Not found");
    BOOST_TEST(put_bytes(stack(), ticket, bytes).status == 200);
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
    if (geteuid() != 0) {
        std::cerr << "SKIPPED uploads_refused/a_full_disk: only root can mount a small file system\n";
        return;
    }
    const auto done = run_command({"tests/support/full_disk", stack().state() + "-full", program_folder()});
    BOOST_TEST(done.code == 0, done.err);
    const std::string refused = "{\"error\":\"Service unavailable\"}503\n";
    BOOST_TEST(done.out == refused + refused + "0\n");
}

// A worker and its child die in the middle of a picture.
BOOST_AUTO_TEST_CASE(killed_workers_leave_nothing_that_is_served) {
    const auto dealer = add_dealer(stack());
    const auto count = stack().workers("uploads").size();
    const auto bytes = picture(5000, 4000, "x.jpg[Q=60]");
    const auto ticket = ticket_for(stack(), dealer, bytes, "image/jpeg");
    const auto pictures = [] { return stored_files(stack(), ".jpg") + stored_files(stack(), ".webp"); };
    const auto child = [&]() -> pid_t {
        for (const auto worker : stack().workers("uploads"))
            for (const auto found : children_of(worker)) return found;
        return 0;
    };
    const auto interrupted = [&](const std::function<void(pid_t)>& strike) {
        Answer answer;
        Thread client([&] { answer = put_bytes(stack(), ticket, bytes); });
        pid_t found = 0;
        BOOST_REQUIRE(await([&] { return (found = child()) != 0; }));
        strike(found);
        client.join();
        BOOST_TEST(await([&] { return !alive(found); }));
        return answer;
    };
    const int before = pictures();
    check_refused(interrupted([](pid_t process) { kill(process, SIGKILL); }), 400,
                  std::string("Invalid field: body: ") + no_picture);
    BOOST_TEST(pictures() == before);
    const auto lost = interrupted([&](pid_t process) {
        for (const auto worker : stack().workers("uploads"))
            for (const auto each : children_of(worker))
                if (each == process) kill(worker, SIGKILL);
    });
    check_refused(lost, 502, "Bad gateway");
    BOOST_TEST(stack().await_workers(count, "uploads"));
    // What that worker was at is swept once it is old.
    const auto work = stack().config().uploads.directory + "/work";
    BOOST_TEST(!std::filesystem::is_empty(work));
    BOOST_TEST(stack().ctl({"prune"}).code == 0);
    BOOST_TEST(!std::filesystem::is_empty(work));
    for (const auto& left : std::filesystem::directory_iterator(work))
        std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    BOOST_TEST(stack().ctl({"prune"}).code == 0);
    BOOST_TEST(std::filesystem::is_empty(work));
    BOOST_TEST(pictures() == before);
    const auto again = put_bytes(stack(), ticket, bytes);
    BOOST_TEST(again.status == 200, again.body);
}

BOOST_AUTO_TEST_SUITE_END()
