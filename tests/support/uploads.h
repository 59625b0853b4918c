// A dealer's software that uploads.
#pragma once
#include <string>

#include "support/dealer.h"

namespace tradepost::test {

nlohmann::json small_upload(const std::string& bytes, const std::string& type, const std::string& name = "a file");
nlohmann::json announcement(const std::string& bytes, const std::string& type, const std::string& name = "a file");

// Of an upload that was announced: the address for its bytes. Throws when that was refused.
std::string ticket_for(const Stack& stack, const Dealer& dealer, const std::string& bytes, const std::string& type,
                       const std::string& name = "a file");

// Without any credential, over a connection of its own. Sends the bytes again while the ticket is in use: nginx counts a request for a
// moment after its response, and until it sees that a client has closed its connection.
Answer put_bytes(const Stack& stack, const std::string& ticket, const std::string& bytes, Headers headers = {});

Answer put_bytes_once(const Stack& stack, const std::string& ticket, const std::string& bytes, Headers headers = {});

// Regular files below uploads.directory whose names contain `part`.
int stored_files(const Stack& stack, const std::string& part = "");

}  // namespace tradepost::test
