// Stock of the demo data.
#include <algorithm>

#include "ctl/demo_data.h"

namespace tradepost::ctl::demo {
namespace {

using namespace std::chrono_literals;

struct Goods {
    std::string_view category, name;
    int from, to;  // whole pounds
    std::string_view variants[3];
};

// Of no sector in particular: every dealer has a yard full of them.
constexpr Goods goods[] = {
    {"Vehicle", "delivery van", 8000, 31000, {"short, low roof", "long, high roof", "crew cab"}},
    {"Vehicle", "pick-up", 11000, 34000, {"single cab", "double cab", "tipper body"}},
    {"Vehicle", "estate car", 4500, 26000, {"petrol", "diesel", "hybrid"}},
    {"Machine", "loader", 15000, 72000, {"telescopic", "compact", "with bucket"}},
    {"Machine", "generator", 900, 14000, {"20 kVA", "45 kVA", "silenced"}},
    {"Machine", "compressor", 1200, 9500, {"towable", "stationary", "two-tool"}},
    {"Trailer", "plant trailer", 1800, 7200, {"2.7 t", "3.5 t", "tilt bed"}},
    {"Trailer", "box trailer", 1500, 5900, {"single axle", "twin axle", "with shelves"}},
    {"Parts", "gearbox", 400, 3800, {"five-speed", "six-speed", "automatic"}},
    {"Parts", "set of wheels", 180, 1400, {"steel", "alloy", "with winter tyres"}},
};

constexpr std::string_view colours[] = {"white", "silver", "dark blue", "signal red", "grey", "green"};
constexpr std::string_view remarks[] = {"One owner from new.", "Serviced in our workshop last month.",
                                        "Sold with twelve months' warranty.", "Some marks on the bodywork; priced to match.",
                                        "Direct from a fleet, with full papers."};

}  // namespace

stock::StockItem stock_item(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now) {
    Random random("stock", n);
    // Whoever signs in to look around belongs to the first.
    const auto dealer = n % 3 == 0 ? 0 : random.below(organisations.size());
    const auto& kind = random.pick(goods);
    const auto& sector = sector_of(dealer);
    stock::StockItem item;
    item.id = id("stock", n);
    item.organisation_id = organisations[dealer].id;
    item.reference = "D" + std::to_string(100000 + n);
    item.category = kind.category;
    item.make = random.pick(sector.makes);
    item.model = std::string(1, char('A' + random.below(26))) + std::to_string(100 + 10 * random.below(60));
    item.variant = random.pick(kind.variants);
    item.title = *item.make + " " + *item.model + " " + std::string(kind.name);
    const auto today = std::chrono::floor<std::chrono::days>(now);
    const int this_year = int(std::chrono::year_month_day(today).year());
    const bool is_new = random.chance(15);
    item.condition = is_new ? "NEW" : random.chance(12) ? "REFURBISHED" : "USED";
    item.year = is_new ? this_year : this_year - 1 - int(random.below(12));
    item.description = capital(std::string(kind.name)) + ", " + *item.variant + ". " + std::string(random.pick(remarks)) +
                       "\n\nViewing at " + organisations[dealer].name + ", " + std::string(town_of(dealer).name) + ".\n";
    item.attributes["Colour"] = random.pick(colours);
    if (!is_new && kind.category != "Parts") item.attributes["Hours or miles"] = std::to_string(500 * (1 + random.below(240)));
    if (random.chance(30)) item.attributes["Location"] = "Row " + std::to_string(1 + random.below(18));

    const auto state = random.below(100);
    item.status = state < 78 ? "PUBLISHED" : state < 90 ? "DRAFT" : "ARCHIVED";
    const auto sale = random.below(100);
    item.availability = item.status == "ARCHIVED" || sale < 6 ? "SOLD"
                        : sale < 72                           ? "IN_STOCK"
                        : sale < 86                           ? "RESERVED"
                                                              : "DUE_IN";
    if (item.status != "DRAFT" || random.chance(60)) {
        item.price = (kind.from + std::int64_t(random.below(std::size_t(kind.to - kind.from)))) / 5 * 5 * 100;
        item.currency = "GBP";
    }
    item.created_at = now - std::chrono::minutes(random.below(200UL * 24 * 60)) - 2min;
    item.updated_at = std::min(now - 1min, item.created_at + std::chrono::minutes(random.below(40UL * 24 * 60)));
    return item;
}

}  // namespace tradepost::ctl::demo
