// Password hashing: Argon2id (RFC 9106); bcrypt and other parameters of Argon2id for imported hashes.
#pragma once
#include <string>
#include <string_view>

#include "core/config.h"

namespace tradepost::identity {

// May be used by several threads. A verification takes tens of milliseconds and the memory that the hash demands. Functions are
// virtual so that tests can count their calls.
class Passwords {
public:
    explicit Passwords(const core::Config::Auth& config);
    virtual ~Passwords() = default;

    // "$argon2id$v=19$m=…,t=…,p=1$salt$digest" with a random salt of 16 bytes. Throws std::system_error or std::bad_alloc.
    std::string hash(std::string_view password) const;

    enum class Verdict {
        wrong,
        right,
        needs_rehash,  // right, but hash() makes another form today
    };

    // `$argon2id$` with any acceptable parameters, and bcrypt as `$2y$`, `$2b$` or `$2a$`. An unknown or damaged hash, or one that
    // demands too much memory or time, is wrong and takes as long as verify_dummy(). Throws std::bad_alloc.
    virtual Verdict verify(std::string_view password, std::string_view hash) const;

    // Takes as long as verify() with a hash of ours. For users without one, so that the time does not tell them apart.
    virtual void verify_dummy(std::string_view password) const;

private:
    core::Config::Auth config_;
};

}  // namespace tradepost::identity
