// What is read as a time is written in the one form, and that reads back as the same time.
#include "core/time.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/uuid.h"

using namespace tradepost::core;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

void require_round_trip(Time time) {
    const std::string text = to_rfc3339(time), sql = to_sql(time);
    require(text.size() == 24 && sql.size() == 23);
    require(parse_rfc3339(text) == time);
    require(parse_sql(sql) == time);
    require(parse_date(text.substr(0, 10)) == std::chrono::floor<std::chrono::days>(time));
    require(to_http_date(time).size() == 29);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto time = parse_rfc3339(text)) {
        require_round_trip(*time);
        // The bounds of any form: the fraction alone may be long.
        require(size >= 20 && text[4] == '-' && text[13] == ':');
    }
    if (const auto time = parse_sql(text)) require_round_trip(*time);
    if (const auto time = parse_date(text)) {
        require(to_rfc3339(*time) == std::string(text) + "T00:00:00.000Z");
        require(size == 10);
    }
    if (const auto id = Uuid::parse(text)) {
        require(size == 36 && Uuid::parse(id->to_string()) == id);
        require(Uuid::from_bytes(id->bytes()) == *id);
    }

    std::int64_t number = 0;
    std::memcpy(&number, data, std::min(size, sizeof number));
    static const auto first = parse_rfc3339("0000-01-01T00:00:00Z")->time_since_epoch().count();
    static const auto last = parse_rfc3339("9999-12-31T23:59:59.999Z")->time_since_epoch().count();
    require_round_trip(Time(milliseconds(first + std::int64_t(std::uint64_t(number) % std::uint64_t(last - first + 1)))));
    return 0;
}
