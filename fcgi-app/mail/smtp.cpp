#include "mail/smtp.h"

#include <chrono>

#include "mail/session.h"

namespace tradepost::mail {
namespace {

constexpr std::chrono::seconds time_limit{40};  // deliver/kinds.h

constexpr const char* no_smtputf8 =
    " has other characters than ASCII before the @, and the mail server does not offer SMTPUTF8: enable it there, or name "
    "another "
    "server in [mail] smtp";

Mailbox sender(const core::MailConfig& settings) {
    if (auto mailbox = parse_mailbox(settings.from)) return *mailbox;
    throw SendError("[mail] from is no address: write \"Name <address>\"", false);
}

}  // namespace

Smtp::Smtp(const core::MailConfig& settings) : settings_(settings) {}
Smtp::~Smtp() = default;

void Smtp::send(const Message& message, core::Time now) {
    const auto mailbox = sender(settings_);
    const auto from = core::wire_email(mailbox.address), to = core::wire_email(message.to.address);
    if (!from || !to) throw SendError("the address is none that mail can be sent to", true);
    const auto deadline = std::chrono::steady_clock::now() + time_limit;
    if (session_ && !session_->is_alive(deadline)) session_.reset();
    if (!session_) session_ = std::make_unique<Session>(settings_, deadline, "the mail server did not take the letter");
    const bool offered = session_->smtputf8();
    if (!offered && !from->is_ascii) throw SendError(std::string("[mail] from") + no_smtputf8, false);
    if (!offered && !to->is_ascii) throw SendError(std::string("the receiver's address") + no_smtputf8, true);
    const auto reply_to = message.reply_to ? core::wire_email(message.reply_to->address) : std::nullopt;
    const bool needed = !from->is_ascii || !to->is_ascii || (reply_to && !reply_to->is_ascii);
    session_->send(from->text(), to->text(), offered && needed, content(message, mailbox, now, offered), deadline);
}

void Smtp::check() {
    (void)sender(settings_);
    const Session session(settings_, std::chrono::steady_clock::now() + time_limit, "the mail server cannot be used");
}

}  // namespace tradepost::mail
