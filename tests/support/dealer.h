// An organisation of a running stack with a user whose software works for it.
#pragma once
#include <string>

#include "support/stack.h"

namespace tradepost::test {

struct Dealer {
    std::string organisation_id, slug;
    User user;
    std::string token;
};

// A new, published organisation and a new user in that role (ADMIN, MEMBER).
Dealer add_dealer(const Stack& stack, const std::string& role = "ADMIN");

// Another user of the same organisation.
Dealer add_colleague(const Stack& stack, const Dealer& dealer, const std::string& role = "MEMBER");

// A dealer's software: one connection, JSON both ways, the token on every request.
class DealerClient {
public:
    DealerClient(const Stack& stack, const Dealer& dealer) : client_(stack.site()), token_(dealer.token) {}

    Answer get(const std::string& target) { return send("GET", target); }
    Answer send(const std::string& method, const std::string& target, const nlohmann::json& body = nullptr, Headers more = {});

private:
    Client client_;
    std::string token_;
};

}  // namespace tradepost::test
