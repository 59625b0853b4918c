// Who sends a push message: the header that lets push services tell the sender, and refuse others with a subscription of theirs (RFC 8292).
#pragma once
#include <string>

#include "core/time.h"
#include "push/key.h"

namespace tradepost::push {

// The value of Authorization for a push service of this origin. `contact` is a mailto: or https: address of who runs the service.
std::string vapid(const Key& key, const std::string& origin, const std::string& contact, core::Time now);

}  // namespace tradepost::push
