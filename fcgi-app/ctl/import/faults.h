// What an import says of a file's lines: their faults, and the amounts of money in them.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ctl/import/lines.h"
#include "fields/codes.h"
#include "fields/field.h"
#include "fields/json.h"
#include "json/parse.h"

namespace tradepost::ctl {

// "129,950.00 GBP" of 12995000 minor units, "28,000 GBP" of 28000 whole ones. Without a currency: as if it had two digits, "12.50".
std::string amount_text(std::int64_t amount, std::string_view currency, bool minor_units);

// The least and the most of each currency, so that pounds among pence are seen.
class Amounts {
public:
    struct Range {
        std::string field, currency;  // the currency may be empty
        bool minor_units;
        std::int64_t least, most;
    };

    template <class T>
    void add(const T& item, std::span<const fields::Field<T>> fields) {
        for (const auto& field : fields) {
            if (field.rule.money.currency.empty()) continue;
            const auto& amount = item.*std::get<std::optional<std::int64_t> T::*>(field.member);
            if (!amount) continue;
            for (const auto& other : fields)
                if (other.name == field.rule.money.currency)
                    add(field.name, (item.*std::get<std::optional<std::string> T::*>(other.member)).value_or(""),
                        field.rule.money.minor_units, *amount);
        }
    }

    std::vector<Range> ranges() const;  // by field and currency

private:
    void add(std::string_view field, const std::string& currency, bool minor_units, std::int64_t amount);

    std::map<std::pair<std::string, std::string>, Range> ranges_;
};

// "price: 45.00 to 129,950.00 GBP"
std::string to_text(const Amounts::Range& range);

// A line contradicts another line or the database. `what()` is the reason.
struct Contradiction : std::runtime_error {
    Contradiction(std::string its_field, const std::string& reason) : std::runtime_error(reason), field(std::move(its_field)) {}
    std::string field;
};

// What to add to what the API says of a value of the wrong type: prices are in minor units, and a number is no string. Empty when there is
// nothing to add. `object`: the line, which may name the currency.
std::string hint(std::string_view field, const fields::Rule& rule, const json::Json& object);

class Faults {
public:
    struct Fault {
        std::size_t line;
        std::string field;  // empty: the line is no object
        std::string reason;
        std::string text;  // both, as the API words it
    };
    static constexpr std::size_t most_shown = 100;

    // Runs `check` and notes the ApiError or the Contradiction that it throws. Returns whether it threw neither.
    template <class Check>
    bool attempt(std::size_t line, Check&& check) {
        try {
            check();
            return true;
        } catch (const http::ApiError& error) {
            add(line, error);
        } catch (const Contradiction& error) {
            add({line, error.field, error.what(), error.what()});
        }
        return false;
    }

    // The same for `read`, which reads the fields of a line and throws the first fault: notes those of the other fields, too.
    template <class T, class Read>
    bool attempt_fields(std::size_t line, const json::Json& object, std::span<const fields::Field<T>> fields, Read&& read) {
        try {
            read();
            return true;
        } catch (const http::ApiError& first) {
            std::vector<Fault> all;
            for (const auto& field : fields) {
                try {
                    T ignored;
                    fields::read_fields<T>(object, std::span(&field, 1), ignored, fields::Reading::import);
                } catch (const http::ApiError& error) {
                    all.push_back(describe(line, error));
                    const auto reason = all.back().reason;
                    if (reason != fields::wanted_type(field.rule.kind)) continue;
                    if (const auto more = hint(field.name, field.rule, object); !more.empty())
                        all.back() = describe(line, http::invalid_field(std::string(field.name), reason + ", " + more));
                }
            }
            // A rule of the whole line is a fault of its own.
            const auto of_line = describe(line, first);
            if (std::none_of(all.begin(), all.end(), [&](const Fault& other) { return other.field == of_line.field; }))
                add(of_line);
            for (const auto& fault : all) add(fault);
        }
        return false;
    }

    void add(std::size_t line, const http::ApiError& error) { add(describe(line, error)); }
    void add(Fault fault);

    std::size_t count() const { return count_; }
    std::size_t lines() const { return lines_at_fault_.size(); }
    const std::vector<Fault>& first() const { return first_; }  // at most most_shown, by line

    // Throws Faulty when there are any.
    void raise(const Lines& lines_read) const;

private:
    static Fault describe(std::size_t line, const http::ApiError& error);

    std::vector<Fault> first_;
    std::set<std::size_t> lines_at_fault_;
    std::size_t count_ = 0;
};

// An import that nothing was written of. `what()` names the first fault.
struct Faulty : Failure {
    Faulty(const Failure& failure, Faults its_faults) : Failure(failure), faults(std::move(its_faults)) {}
    Faults faults;
};

}  // namespace tradepost::ctl
