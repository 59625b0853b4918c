// UUIDs (RFC 9562), stored as 16 bytes.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"

namespace tradepost::core {

class Uuid {
public:
    Uuid() = default;  // the nil UUID

    // A new version 7 UUID for `now`; ids made by one process are strictly ascending.
    static Uuid v7(Time now);

    // Parses the 36-character form in either case; empty for anything else.
    static std::optional<Uuid> parse(std::string_view text);

    // From the 16 bytes of a BINARY(16) column; throws std::invalid_argument for another length.
    static Uuid from_bytes(std::string_view bytes);

    std::string to_string() const;  // lower case, 36 characters
    std::string_view bytes() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

    auto operator<=>(const Uuid&) const = default;

private:
    std::array<std::uint8_t, 16> bytes_{};
};

}  // namespace tradepost::core
