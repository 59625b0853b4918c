// Optional values that a rule elsewhere fills in.
#pragma once
#include <stdexcept>
#include <utility>

namespace tradepost::core {

// The value. Throws std::logic_error if there is none: the rule is broken then, and a 500 is better than undefined behaviour.
template <class Optional>
decltype(auto) present(Optional&& optional) {
    if (!optional) throw std::logic_error("a value is missing that is always there");
    return *std::forward<Optional>(optional);
}

}  // namespace tradepost::core
