#include "identity/passwords/passwords.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstdint>

#include "core/crypto.h"
#include "core/text.h"
#include "identity/passwords/argon2id.h"
#include "identity/passwords/bcrypt.h"
#include "identity/passwords/wordpress.h"

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
    auto composed = core::nfc(password);
    hash.digest = hash.compute(composed, digest_length);
    OPENSSL_cleanse(composed.data(), composed.size());
    return hash.to_text();
}

Passwords::Verdict Passwords::verify(std::string_view password, std::string_view hash) const {
    auto composed = core::nfc(password);
    auto verdict = matches(composed, hash);
    if (verdict == Verdict::wrong && composed != password && matches(password, hash) != Verdict::wrong)
        verdict = Verdict::needs_rehash;
    OPENSSL_cleanse(composed.data(), composed.size());
    return verdict;
}

Passwords::Verdict Passwords::matches(std::string_view password, std::string_view hash) const {
    if (work_of(hash) == HashingWork{}) return Verdict::wrong;
    if (const auto argon2 = Argon2id::parse(hash)) {
        std::string digest = argon2->compute(password, argon2->digest.size());
        const bool right = CRYPTO_memcmp(digest.data(), argon2->digest.data(), digest.size()) == 0;
        OPENSSL_cleanse(digest.data(), digest.size());
        if (!right) return Verdict::wrong;
        return is_ours(*argon2, config_) ? Verdict::right : Verdict::needs_rehash;
    }
    const auto wordpress = wordpress_bcrypt(hash);
    const bool right = phpass_cost(hash)   ? phpass_verify(password, hash)
                       : wordpress.empty() ? bcrypt_verify(password, hash)
                                           : wordpress_verify(password, wordpress);
    return right ? Verdict::needs_rehash : Verdict::wrong;
}

std::optional<std::string> Passwords::fault(std::string_view hash) const {
    static const std::string otherwise = ": leave it out and use tradepostctl user set-password";
    if (work_of(hash) != HashingWork{}) return {};
    if (hash.starts_with("$argon2id$")) {
        if (Argon2id::parse(hash))
            return "must be an Argon2id hash that a sign-in can afford, of at most 256 MiB, 1 GiB in all passes and 64 lanes, "
                   "with "
                   "16 bytes of digest or more" +
                   otherwise;
        return "must be a whole Argon2id hash, such as $argon2id$v=19$m=19456,t=2,p=1$SALT$DIGEST with the salt and the digest "
               "in "
               "Base64 without padding: it is cut off or damaged";
    }
    if (hash.starts_with("$P$")) {
        if (phpass_cost(hash)) return "must have a cost of phpass of at most " + std::to_string(most_phpass_cost) + otherwise;
        return "must be a whole phpass hash of 34 characters, such as $P$B and 30 of ./A-Za-z0-9: it is cut off or damaged";
    }
    const auto wordpress = wordpress_bcrypt(hash);
    if (!wordpress.empty() && !bcrypt_cost(wordpress))
        return "must be a whole WordPress hash of 63 characters, such as $wp$2y$10$ and 53 of ./A-Za-z0-9: it is cut off or "
               "damaged";
    if (wordpress.empty() && !hash.starts_with("$2y$") && !hash.starts_with("$2b$") && !hash.starts_with("$2a$"))
        return "must begin with $2y$, $2b$, $2a$, $wp$2y$, $P$ or $argon2id$";
    if (!wordpress.empty() || bcrypt_cost(hash))
        return "must have a cost of bcrypt of at most " + std::to_string(most_bcrypt_cost) + otherwise;
    return "must be a whole bcrypt hash of 60 characters, such as $2y$10$ and 53 of ./A-Za-z0-9: it is cut off or damaged";
}

HashingWork Passwords::work_of(std::string_view hash) const {
    if (const auto argon2 = Argon2id::parse(hash)) {
        if (is_ours(*argon2, config_) || is_acceptable(*argon2)) return {argon2->memory_kib, argon2->passes, 0};
        return {};
    }
    if (const auto cost = phpass_cost(hash))
        return *cost <= most_phpass_cost ? HashingWork{.phpass_rounds = std::uint64_t(1) << *cost} : HashingWork{};
    const auto wordpress = wordpress_bcrypt(hash);
    const auto cost = bcrypt_cost(wordpress.empty() ? hash : wordpress);
    if (!cost || *cost > most_bcrypt_cost) return {};
    const auto rounds = std::uint64_t(1) << *cost;
    return wordpress.empty() ? HashingWork{.bcrypt_rounds = rounds} : HashingWork{.wordpress_rounds = rounds};
}

void Passwords::waste(std::string_view password, const HashingWork& work) const {
    compute(password, work);
    if (core::nfc(password) != password) compute(password, work);
}

void Passwords::compute(std::string_view password, const HashingWork& work) const {
    if (work.argon2_kib >= least_memory_kib) {
        Argon2id dummy;
        dummy.memory_kib = std::uint32_t(work.argon2_kib);
        dummy.passes = work.argon2_passes;
        dummy.salt.assign(salt_length, 's');
        std::string digest = dummy.compute(password, digest_length);
        OPENSSL_cleanse(digest.data(), digest.size());
    }
    for (int cost = 0; cost <= most_bcrypt_cost; ++cost) {
        if (work.bcrypt_rounds >> cost & 1) bcrypt_waste(password, cost);
        if (work.wordpress_rounds >> cost & 1) wordpress_waste(password, cost);
    }
    phpass_waste(password, work.phpass_rounds);
}

HashingWork most(const HashingWork& a, const HashingWork& b) {
    HashingWork both = a.argon2() < b.argon2() ? b : a;
    both.bcrypt_rounds = std::max(a.bcrypt_rounds, b.bcrypt_rounds);
    both.wordpress_rounds = std::max(a.wordpress_rounds, b.wordpress_rounds);
    both.phpass_rounds = std::max(a.phpass_rounds, b.phpass_rounds);
    return both;
}

HashingWork rest(const HashingWork& all, const HashingWork& done) {
    const auto less = [](std::uint64_t whole, std::uint64_t part) { return whole - std::min(whole, part); };
    return {less(all.argon2(), done.argon2()) / all.argon2_passes, all.argon2_passes, less(all.bcrypt_rounds, done.bcrypt_rounds),
            less(all.wordpress_rounds, done.wordpress_rounds), less(all.phpass_rounds, done.phpass_rounds)};
}

}  // namespace tradepost::identity
