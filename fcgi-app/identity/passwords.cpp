#include "identity/passwords.h"

#include <openssl/crypto.h>

#include <cstdint>

#include "core/crypto.h"
#include "identity/argon2id.h"
#include "identity/bcrypt.h"

namespace tradepost::identity {
namespace {

constexpr std::size_t salt_length = 16, digest_length = 32;

// Limits of imported hashes: about a second of work, and memory that a worker may use.
constexpr std::uint32_t most_memory_kib = 256 * 1024;
constexpr std::uint64_t most_memory_kib_passes = 1024 * 1024;
constexpr std::uint32_t most_lanes = 64;
constexpr int most_bcrypt_cost = 16;
// A much shorter digest could be matched by chance; crypt_blowfish and PHP write 16 bytes and more.
constexpr std::size_t shortest_digest = 16;

bool is_acceptable(const Argon2id& hash) {
    return hash.memory_kib <= most_memory_kib && std::uint64_t(hash.memory_kib) * hash.passes <= most_memory_kib_passes &&
           hash.lanes <= most_lanes && hash.digest.size() >= shortest_digest;
}

}  // namespace

Passwords::Passwords(const core::Config::Auth& config) : config_(config) {}

std::string Passwords::hash(std::string_view password) const {
    Argon2id hash;
    hash.memory_kib = config_.argon2_memory_kib;
    hash.passes = config_.argon2_passes;
    hash.salt = core::random_bytes(salt_length);
    hash.digest = hash.compute(password, digest_length);
    return hash.to_text();
}

Passwords::Verdict Passwords::verify(std::string_view password, std::string_view hash) const {
    if (const auto argon2 = Argon2id::parse(hash)) {
        const bool ours = argon2->version == 19 && argon2->memory_kib == config_.argon2_memory_kib && argon2->lanes == 1 &&
                          argon2->passes == config_.argon2_passes && argon2->digest.size() >= shortest_digest;
        if (ours || is_acceptable(*argon2)) {
            std::string digest = argon2->compute(password, argon2->digest.size());
            const bool right = CRYPTO_memcmp(digest.data(), argon2->digest.data(), digest.size()) == 0;
            OPENSSL_cleanse(digest.data(), digest.size());
            if (!right) return Verdict::wrong;
            return ours ? Verdict::right : Verdict::needs_rehash;
        }
    } else if (const auto cost = bcrypt_cost(hash); cost && *cost <= most_bcrypt_cost) {
        return bcrypt_verify(password, hash) ? Verdict::needs_rehash : Verdict::wrong;
    }
    verify_dummy(password);
    return Verdict::wrong;
}

void Passwords::verify_dummy(std::string_view password) const {
    Argon2id dummy;
    dummy.memory_kib = config_.argon2_memory_kib;
    dummy.passes = config_.argon2_passes;
    dummy.salt.assign(salt_length, 's');
    std::string digest = dummy.compute(password, digest_length);
    OPENSSL_cleanse(digest.data(), digest.size());
}

}  // namespace tradepost::identity
