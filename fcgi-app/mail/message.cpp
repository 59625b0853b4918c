#include "mail/message.h"

#include "core/url.h"

namespace tradepost::mail {
namespace {

// RFC 5322, section 3.3.
std::string date(core::Time now) {
    auto text = core::to_http_date(now);
    text.replace(text.size() - 3, 3, "+0000");
    return text;
}

std::string host_of(const std::string& address) {
    const auto sent = core::wire_email(address);
    return sent ? sent->domain : std::string();
}

constexpr std::size_t longest_line = 76;  // RFC 2045, section 6.7

std::string quoted_printable(const std::string& text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte == '\r') continue;
        if (byte == '\n') {
            out += "\r\n";
            length = 0;
            continue;
        }
        const bool ends_line = at + 1 == text.size() || text[at + 1] == '\n' || text[at + 1] == '\r';
        const bool plain = byte > ' ' && byte < 0x7f && byte != '=';
        const bool space = (byte == ' ' || byte == '\t') && !ends_line;
        const std::size_t size = plain || space ? 1 : 3;
        if (length + size > longest_line - 1) {  // one for the = of a soft end
            out += "=\r\n";
            length = 0;
        }
        if (size == 1)
            out += text[at];
        else
            out.append({'=', digits[byte >> 4], digits[byte & 15]});
        length += size;
    }
    return out;
}

}  // namespace

std::vector<std::string> header_lines(const Message& message, const Mailbox& from, core::Time now, bool smtputf8) {
    std::vector<std::string> lines{
        "Date: " + date(now),
        "From: " + header_mailbox(from),
        "To: " + header_mailbox(message.to),
        "Subject: " + header_text(message.subject),
        "Message-ID: <" + message.id.to_string() + "@" + host_of(from.address) + ">",
        // RFC 3834: so that nobody's automatic reply comes back.
        "Auto-Submitted: auto-generated",
    };
    const auto reply_to = message.reply_to ? core::wire_email(message.reply_to->address) : std::nullopt;
    if (reply_to && (smtputf8 || reply_to->is_ascii)) lines.push_back("Reply-To: " + header_mailbox(*message.reply_to));
    if (!message.unsubscribe_url.empty()) {
        lines.push_back("List-Unsubscribe: <" + core::wire_url(message.unsubscribe_url).value_or("") + ">");
        lines.push_back("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    }
    return lines;
}

std::string content(const Message& message, const Mailbox& from, core::Time now, bool smtputf8) {
    // Quoted-printable text never has "=_".
    const auto boundary = "=_" + message.id.to_string();
    std::string text;
    for (const auto& line : header_lines(message, from, now, smtputf8)) text += line + "\r\n";
    text += "MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"" + boundary + "\"\r\n";
    for (const auto& [type, part] : {std::pair("text/plain", &message.text), std::pair("text/html", &message.html)})
        text += "\r\n--" + boundary + "\r\nContent-Type: " + type +
                "; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + quoted_printable(*part);
    return text + "\r\n--" + boundary + "--\r\n";
}

}  // namespace tradepost::mail
