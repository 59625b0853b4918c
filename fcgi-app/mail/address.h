// Mailboxes: an address with the name of whom it belongs to.
#pragma once
#include <string>
#include <string_view>

#include "core/email.h"

namespace tradepost::mail {

using core::Mailbox;
using core::parse_mailbox;

// Text of a header in printable ASCII: as it is, or in encoded words (RFC 2047), folded, if it has other characters. White space and
// control characters become spaces, so that nothing ends the line.
std::string header_text(std::string_view text);

// A mailbox in a header: the address as wire_email() gives it. Throws std::invalid_argument when that gives none.
std::string header_mailbox(const Mailbox& mailbox);

}  // namespace tradepost::mail
