#include "identity/user.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "core/text.h"

namespace tradepost::identity {

std::string email_key(std::string_view email) {
    email = core::trim(email);
    utf8proc_uint8_t* folded = nullptr;
    const auto options = utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    const auto length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(email.data()), utf8proc_ssize_t(email.size()), &folded, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(folded, &std::free);
    if (length < 0) return core::lower_ascii(email);
    return {reinterpret_cast<const char*>(folded), std::size_t(length)};
}

bool has_storable_key(std::string_view email) {
    return email_key(email).size() <= max_email_key_length;
}

}  // namespace tradepost::identity
