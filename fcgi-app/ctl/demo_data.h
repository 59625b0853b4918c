// The demo data: what a UK trade marketplace might hold. The nth item of a kind is the same in every run; only times move with
// `now`.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "identity/organisation.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"

namespace tradepost::ctl::demo {

// Numbers that depend on the seed, a kind and an item only, on any machine.
class Random {
public:
    Random(std::string_view kind, std::size_t item);
    std::uint64_t next();
    std::size_t below(std::size_t bound) { return std::size_t(next() % bound); }
    bool chance(int percent) { return int(below(100)) < percent; }
    template <class Container>
    const auto& pick(const Container& from) {
        return from[below(std::size(from))];
    }

private:
    std::uint64_t state_;
};

struct Town {
    std::string_view name, postcode_area, county;
};

// A branch of the trade: what its dealers deal in and how they call themselves.
struct Sector {
    std::string_view tag;       // of posts
    std::string_view goods;     // "used cars"
    std::string_view machine;   // what a technician repairs: "cars and light vans"
    std::string_view names[4];  // "{} Motor Company"
    std::string_view makes[5];
    std::string_view subjects[4];  // what posts are about
};

struct Role {
    std::string_view title, category, department, summary;
    int salary_min, salary_max;  // a year
    std::string_view duties[4], wanted[3];
    bool remote = false;
};

std::span<const Town> towns();
std::span<const Sector> sectors();
std::span<const Role> roles();
std::string person(Random& random);  // "Harriet Lowe"
std::string surname(Random& random);
std::string postcode(Random& random, const Town& town);
std::string capital(std::string text);  // "Van" for "van"

// A version 7 UUID with a fixed time.
core::Uuid id(std::string_view kind, std::size_t item);

// Slugs are the base form: items may share one, and are then numbered by the caller.
identity::Organisation organisation(std::size_t n, core::Time now);
const Sector& sector_of(std::size_t organisation);
const Town& town_of(std::size_t organisation);
jobs::Job job(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now);
events::Event event(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now);
posts::Post post(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now);
stock::StockItem stock_item(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now);

}  // namespace tradepost::ctl::demo
