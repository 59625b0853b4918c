#include "identity/sessions/totp.h"

#include <liboath/oath.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "core/crypto.h"

namespace tradepost::identity {
namespace {

constexpr std::int64_t step_seconds = OATH_TOTP_DEFAULT_TIME_STEP_SIZE;
constexpr int digits = 6;

void check(int result) {
    if (result != OATH_OK) throw std::runtime_error(std::string("one-time password: ") + oath_strerror(result));
}

std::string code_of(std::string_view secret, std::int64_t step) {
    char code[digits + 1];
    check(oath_totp_generate(secret.data(), secret.size(), step * step_seconds, step_seconds, OATH_TOTP_DEFAULT_START_TIME,
                             digits, code));
    return code;
}

}  // namespace

std::string new_totp_secret() {
    return core::random_bytes(20);
}

std::optional<std::int64_t> totp_step(std::string_view secret, std::string_view code, std::int64_t last_step, core::Time now) {
    static const int ready = oath_init();
    check(ready);
    const auto current = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count() / step_seconds;
    for (auto step = std::max(current - 1, last_step + 1); step <= current + 1; ++step)
        if (core::equal_constant_time(code_of(secret, step), code)) return step;
    return {};
}

std::string to_base32(std::string_view bytes) {
    char* text = nullptr;
    std::size_t length = 0;
    check(oath_base32_encode(bytes.data(), bytes.size(), &text, &length));
    const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
    const std::string_view padded(text, length);
    return std::string(padded.substr(0, padded.find('=')));
}

}  // namespace tradepost::identity
