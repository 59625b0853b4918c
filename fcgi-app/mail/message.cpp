#include "mail/message.h"

namespace tradepost::mail {
namespace {

// RFC 5322, section 3.3.
std::string date(core::Time now) {
    auto text = core::to_http_date(now);
    text.replace(text.size() - 3, 3, "+0000");
    return text;
}

std::string host_of(const std::string& address) {
    return address.substr(address.rfind('@') + 1);
}

}  // namespace

std::vector<std::string> header_lines(const Message& message, const Mailbox& from, core::Time now) {
    std::vector<std::string> lines{
        "Date: " + date(now),
        "From: " + header_mailbox(from),
        "To: " + header_mailbox(message.to),
        "Subject: " + header_text(message.subject),
        "Message-ID: <" + message.id.to_string() + "@" + host_of(from.address) + ">",
        // RFC 3834: so that nobody's automatic reply comes back.
        "Auto-Submitted: auto-generated",
    };
    if (message.reply_to) lines.push_back("Reply-To: " + header_mailbox(*message.reply_to));
    if (!message.unsubscribe_url.empty()) {
        lines.push_back("List-Unsubscribe: <" + message.unsubscribe_url + ">");
        lines.push_back("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    }
    return lines;
}

}  // namespace tradepost::mail
