// A connection to the SMTP server, signed in. libcurl makes it; the letters go through it here, because libcurl announces SMTPUTF8 for the
// receiver's address alone, and a Reply-To may need it.
#pragma once
#include <curl/curl.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include "core/config_mail.h"

namespace tradepost::mail {

class Session {
public:
    using Deadline = std::chrono::steady_clock::time_point;

    // Connects, encrypts and signs in. Throws SendError, whose text begins with `what`, and core::ConfigError when the password cannot be read.
    Session(const core::MailConfig& settings, Deadline deadline, const std::string& what);
    ~Session();
    Session(const Session&) = delete;

    // Whether the server takes addresses that have other characters than ASCII before the @ (RFC 6531).
    bool smtputf8() const { return smtputf8_; }

    // Whether it still answers.
    bool is_alive(Deadline deadline) noexcept;

    // Sends a letter whose lines end with CR LF. Addresses are without brackets. Throws SendError; then the session is of no more use.
    void send(const std::string& from, const std::string& to, bool smtputf8, const std::string& content, Deadline deadline);

private:
    void connect(const core::MailConfig& settings, Deadline deadline, const std::string& what);
    void sent(std::string_view line);
    void received(std::string_view line);
    std::string answer() const;
    static int note(CURL*, curl_infotype type, char* data, std::size_t size, void* session);

    void say(std::string_view text, Deadline deadline);
    void hear(Deadline deadline);
    void ask(const std::string& line, char wanted, Deadline deadline);
    void wait(short events, Deadline deadline);
    [[noreturn]] void fail(const std::string& why, bool permanent = false) const;

    std::string user_, password_;
    CURL* handle_;
    curl_socket_t socket_ = CURL_SOCKET_BAD;
    std::array<char, CURL_ERROR_SIZE> reason_{};
    std::string command_, reply_;  // the last command's first word, and what was answered to it
    std::string unread_;           // what came behind the last reply
    bool whole_ = true;            // the reply has its last line
    bool quits_ = false;           // libcurl has given up, and says QUIT
    bool smtputf8_ = false;
};

}  // namespace tradepost::mail
