// Password hashing: Argon2id (RFC 9106); bcrypt, WordPress's forms and other parameters of Argon2id for imported hashes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/config.h"

namespace tradepost::identity {

// What it takes to hash a password once.
struct HashingWork {
    std::uint64_t argon2_kib = 0;  // Argon2id: memory, and passes over it
    std::uint32_t argon2_passes = 1;
    std::uint64_t bcrypt_rounds = 0;
    std::uint64_t wordpress_rounds = 0;  // of bcrypt within `$wp$`: some passwords take them twice
    std::uint64_t phpass_rounds = 0;

    std::uint64_t argon2() const { return argon2_kib * argon2_passes; }
    bool operator==(const HashingWork&) const = default;
};
// The more expensive Argon2id of both, the more expensive bcrypt, and so on.
HashingWork most(const HashingWork& a, const HashingWork& b);
// What is left to do of `all` when `done` is done. Argon2id keeps its passes: the memory decides about the time of one.
HashingWork rest(const HashingWork& all, const HashingWork& done);

// May be used by several threads. A verification takes tens of milliseconds and the memory that the hash demands. Functions are
// virtual so that tests can count their calls.
class Passwords {
public:
    explicit Passwords(const core::Config::Auth& config);
    virtual ~Passwords() = default;

    // "$argon2id$v=19$m=…,t=…,p=1$salt$digest" of the password in NFC (RFC 8265, section 4.2), with a random salt of 16 bytes. Throws
    // std::system_error or std::bad_alloc.
    std::string hash(std::string_view password) const;

    enum class Verdict {
        wrong,
        right,
        needs_rehash,  // right, but hash() makes another form today
    };

    // As matches(), of the password in NFC; then as it was typed, if that differs: older and imported hashes may be of it.
    Verdict verify(std::string_view password, std::string_view hash) const;

    // `$argon2id$` with any acceptable parameters, bcrypt as `$2y$`, `$2b$` or `$2a$`, and WordPress's `$wp$2y$` and `$P$`. An unknown or damaged hash, or one that
    // demands too much memory or time, is wrong at once. Throws std::bad_alloc.
    virtual Verdict matches(std::string_view password, std::string_view hash) const;

    // What is wrong with a hash that was made elsewhere, as an import is told ("must be …"). Empty for all those that verify() can find
    // right.
    std::optional<std::string> fault(std::string_view hash) const;

    // What matches() does for `hash`: nothing for one that it refuses.
    HashingWork work_of(std::string_view hash) const;
    // What matches() does for a hash of ours.
    HashingWork own_work() const { return {config_.argon2_memory_kib, config_.argon2_passes, 0}; }

    // Does in vain what verify() does for hashes that take this work, so that the time of a refusal does not tell why.
    void waste(std::string_view password, const HashingWork& work) const;

    // `work` once, in vain.
    virtual void compute(std::string_view password, const HashingWork& work) const;

private:
    core::Config::Auth config_;
};

}  // namespace tradepost::identity
