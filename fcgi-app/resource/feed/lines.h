// The lines of a feed, and which references they name.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/uuid.h"
#include "http/error.h"
#include "json/parse.h"

namespace tradepost::feeds {

inline constexpr std::size_t longest_line = 1 << 20;  // as long as the body of one item may be

class Lines {
public:
    // Fills the buffer from `offset` on and returns how many bytes that were; 0 at the end.
    using Source = std::function<std::size_t(std::uint64_t offset, char* buffer, std::size_t size)>;

    explicit Lines(Source source) : source_(std::move(source)) {}

    // The next line that is not blank; false at the end. Throws what the source throws.
    bool next();

    std::size_t number() const { return number_; }   // from 1, blank lines included
    std::string_view text() const { return text_; }  // without its end; cut where the line is too long
    bool is_too_long() const { return is_too_long_; }

    void rewind();

private:
    bool read_line();
    void add(std::string_view piece);

    Source source_;
    std::string buffer_, text_;
    std::size_t used_ = 0;  // of the buffer
    std::uint64_t offset_ = 0;
    std::size_t number_ = 0;
    bool is_too_long_ = false;
};

// One line, read.
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
