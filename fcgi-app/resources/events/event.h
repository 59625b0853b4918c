// Events: fairs, auctions and open days.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "core/uuid.h"
#include "fields/field.h"
#include "identity/organisation.h"

namespace tradepost::events {

struct Event {
    core::Uuid id;
    std::string slug;
    identity::OrganisationSummary organisation;
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

    // What begins later than now is not over, whatever its end says.
    core::Time over_at() const { return ends_at ? std::max(starts_at, *ends_at) : starts_at; }
};

std::span<const fields::Field<Event>> event_fields();

// What is wrong with the event as a whole: it ends before it starts.
std::optional<fields::Fault> fault(const Event& event);

// The same for what members write, who publish nothing that does not say where it is: a city, unless it is online.
std::optional<fields::Fault> fault_in_writing(const Event& event);

}  // namespace tradepost::events
