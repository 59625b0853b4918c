#include "core/crypto.h"

#include <openssl/sha.h>
#include <sys/random.h>
#include <xxhash.h>

#include <cerrno>
#include <system_error>

namespace tradepost::core {

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
        const ssize_t got = getrandom(bytes.data() + have, count - have, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "getrandom");
        }
        have += std::size_t(got);
    }
    return bytes;
}

std::string sha256(std::string_view data) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    SHA256(reinterpret_cast<const unsigned char*>(data.data()), data.size(), reinterpret_cast<unsigned char*>(digest.data()));
    return digest;
}

std::string fast_hash128(std::string_view data) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(data.data(), data.size()));
    return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

}  // namespace tradepost::core
