// Keys of the curve P-256, as the keys of Web Push are: a private one is its number, a public one a point that is not compressed.
#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace tradepost::push {

inline constexpr std::size_t private_bytes = 32, public_bytes = 65;

class Key {
public:
    static Key generate();

    // Of private_bytes. Throws std::invalid_argument for what is no private key.
    static Key from_private(std::string_view bytes);

    const std::string& public_key() const { return public_; }  // public_bytes
    std::string private_key() const;

    // The secret that it has in common with the owner of another public key (ECDH). Throws std::invalid_argument for what is no public key.
    std::string shared_secret(std::string_view other_public) const;

    // ES256 (RFC 7518, section 3.4): 64 raw bytes.
    std::string sign(std::string_view message) const;

private:
    using Handle = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
    explicit Key(Handle handle);

    Handle handle_;
    std::string public_;
};

// Whether it is a point of the curve.
bool is_public_key(std::string_view bytes);

}  // namespace tradepost::push
