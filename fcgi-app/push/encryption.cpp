#include "push/encryption.h"

#include <openssl/evp.h>

#include <stdexcept>

#include "core/crypto.h"

namespace tradepost::push {
namespace {

constexpr std::size_t record_bytes = 4096, key_bytes = 16, nonce_bytes = 12, tag_bytes = 16;

// HKDF (RFC 5869) of up to 32 bytes, which is one step.
std::string derive(std::string_view salt, std::string_view secret, std::string info, std::size_t length) {
    info += '\x01';
    return core::hmac_sha256(core::hmac_sha256(salt, secret), info).substr(0, length);
}

// With the tag at the end.
std::string seal(std::string_view plain, const std::string& key, const std::string& nonce) {
    const auto bytes = [](auto& text) { return reinterpret_cast<const unsigned char*>(text.data()); };
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    std::string sealed(plain.size() + tag_bytes, '\0');
    auto* const out = reinterpret_cast<unsigned char*>(sealed.data());
    int length = 0, rest = 0;
    if (!context || EVP_EncryptInit_ex(context.get(), EVP_aes_128_gcm(), nullptr, bytes(key), bytes(nonce)) != 1 ||
        EVP_EncryptUpdate(context.get(), out, &length, bytes(plain), int(plain.size())) != 1 ||
        EVP_EncryptFinal_ex(context.get(), out + length, &rest) != 1 || std::size_t(length + rest) != plain.size() ||
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, int(tag_bytes), out + plain.size()) != 1)
        throw std::runtime_error("AES-GCM failed");
    return sealed;
}

}  // namespace

std::string encrypt(std::string_view message, std::string_view browser_public, std::string_view browser_auth, const Key& own,
                    std::string_view salt) {
    if (message.size() > longest_message) throw std::invalid_argument("the message is too long");
    const auto info = std::string("WebPush: info") + '\0' + std::string(browser_public) + own.public_key();
    const auto secret = derive(browser_auth, own.shared_secret(browser_public), info, 32);
    const auto key = derive(salt, secret, std::string("Content-Encoding: aes128gcm") + '\0', key_bytes);
    const auto nonce = derive(salt, secret, std::string("Content-Encoding: nonce") + '\0', nonce_bytes);

    std::string body(salt);
    for (const int shift : {24, 16, 8, 0}) body += char(record_bytes >> shift & 0xFF);
    body += char(public_bytes);
    body += own.public_key();
    // 2 ends the last record.
    return body + seal(std::string(message) + '\x02', key, nonce);
}

}  // namespace tradepost::push
