// Which refusals of a mail server are final for a letter: those that concern it or its receiver, and not this host or the sender.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

#include "mail/smtp.h"
#include "support/threads.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;

namespace {

// Takes one connection. Accepts everything but `command`: its first word, "" for the greeting and "." for the end of the letter.
class Server {
public:
    Server(const std::string& command, const std::string& answer) : command_(command), answer_(answer) {
        sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        BOOST_REQUIRE(bind(socket_, any, size) == 0 && listen(socket_, 1) == 0 && getsockname(socket_, any, &size) == 0);
        port = ntohs(address.sin_port);
        thread_ = test::Thread([this] { serve(); });
    }
    ~Server() {
        shutdown(socket_, SHUT_RDWR);
        thread_ = test::Thread();  // waits for it
        close(socket_);
    }
    int port;

private:
    void serve() {
        const int client = accept(socket_, nullptr, nullptr);
        if (client < 0) return;
        auto* const file = fdopen(client, "r");
        const auto say = [&](const std::string& command, const std::string& otherwise) {
            const auto line = (command == command_ ? answer_ : otherwise) + "\r\n";
            (void)send(client, line.data(), line.size(), MSG_NOSIGNAL);
        };
        say("", "220 here");
        if (command_.empty() && !answer_.starts_with('2')) shutdown(client, SHUT_WR);
        bool in_letter = false;
        for (std::array<char, 2000> line; std::fgets(line.data(), line.size(), file);) {
            const std::string text(line.data());
            if (in_letter && text != ".\r\n") continue;
            const auto command = text.substr(0, text.find_first_of(" \r"));
            in_letter = command == "DATA" && command_ != "DATA";
            const bool greets = command == "EHLO" || command == "HELO";
            say(command, in_letter ? "354 go on" : greets ? "250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN" : "250 2.0.0 yes");
        }
        (void)std::fclose(file);
    }

    const std::string command_, answer_;
    const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    test::Thread thread_;
};

// "sent", "again" or "never", and what the operator is told.
std::pair<std::string, std::string> attempt(const std::string& command, const std::string& answer,
                                            const std::string& password_file = {}) {
    const Server server(command, answer);
    core::MailConfig settings;
    if (!password_file.empty()) settings.user = "post";
    settings.password_file = password_file;
    settings.smtp = "smtp://127.0.0.1:" + std::to_string(server.port);
    settings.from = "post@trade.example";
    settings.tls = command == "STARTTLS";
    mail::Message letter;
    letter.to.address = "ada@dealer.example";
    letter.text = letter.html = "Hello\n";
    try {
        mail::Smtp(settings).send(letter, core::Time());
        return {"sent", ""};
    } catch (const mail::SendError& error) {
        const std::string text(error.what()), start = "the mail server did not take the letter: ";
        BOOST_TEST(text.starts_with(start), text);
        return {error.permanent ? "never" : "again", text.substr(start.size())};
    }
}

std::string fate(const std::string& command, const std::string& answer) {
    return attempt(command, answer).first;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mail_refusals)

BOOST_AUTO_TEST_CASE(of_a_letter_are_final) {
    BOOST_TEST(fate("NONE", "") == "sent");
    BOOST_TEST(fate("RCPT", "550 5.1.1 no such user") == "never");
    BOOST_TEST(fate("RCPT", "550 no such user") == "never");
    BOOST_TEST(fate("DATA", "554 no valid recipients") == "never");
    BOOST_TEST(fate(".", "554 5.7.1 the letter looks like advertising") == "never");
    for (const auto* command : {"RCPT", "DATA", "."}) BOOST_TEST(fate(command, "451 4.7.1 later") == "again");
}

BOOST_AUTO_TEST_CASE(of_this_host_or_the_sender_are_not) {
    for (const auto* command : {"", "MAIL"})
        for (const auto* answer : {"554 no service here", "550 5.7.1 not from you", "421 later"})
            BOOST_TEST(fate(command, answer) == "again", command << " " << answer);
    // By servers that wait for the receiver's address before they say it.
    BOOST_TEST(fate("RCPT", "554 5.7.1 the address of your host is on a list") == "again");
}

// As the server said it, since libcurl's words are "RCPT failed: 550" and "Weird server reply".
BOOST_AUTO_TEST_CASE(name_the_servers_words) {
    struct Row {
        const char *command, *answer, *told;
    };
    const Row rows[] = {
        {"", "554 5.7.1 your address is on a list", "554 5.7.1 your address is on a list"},
        {"", "421 come back later", "421 come back later"},
        {"", "SSH-2.0-OpenSSH_9.2", "SSH-2.0-OpenSSH_9.2"},
        {"", "HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n", "HTTP/1.1 400 Bad Request Server: nginx"},
        {"STARTTLS", "454 4.7.0 no certificate yet",
         "STARTTLS: 454 4.7.0 no certificate yet; the server offers no TLS: let it, or name another one in [mail] smtp"},
        {"MAIL", "550 5.7.1 sender rejected", "MAIL: 550 5.7.1 sender rejected"},
        {"RCPT", "550-5.1.1 no such user\r\n550 5.1.1 here", "RCPT: 550-5.1.1 no such user 550 5.1.1 here"},
        {"RCPT", "550 \x1b[2Jno", "RCPT: 550 \\x1b[2Jno"},
        {"DATA", "554 no valid recipients", "DATA: 554 no valid recipients"},
        {".", "554 5.7.1 looks like advertising", "DATA: 554 5.7.1 looks like advertising"},
    };
    for (const auto& row : rows)
        BOOST_TEST(attempt(row.command, row.answer).second == row.told, row.command << " " << row.answer);
}

BOOST_AUTO_TEST_CASE(of_a_sign_in_repeat_no_password) {
    const std::string file = "/tmp/tradepost-unit-" + std::to_string(getpid()) + ".password";
    std::ofstream(file) << "correct horse\n";
    const std::string remedy = "; correct user and password_file of [mail]";
    // "\0post\0correct horse" and "correct horse" in base64.
    const std::string plain = "AHBvc3QAY29ycmVjdCBob3JzZQ==", login = "Y29ycmVjdCBob3JzZQ==";
    BOOST_TEST(attempt("AUTH", "535 5.7.8 not accepted", file).second == "AUTH: 535 5.7.8 not accepted" + remedy);
    for (const auto& secret : {plain, plain.substr(0, 20), login, std::string("correct horse")})
        BOOST_TEST(
            attempt("AUTH", "500 unknown command '" + secret + "'", file).second == "AUTH: 500 unknown command '…'" + remedy,
            secret);
    std::remove(file.c_str());
}

BOOST_AUTO_TEST_SUITE_END()
