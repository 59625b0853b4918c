#include "push/key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/param_build.h>

#include <stdexcept>

namespace tradepost::push {
namespace {

template <class T, void (*free)(T*)>
struct Free {
    void operator()(T* object) const { free(object); }
};
template <class T, void (*free)(T*)>
using Owned = std::unique_ptr<T, Free<T, free>>;
using Number = Owned<BIGNUM, BN_clear_free>;
using Group = Owned<EC_GROUP, EC_GROUP_free>;
using Point = Owned<EC_POINT, EC_POINT_free>;
using Context = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;

constexpr const char* curve = "P-256";

template <class Result>
Result need(Result result) {
    if (!result) throw std::runtime_error("OpenSSL cannot use keys of P-256");
    return result;
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

// Null when the parameters make no key.
EVP_PKEY* from_parameters(int selection, const BIGNUM* number, std::string_view point) {
    const Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free> builder(need(OSSL_PARAM_BLD_new()));
    need(OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve, 0));
    need(OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()));
    if (number) need(OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, number));
    const Owned<OSSL_PARAM, OSSL_PARAM_free> parameters(need(OSSL_PARAM_BLD_to_param(builder.get())));
    const Context context(need(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr)));
    need(EVP_PKEY_fromdata_init(context.get()) == 1);
    EVP_PKEY* key = nullptr;
    return EVP_PKEY_fromdata(context.get(), &key, selection, parameters.get()) == 1 ? key : nullptr;
}

EVP_PKEY* from_public(std::string_view point) {
    if (point.size() != public_bytes || point[0] != 4) return nullptr;
    return from_parameters(EVP_PKEY_PUBLIC_KEY, nullptr, point);
}

}  // namespace

Key::Key(Handle handle) : handle_(std::move(handle)), public_(public_bytes, '\0') {
    std::size_t length = 0;
    need(EVP_PKEY_get_octet_string_param(handle_.get(), OSSL_PKEY_PARAM_PUB_KEY, bytes_of(public_), public_.size(), &length) ==
             1 &&
         length == public_bytes);
}

Key Key::generate() {
    return Key(Handle(need(EVP_EC_gen(curve)), EVP_PKEY_free));
}

Key Key::from_private(std::string_view bytes) {
    const Group group(need(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)));
    const Number number(need(BN_bin2bn(bytes_of(bytes), int(bytes.size()), nullptr)));
    if (bytes.size() != private_bytes || BN_is_zero(number.get()) || BN_cmp(number.get(), EC_GROUP_get0_order(group.get())) >= 0)
        throw std::invalid_argument("no private key of P-256");
    const Point point(need(EC_POINT_new(group.get())));
    need(EC_POINT_mul(group.get(), point.get(), number.get(), nullptr, nullptr, nullptr));
    std::string encoded(public_bytes, '\0');
    need(EC_POINT_point2oct(group.get(), point.get(), POINT_CONVERSION_UNCOMPRESSED, bytes_of(encoded), encoded.size(),
                            nullptr) == public_bytes);
    return Key(Handle(need(from_parameters(EVP_PKEY_KEYPAIR, number.get(), encoded)), EVP_PKEY_free));
}

std::string Key::private_key() const {
    BIGNUM* read = nullptr;
    need(EVP_PKEY_get_bn_param(handle_.get(), OSSL_PKEY_PARAM_PRIV_KEY, &read));
    const Number number(read);
    std::string bytes(private_bytes, '\0');
    need(BN_bn2binpad(number.get(), bytes_of(bytes), int(bytes.size())) == int(bytes.size()));
    return bytes;
}

std::string Key::shared_secret(std::string_view other_public) const {
    const Handle other(from_public(other_public), EVP_PKEY_free);
    if (!other) throw std::invalid_argument("no public key of P-256");
    const Context context(need(EVP_PKEY_CTX_new(handle_.get(), nullptr)));
    std::string secret(private_bytes, '\0');
    std::size_t length = secret.size();
    need(EVP_PKEY_derive_init(context.get()) == 1 && EVP_PKEY_derive_set_peer(context.get(), other.get()) == 1 &&
         EVP_PKEY_derive(context.get(), bytes_of(secret), &length) == 1 && length == secret.size());
    return secret;
}

std::string Key::sign(std::string_view message) const {
    const Owned<EVP_MD_CTX, EVP_MD_CTX_free> context(need(EVP_MD_CTX_new()));
    need(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, handle_.get()) == 1);
    std::string der(std::size_t(EVP_PKEY_get_size(handle_.get())), '\0');
    std::size_t length = der.size();
    need(EVP_DigestSign(context.get(), bytes_of(der), &length, bytes_of(message), message.size()) == 1);
    const auto* at = bytes_of(std::string_view(der));
    const Owned<ECDSA_SIG, ECDSA_SIG_free> signature(need(d2i_ECDSA_SIG(nullptr, &at, long(length))));
    std::string raw(2 * private_bytes, '\0');
    need(BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), bytes_of(raw), private_bytes) == int(private_bytes) &&
         BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), bytes_of(raw) + private_bytes, private_bytes) == int(private_bytes));
    return raw;
}

bool is_public_key(std::string_view bytes) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(from_public(bytes), EVP_PKEY_free);
    return key != nullptr;
}

}  // namespace tradepost::push
