#include "core/hmac.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <stdexcept>

namespace tradepost::core {

std::string hmac_sha256(std::string_view key, std::string_view message) {
    unsigned char code[32];
    const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
    if (!HMAC(EVP_sha256(), key.data(), int(key.size()), bytes, message.size(), code, nullptr))
        throw std::runtime_error("HMAC failed");
    return {reinterpret_cast<const char*>(code), sizeof code};
}

bool equal_constant_time(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tradepost::core
