#include "support/uploads.h"

#include <filesystem>
#include <stdexcept>

#include "core/crypto.h"
#include "support/pictures.h"
#include "support/process.h"

namespace tradepost::test {

nlohmann::json small_upload(const std::string& bytes, const std::string& type, const std::string& name) {
    return {{"filename", name}, {"contentType", type}, {"data", base64(bytes)}};
}

nlohmann::json announcement(const std::string& bytes, const std::string& type, const std::string& name) {
    return {{"filename", name}, {"contentType", type}, {"size", bytes.size()}, {"sha256", core::to_hex(core::sha256(bytes))}};
}

std::string ticket_for(const Stack& stack, const Dealer& dealer, const std::string& bytes, const std::string& type,
                       const std::string& name) {
    const auto answer = DealerClient(stack, dealer).send("POST", "/api/v1/uploads", announcement(bytes, type, name));
    if (answer.status != 201) throw std::runtime_error("no ticket: " + answer.body);
    const std::string url = answer.json()["data"]["uploadUrl"];
    remember_secret(url.substr(std::string("/upload/").size()));
    return url;
}

Answer put_bytes(const Stack& stack, const std::string& ticket, const std::string& bytes, Headers headers) {
    Answer answer;
    await([&] {
        answer = put_bytes_once(stack, ticket, bytes, headers);
        return answer.body.find("Conflict: ticket is in use") == std::string::npos;
    });
    return answer;
}

Answer put_bytes_once(const Stack& stack, const std::string& ticket, const std::string& bytes, Headers headers) {
    return Client(stack.site()).send({.method = "PUT", .target = ticket, .headers = std::move(headers), .body = bytes});
}

int stored_files(const Stack& stack, const std::string& part) {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(stack.config().uploads.directory))
        count += entry.is_regular_file() && entry.path().filename().string().find(part) != std::string::npos;
    return count;
}

}  // namespace tradepost::test
