#include "identity/passwords.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstdint>

#include "core/crypto.h"
#include "identity/argon2id.h"
#include "identity/bcrypt.h"

namespace tradepost::identity {
namespace {

constexpr std::size_t salt_length = 16, digest_length = 32;

// Limits of imported hashes: about a second of work, and memory that a worker may use.
constexpr std::uint32_t most_memory_kib = 256 * 1024;
constexpr std::uint64_t most_memory_kib_passes = 1024UL * 1024;
constexpr std::uint32_t most_lanes = 64;
// A much shorter digest could be matched by chance; crypt_blowfish and PHP write 16 bytes and more.
constexpr std::size_t shortest_digest = 16;

constexpr std::uint64_t least_memory_kib = 8;  // that Argon2 allows

bool is_acceptable(const Argon2id& hash) {
    return hash.memory_kib <= most_memory_kib && std::uint64_t(hash.memory_kib) * hash.passes <= most_memory_kib_passes &&
           hash.lanes <= most_lanes && hash.digest.size() >= shortest_digest;
}

// Whether Passwords::hash() makes such hashes.
bool is_ours(const Argon2id& hash, const core::Config::Auth& config) {
    return hash.version == 19 && hash.memory_kib == config.argon2_memory_kib && hash.lanes == 1 &&
           hash.passes == config.argon2_passes && hash.digest.size() >= shortest_digest;
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
        const bool ours = is_ours(*argon2, config_);
        if (!ours && !is_acceptable(*argon2)) return Verdict::wrong;
        std::string digest = argon2->compute(password, argon2->digest.size());
        const bool right = CRYPTO_memcmp(digest.data(), argon2->digest.data(), digest.size()) == 0;
        OPENSSL_cleanse(digest.data(), digest.size());
        if (!right) return Verdict::wrong;
        return ours ? Verdict::right : Verdict::needs_rehash;
    }
    const auto cost = bcrypt_cost(hash);
    if (!cost || *cost > most_bcrypt_cost) return Verdict::wrong;
    return bcrypt_verify(password, hash) ? Verdict::needs_rehash : Verdict::wrong;
}

HashingWork Passwords::work_of(std::string_view hash) const {
    if (const auto argon2 = Argon2id::parse(hash)) {
        if (is_ours(*argon2, config_) || is_acceptable(*argon2)) return {argon2->memory_kib, argon2->passes, 0};
        return {};
    }
    const auto cost = bcrypt_cost(hash);
    if (!cost || *cost > most_bcrypt_cost) return {};
    return {0, 1, std::uint64_t(1) << *cost};
}

void Passwords::waste(std::string_view password, const HashingWork& work) const {
    if (work.argon2_kib >= least_memory_kib) {
        Argon2id dummy;
        dummy.memory_kib = std::uint32_t(work.argon2_kib);
        dummy.passes = work.argon2_passes;
        dummy.salt.assign(salt_length, 's');
        std::string digest = dummy.compute(password, digest_length);
        OPENSSL_cleanse(digest.data(), digest.size());
    }
    for (int cost = 0; cost <= most_bcrypt_cost; ++cost)
        if (work.bcrypt_rounds >> cost & 1) bcrypt_waste(password, cost);
}

HashingWork most(const HashingWork& a, const HashingWork& b) {
    HashingWork both = a.argon2() < b.argon2() ? b : a;
    both.bcrypt_rounds = std::max(a.bcrypt_rounds, b.bcrypt_rounds);
    return both;
}

HashingWork rest(const HashingWork& all, const HashingWork& done) {
    return {(all.argon2() - std::min(all.argon2(), done.argon2())) / all.argon2_passes, all.argon2_passes,
            all.bcrypt_rounds - std::min(all.bcrypt_rounds, done.bcrypt_rounds)};
}

}  // namespace tradepost::identity
