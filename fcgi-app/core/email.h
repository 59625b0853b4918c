// Email addresses: the one reading of them, and their form on the wire.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// Returns the address without the white space around it. Empty unless `text` is valid UTF-8 of at most 254 code points: one @, a host's name
// behind it (core/host.h) without a dot at its end, and before it no white space, control characters, quotes, commas or angle brackets.
std::optional<std::string> parse_email(std::string_view text);

// An address that parse_email() takes and that others can reach: its host is_public_name().
bool is_public_email(std::string_view text);

struct WireEmail {
    std::string local;   // a quoted string where SMTP and headers need one (RFC 5321, section 4.1.2)
    std::string domain;  // in ASCII
    bool is_ascii;       // otherwise the server must offer SMTPUTF8 (RFC 6531)
    std::string text() const { return local + "@" + domain; }
};

// The address as an SMTP envelope and the headers of a letter have it. Empty for what parse_email() does not take.
std::optional<WireEmail> wire_email(std::string_view text);

struct Mailbox {
    std::string name, address;  // the name may be empty
};

// Reads "address" or "Name <address>". Empty for anything else.
std::optional<Mailbox> parse_mailbox(std::string_view text);

}  // namespace tradepost::core
