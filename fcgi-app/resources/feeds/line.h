// One line of a feed, and which references the lines name.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>

#include "core/uuid.h"
#include "http/error.h"
#include "json/parse.h"
#include "resources/feeds/lines.h"

namespace tradepost::feeds {

struct Line {
    std::size_t number, place;             // with and without blank lines, from 1 and from 0
    std::optional<std::string> reference;  // none: it cannot be read
    json::Json body;
    std::optional<http::ApiError> error;  // why it is no object
};

// The line that Lines stands at.
Line read_line(const Lines& lines, std::size_t place);

// Throws 400 when the line is for another organisation.
void check_organisation(const json::Json& body, const core::Uuid& organisation_id);

// By hashes of the references: a feed may have 100,000.
class Keys {
public:
    void add(const Line& line);

    // Throws 409 when an earlier line names the same reference.
    void check(const Line& line) const;

    bool names(const std::string& reference) const { return lines_.contains(hash(reference)); }
    bool has_unknown() const { return has_unknown_; }  // a line whose reference cannot be read

private:
    using Hash = std::pair<std::uint64_t, std::uint64_t>;
    struct First {
        std::size_t operator()(const Hash& hash) const noexcept { return hash.first; }
    };
    static Hash hash(const std::string& reference);

    std::unordered_map<Hash, std::uint32_t, First> lines_;
    bool has_unknown_ = false;
};

}  // namespace tradepost::feeds
