// Mailboxes: an address with the name of whom it belongs to.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::mail {

struct Mailbox {
    std::string name, address;  // the name may be empty
};

// Whether mail can be sent there: the form of an address, without characters that could end it in a header or a command of SMTP.
bool is_deliverable(std::string_view address);

// "address", or "Name <address>". Empty for anything else.
std::optional<Mailbox> parse_mailbox(std::string_view text);

// Text of a header in printable ASCII: as it is, or in encoded words (RFC 2047), folded, if it has other characters. White space and
// control characters become spaces, so that nothing ends the line.
std::string header_text(std::string_view text);

// A mailbox in a header. The address is_deliverable().
std::string header_mailbox(const Mailbox& mailbox);

}  // namespace tradepost::mail
