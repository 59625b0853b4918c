// Events: fairs, auctions and open days.
#pragma once
#include <algorithm>
#include <optional>
#include <string>

#include "core/time.h"
#include "resource/item.h"

namespace tradepost::events {

struct Event {
    core::Uuid id;
    std::string slug;
    identity::OrganisationSummary organisation;
    std::optional<std::string> reference;  // the publisher's own name for it; compared byte by byte
    std::string title;
    std::optional<std::string> summary, description, category;
    core::Time starts_at;
    std::optional<core::Time> ends_at;
    std::optional<std::string> timezone, venue_name, address, city, country;
    bool is_online = false;
    std::optional<std::string> url, image_url;
    std::string status = "SCHEDULED";
    std::optional<core::Time> published_at;
    core::Time created_at, updated_at;
    bool listed = false;

    static const resource::Description<Event>& described();

    // What begins later than now is not over, whatever its end says.
    core::Time over_at() const { return ends_at ? std::max(starts_at, *ends_at) : starts_at; }
};

}  // namespace tradepost::events
