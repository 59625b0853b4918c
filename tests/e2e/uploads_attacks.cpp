// Uploads by clients that mean harm: disk, processors and workers stay with the others.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "e2e/checks.h"
#include "support/pictures.h"
#include "support/raw_connection.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
namespace fs = std::filesystem;

namespace {

std::string incoming() {
    return stack().config().uploads.directory + "/incoming";
}

// Whether the head of a PUT, whose body never comes, gets this answer. For a moment the ticket may be in use by the PUT before.
void check_head_refused(const std::string& ticket, const std::string& length_header, int status, const std::string& error) {
    std::string answer;
    await([&] {
        RawConnection connection(stack().site());
        connection.send("PUT " + ticket + " HTTP/1.1\r\nHost: localhost\r\n" + length_header + "\r\n\r\n");
        // nginx keeps the connection open for a while, to read and discard the body.
        answer = connection.read_until("}");
        return !answer.ends_with(R"({"error":"Conflict: ticket is in use"})");
    });
    BOOST_TEST(answer.starts_with("HTTP/1.1 " + std::to_string(status) + " "), answer);
    BOOST_TEST(answer.ends_with("{\"error\":\"" + error + "\"}"), answer);
}

int remaining(const Answer& answer) {
    return std::stoi(answer.header("ratelimit-remaining").value_or("-1"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads_attacks)

BOOST_AUTO_TEST_CASE(a_body_of_another_length_is_refused_before_it_is_read) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf("x");
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    const char* const refusal = "Invalid field: size: must be the number of bytes in the body";
    for (const auto* header : {"Content-Length: 52428800", "Content-Length: 1"}) check_head_refused(ticket, header, 400, refusal);
    BOOST_TEST(put_bytes(stack(), ticket, bytes).status == 200);
    check_head_refused(ticket, "Content-Length: " + std::to_string(bytes.size()), 409, "Conflict: ticket is spent");
    check_head_refused(ticket, "Content-Length: 52428800", 409, "Conflict: ticket is spent");
}

BOOST_AUTO_TEST_CASE(a_ticket_takes_one_body_at_a_time) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf(std::string(100'000, 'b'));
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    RawConnection slow(stack().site());
    slow.send("PUT " + ticket + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
              std::to_string(bytes.size()) + "\r\n\r\n" + bytes.substr(0, 90'000));
    BOOST_TEST(await([] { return !fs::is_empty(incoming()); }));
    check_refused(put_bytes_once(stack(), ticket, bytes), 409, "Conflict: ticket is in use");
    check_refused(Client(stack().site()).get(ticket), 405, "Method not allowed");
    slow.send(bytes.substr(90'000));
    BOOST_TEST(slow.read_to_end().starts_with("HTTP/1.1 200 "));
}

BOOST_AUTO_TEST_CASE(bodies_count_as_writes_of_the_tickets_maker, *boost::unit_test::label("timing")) {
    const auto dealer = add_dealer(stack());
    DealerClient client(stack(), dealer);
    const auto bytes = pdf("x");
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    auto answer = put_bytes(stack(), ticket, bytes);
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("ratelimit-limit").value_or("") == "120");
    BOOST_TEST(remaining(answer) == 118);
    BOOST_TEST(remaining(client.send("POST", "/api/v1/stock")) == 117);
    int taken = 0;
    const auto begun = std::chrono::steady_clock::now();
    for (; taken < 200 && answer.status != 429; ++taken) answer = put_bytes(stack(), ticket, bytes);
    // The window slides: two more are allowed each second.
    const auto elapsed = std::chrono::steady_clock::now() - begun;
    BOOST_TEST(taken >= 118);
    BOOST_TEST(taken <= 119 + 2 * std::chrono::ceil<std::chrono::seconds>(elapsed).count());
    check_refused(answer, 429, "Too many requests. Please try again later.");
    BOOST_TEST(remaining(answer) == 0);
    const auto wait = std::stoi(answer.header("retry-after").value_or("0"));
    BOOST_TEST((wait >= 1 && wait <= 60));
    BOOST_TEST(answer.header("ratelimit-reset").value_or("") == std::to_string(wait));
    check_refused(client.send("POST", "/api/v1/stock"), 429, "Too many requests. Please try again later.");
}

BOOST_AUTO_TEST_CASE(the_third_body_that_cannot_be_decoded_spends_the_ticket) {
    const auto dealer = add_dealer(stack());
    DealerClient client(stack(), dealer);
    auto broken = picture(900, 700, "x.png");
    broken.resize(broken.size() / 2);
    const auto created = client.send("POST", "/api/v1/uploads", announcement(broken, "image/png")).json()["data"];
    const std::string ticket = created["uploadUrl"];
    const auto upload_url = [&] {
        return client.get("/api/v1/uploads/" + created["id"].get<std::string>()).json()["data"]["uploadUrl"];
    };
    auto other = broken;
    other.back() = char(~other.back());
    const auto put = [&](const std::string& bytes) { return put_bytes(stack(), ticket, bytes); };
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(upload_url() == ticket);
        // Bytes of another hash are no try.
        check_refused(put(other), 400, "Invalid field: sha256: must be the hash of the bytes in the body");
        check_refused(put(broken), 400, "Invalid field: body: must be a picture that can be decoded");
    }
    check_refused(put(broken), 409, "Conflict: ticket is spent");
    BOOST_TEST(upload_url().is_null());
}

BOOST_AUTO_TEST_CASE(bodies_that_nginx_is_receiving_have_a_total) {
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf("x");
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    const auto large = incoming() + "/9999999999";
    std::ofstream(large) << "";
    fs::resize_file(large, stack().config().uploads.spool_bytes - bytes.size() + 1);
    const auto answer = put_bytes(stack(), ticket, bytes);
    fs::remove(large);
    check_refused(answer, 503, "Service unavailable");
    BOOST_TEST(answer.header("retry-after").value_or("") == "5");
    BOOST_TEST(put_bytes(stack(), ticket, bytes).status == 200);
}

// One organisation has eight pictures decoded that take seconds each. Without turns they have all workers, and another organisation's small
// picture is refused after three seconds in the queue.
BOOST_AUTO_TEST_CASE(one_organisation_does_not_keep_the_pool, *boost::unit_test::label("timing")) {
    const auto attacker = add_dealer(stack()), honest = add_dealer(stack());
    const auto expensive = picture(7000, 7000, "x.png[compression=6]"), small = picture(400, 300);
    BOOST_TEST(expensive.size() < 1'000'000u);
    std::vector<std::string> tickets;
    for (int i = 0; i < 8; ++i) tickets.push_back(ticket_for(stack(), attacker, expensive, "image/png"));
    const auto ticket = ticket_for(stack(), honest, small, "image/jpeg");
    std::atomic<int> under_way = 0;
    std::vector<Answer> answers(tickets.size());
    std::vector<Thread> attack;
    for (std::size_t i = 0; i < tickets.size(); ++i)
        attack.emplace_back([&, i] {
            ++under_way;
            answers[i] = put_bytes(stack(), tickets[i], expensive);
        });
    const auto work = stack().config().uploads.directory + "/work";  // made when it is first needed
    std::error_code missing;
    BOOST_TEST(await([&] { return under_way == 8 && fs::directory_iterator(work, missing) != fs::directory_iterator(); }));
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = put_bytes(stack(), ticket, small);
    const auto taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (auto& one : attack) one.join();
    BOOST_TEST(answer.status == 200, answer.body);
    int ready = 0;
    for (const auto& one : answers) {
        ready += one.status == 200;
        if (one.status == 200) continue;
        check_refused(one, 503, "Service unavailable");
        BOOST_TEST(one.header("retry-after").has_value());
    }
    BOOST_TEST(ready >= 1);
    std::cout << "Under attack another organisation's small picture took " << taken << " s.\n";
}

BOOST_AUTO_TEST_SUITE_END()
