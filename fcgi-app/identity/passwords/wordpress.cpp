#include "identity/passwords/wordpress.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <memory>
#include <string>

#include "core/base64.h"
#include "identity/passwords/bcrypt.h"

namespace tradepost::identity {
namespace {

constexpr std::string_view phpass_alphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t cost_at = 3, salt_at = 4, phpass_digest_at = 12,
                      phpass_length = 34;  // "$P$B", 8 characters of salt, 22 of digest
constexpr int lowest_phpass_cost = 7, highest_phpass_cost = 30;

// As phpass writes it: the bits of the first byte come first, the lowest of them in front.
std::string encode(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const unsigned char byte : bytes) {
        bits |= std::uint32_t(byte) << count;
        for (count += 8; count >= 6; count -= 6, bits >>= 6) text += phpass_alphabet[bits & 63];
    }
    if (count > 0) text += phpass_alphabet[bits & 63];
    return text;
}

// MD5 of the salt and the password; then, `rounds` times, of the digest and the password. Empty when OpenSSL refuses MD5.
std::string phpass(std::string_view password, std::string_view salt, std::uint64_t rounds) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    const auto next = [&](const void* before, std::size_t size) {
        return EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) == 1 && EVP_DigestUpdate(context.get(), before, size) == 1 &&
               EVP_DigestUpdate(context.get(), password.data(), password.size()) == 1 &&
               EVP_DigestFinal_ex(context.get(), digest, &length) == 1;
    };
    if (!context || !next(salt.data(), salt.size())) return {};
    for (; rounds > 0; --rounds)
        if (!next(digest, length)) return {};
    return encode({reinterpret_cast<const char*>(digest), length});
}

std::string wordpress_digest(std::string_view password) {
    constexpr std::string_view key = "wp-sha384";
    unsigned char code[48];
    const auto* bytes = reinterpret_cast<const unsigned char*>(password.data());
    if (!HMAC(EVP_sha384(), key.data(), int(key.size()), bytes, password.size(), code, nullptr)) throw std::bad_alloc();
    return core::to_base64({reinterpret_cast<const char*>(code), sizeof code});
}

// As PHP's trim().
std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank(" \t\n\r\0\v", 6);
    const auto first = text.find_first_not_of(blank);
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

// As PHP's addslashes().
std::string with_slashes(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\'' || c == '"' || c == '\\' || c == '\0') escaped += '\\';
        escaped += c == '\0' ? '0' : c;
    }
    return escaped;
}

// Whether `is_right(form)` for the password as it was typed, or as WordPress's forms pass it on. A refusal takes both.
template <class IsRight>
bool any_form(std::string_view password, IsRight&& is_right) {
    const auto typed = trimmed(password);
    auto escaped = with_slashes(typed);
    const bool right = is_right(typed) || (escaped != typed && is_right(escaped));
    OPENSSL_cleanse(escaped.data(), escaped.size());
    return right;
}

}  // namespace

std::optional<int> phpass_cost(std::string_view hash) {
    if (hash.size() != phpass_length || !hash.starts_with("$P$")) return {};
    if (hash.find_first_not_of(phpass_alphabet, cost_at) != std::string_view::npos) return {};
    const int cost = int(phpass_alphabet.find(hash[cost_at]));
    if (cost < lowest_phpass_cost || cost > highest_phpass_cost) return {};
    return cost;
}

bool phpass_verify(std::string_view password, std::string_view hash) {
    const auto cost = phpass_cost(hash);
    const auto digest = hash.substr(cost ? phpass_digest_at : hash.size());
    return cost && any_form(password, [&](std::string_view form) {
               const auto computed = phpass(form, hash.substr(salt_at, phpass_digest_at - salt_at), std::uint64_t(1) << *cost);
               return computed.size() == digest.size() && CRYPTO_memcmp(computed.data(), digest.data(), digest.size()) == 0;
           });
}

void phpass_waste(std::string_view password, std::uint64_t rounds) {
    if (rounds > 0) any_form(password, [&](std::string_view form) { return phpass(form, "........", rounds).empty(); });
}

std::string_view wordpress_bcrypt(std::string_view hash) {
    return hash.starts_with("$wp$2y$") ? hash.substr(3) : std::string_view();
}

bool wordpress_verify(std::string_view password, std::string_view bcrypt_hash) {
    return any_form(password, [&](std::string_view form) { return bcrypt_verify(wordpress_digest(form), bcrypt_hash); });
}

void wordpress_waste(std::string_view password, int cost) {
    any_form(password, [&](std::string_view form) {
        bcrypt_waste(wordpress_digest(form), cost);
        return false;
    });
}

}  // namespace tradepost::identity
