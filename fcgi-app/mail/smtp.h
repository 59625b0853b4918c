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

// Keeps its connection open between letters. For one thread.
class Smtp {
public:
    // Copies the settings, which have a server. Throws core::ConfigError when their password cannot be read.
    explicit Smtp(const core::MailConfig& settings);
    ~Smtp();
    Smtp(const Smtp&) = delete;

    // Returns once the server has taken the letter. Throws SendError.
    void send(const Message& message, core::Time now);

    // Connects, encrypts and signs in as send() does, and sends nothing. Throws SendError.
    void check();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost::mail
