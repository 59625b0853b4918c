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
    std::optional<Mailbox> reply_to;
    std::string subject, text, html;
    std::string unsubscribe_url;  // an https address without spaces that ends such letters with one POST (RFC 8058), or empty
};

// All header lines but those of the MIME structure, each without its end.
std::vector<std::string> header_lines(const Message& message, const Mailbox& from, core::Time now);

}  // namespace tradepost::mail
