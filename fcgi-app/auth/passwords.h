// Password hashes: Argon2id (RFC 9106) for ours, bcrypt and other Argon2id parameters for imported ones.
#pragma once
#include <string>
#include <string_view>

#include "core/config.h"

namespace tradepost::auth {

// May be used by several threads. Verification takes tens of milliseconds and, for the time of the call, the memory that
// the hash asks for. What is virtual is so that tests can count the calls.
class Passwords {
public:
    explicit Passwords(const core::Config::Auth& config);
    virtual ~Passwords() = default;

    // "$argon2id$v=19$m=…,t=…,p=1$salt$digest" with a random salt of 16 bytes. Throws std::system_error or std::bad_alloc.
    std::string hash(std::string_view password) const;

    enum class Verdict {
        wrong,
        right,
        right_but_old,  // not what hash() makes today: to be replaced
    };

    // `$argon2id$` of any sane parameters, and bcrypt as `$2y$`, `$2b$` or `$2a$`. An unknown or damaged hash, or one that asks
    // for absurd memory or time, is wrong, at the cost of waste_time(). Throws std::bad_alloc.
    virtual Verdict verify(std::string_view password, std::string_view hash) const;

    // Takes as long as verify() with a hash of ours: for those who have none.
    virtual void waste_time(std::string_view password) const;

private:
    core::Config::Auth config_;
};

}  // namespace tradepost::auth
