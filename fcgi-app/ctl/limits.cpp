#include "ctl/limits.h"

#include <iostream>
#include <span>
#include <utility>

#include "identity/organisations/organisations.h"

namespace tradepost::ctl {
namespace {

using Count = std::pair<core::Uuid, std::int64_t>;

void tell(Context& context, const writes::Limit& limit, std::span<const Count> over) {
    if (over.empty()) return;
    const auto& [id, count] = over.front();
    const auto organisation = identity::Organisations(context.connection()).find(id);
    std::cerr << "tradepostctl: " << (organisation ? organisation->slug : id.to_string()) << " has " << count << " " << limit.name
              << ", more than its limit of " << limit.most(context.config());
    if (over.size() > 1)
        std::cerr << " (as "
                  << (over.size() == 2 ? "has another organisation" : "have " + std::to_string(over.size() - 1) + " others")
                  << ")";
    std::cerr << ": the API adds none until there are fewer; to allow them, raise " << limit.setting << "\n";
}

}  // namespace

void tell_of_limit(Context& context, writes::Things things, const core::Uuid& organisation_id) {
    const auto& limit = writes::limit_of(things);
    const Count count{organisation_id, writes::used(context.connection(), things, organisation_id, context.now())};
    if (std::uint64_t(count.second) > limit.most(context.config())) tell(context, limit, std::span(&count, 1));
}

void tell_of_limits(Context& context, std::string_view kind) {
    static constexpr std::pair<std::string_view, writes::Things> kinds[] = {{"users", writes::Things::members},
                                                                            {"jobs", writes::Things::jobs},
                                                                            {"events", writes::Things::events},
                                                                            {"posts", writes::Things::posts},
                                                                            {"stock", writes::Things::stock_items}};
    for (const auto& [name, things] : kinds)
        if (name == kind)
            tell(context, writes::limit_of(things),
                 writes::organisations_over(context.connection(), things, writes::limit_of(things).most(context.config())));
}

}  // namespace tradepost::ctl
