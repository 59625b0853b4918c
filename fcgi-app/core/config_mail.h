// The settings of [mail].
#pragma once
#include <chrono>
#include <string>

namespace tradepost::core {

struct MailConfig {
    std::string smtp;           // the server as smtp://HOST:PORT or smtps://HOST:PORT; empty: no mail is sent
    std::string from;           // an address, or a name with an <address>
    std::string user;           // empty: nobody signs in
    std::string password_file;  // its path
    bool tls = true;
    std::chrono::hours digest_hour{6};  // of the day in UTC
    std::string tls_ca;                 // a file of CA certificates; empty: the system's
    std::string fault;  // what cannot work, so that `config check` refuses it; the rest of the service runs all the same
    bool is_configured() const { return !smtp.empty(); }
};

// Reads the file. Throws ConfigError.
std::string mail_password(const MailConfig& mail);

}  // namespace tradepost::core
