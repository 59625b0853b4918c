// A letter, ready to be sent.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "mail/address.h"

namespace tradepost::mail {

struct Message {
    core::Uuid id;  // the same at each attempt, so that the receiver sees one letter
    Mailbox to;
    std::optional<Mailbox> reply_to;  // left out where the server cannot take it; so a letter says it in its text, too
    std::string subject, text, html;
    std::string unsubscribe_url;  // an https address without spaces that ends such letters with one POST (RFC 8058), or empty
};

// All header lines but those of the MIME structure, each without its end. `smtputf8`: addresses with other characters than ASCII before the @
// may stand in them (RFC 6532). Otherwise `reply_to` is left out when it is such an address. Throws std::invalid_argument for `to` or `from`
// that core::wire_email() does not take.
std::vector<std::string> header_lines(const Message& message, const Mailbox& from, core::Time now, bool smtputf8);

// The whole letter: its headers, the text and the HTML as alternatives in quoted-printable. Lines end with CR LF.
std::string content(const Message& message, const Mailbox& from, core::Time now, bool smtputf8);

}  // namespace tradepost::mail
