#include "identity/passwords/bcrypt.h"

#include <crypt.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <memory>
#include <string>

namespace tradepost::identity {
namespace {

constexpr std::size_t hash_length = 60, digest_start = 29;  // "$2y$12$", 22 characters of salt, 31 of digest
constexpr std::size_t significant_bytes = 72;
constexpr int lowest_cost = 4, highest_cost = 31;

struct Cleansed {
    void operator()(crypt_data* data) const {
        OPENSSL_cleanse(data, sizeof *data);
        delete data;
    }
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_base64(char c) {
    return c == '.' || c == '/' || is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// The hash of the password up to a NUL, with cost and salt of `setting`; empty when crypt_r() refuses them.
std::string compute(std::string_view password, const std::string& setting) {
    // Cut here: crypt_r() refuses more than 511 bytes, PHP does not.
    std::string phrase(password.substr(0, significant_bytes));
    const std::unique_ptr<crypt_data, Cleansed> data(new crypt_data{});
    const char* const computed = crypt_r(phrase.c_str(), setting.c_str(), data.get());
    OPENSSL_cleanse(phrase.data(), phrase.size());
    return computed ? computed : "";
}

}  // namespace

std::optional<int> bcrypt_cost(std::string_view hash) {
    if (hash.size() != hash_length || !(hash.starts_with("$2y$") || hash.starts_with("$2b$") || hash.starts_with("$2a$")))
        return {};
    if (!is_digit(hash[4]) || !is_digit(hash[5]) || hash[6] != '$') return {};
    if (!std::all_of(hash.begin() + 7, hash.end(), is_base64)) return {};
    const int cost = (hash[4] - '0') * 10 + (hash[5] - '0');
    if (cost < lowest_cost || cost > highest_cost) return {};
    return cost;
}

bool bcrypt_verify(std::string_view password, std::string_view hash) {
    if (!bcrypt_cost(hash)) return false;
    const std::string computed = compute(password, std::string(hash));
    // Only now: it takes as long as any other.
    if (password.find('\0') != std::string_view::npos) return false;
    // The digests alone: the last character of the salt has unused bits, in which implementations differ.
    return computed.size() == hash_length &&
           CRYPTO_memcmp(computed.data() + digest_start, hash.data() + digest_start, hash_length - digest_start) == 0;
}

void bcrypt_waste(std::string_view password, int cost) {
    if (cost < lowest_cost) return;
    const std::string digits = {char('0' + cost / 10), char('0' + cost % 10)};
    compute(password, "$2y$" + digits + "$" + std::string(hash_length - 7, '.'));
}

}  // namespace tradepost::identity
