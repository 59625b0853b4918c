#include "support/dealer.h"

#include <stdexcept>

#include "core/crypto.h"

namespace tradepost::test {
namespace {

Finished checked(Finished finished) {
    if (finished.code != 0) throw std::runtime_error("tradepostctl: " + finished.err);
    return finished;
}

}  // namespace

Dealer add_dealer(const Stack& stack, const std::string& role) {
    const auto added =
        checked(stack.ctl({"org", "add", "--name", "Dealer " + core::to_hex(core::random_bytes(6)), "--published", "--json"}));
    const auto organisation = nlohmann::json::parse(added.out);
    return add_colleague(stack, {organisation["id"], organisation["slug"], {}, {}}, role);
}

Dealer add_colleague(const Stack& stack, const Dealer& dealer, const std::string& role) {
    Dealer colleague = dealer;
    colleague.user = stack.add_user();
    checked(stack.ctl({"org", "add-member", "--org", dealer.slug, "--email", colleague.user.email, "--role", role}));
    colleague.token = stack.mint(colleague.user);
    return colleague;
}

Answer DealerClient::send(const std::string& method, const std::string& target, const nlohmann::json& body, Headers more) {
    Message message{.method = method, .target = target, .headers = std::move(more)};
    message.headers.emplace_back("Authorization", "Bearer " + token_);
    if (!body.is_null()) {
        message.headers.emplace_back("Content-Type", "application/json");
        message.body = body.dump();
    }
    return client_.send(message);
}

}  // namespace tradepost::test
