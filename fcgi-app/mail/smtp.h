// The SMTP server that takes this instance's letters.
#pragma once
#include <memory>
#include <stdexcept>

#include "core/config_mail.h"
#include "mail/message.h"

namespace tradepost::mail {

// `what()` says what to do where an operator can do something.
struct SendError : std::runtime_error {
    SendError(const std::string& what, bool is_permanent) : std::runtime_error(what), permanent(is_permanent) {}
    bool permanent;  // the server refuses this letter or its receiver for good
};

class Session;

// Keeps its connection open between letters. For one thread.
class Smtp {
public:
    // Copies the settings, which have a server.
    explicit Smtp(const core::MailConfig& settings);
    ~Smtp();
    Smtp(const Smtp&) = delete;

    // Returns once the server has taken the letter. Throws SendError, and core::ConfigError when the password cannot be read. A receiver's
    // address that needs SMTPUTF8 of a server that does not offer it is a permanent SendError.
    void send(const Message& message, core::Time now);

    // Connects, encrypts and signs in as send() does, and sends nothing. Throws as send().
    void check();

private:
    core::MailConfig settings_;
    std::unique_ptr<Session> session_;  // the last letter's
};

}  // namespace tradepost::mail
