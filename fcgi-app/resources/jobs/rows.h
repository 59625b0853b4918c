// Jobs from rows, and to JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "json/writer.h"
#include "resources/jobs/job.h"

namespace tradepost::jobs {

// What read() wants of the table `t` and what is joined to it, in its order; `detailed` with the fields that lists leave out.
std::string columns(bool detailed);
// Without the index named, MariaDB 11.8 scans a small table and sorts all rows of the list.
inline constexpr const char* joins = " JOIN organisations o FORCE INDEX (PRIMARY) ON o.id = t.organisation_id";
Job read(db::Row& row, bool detailed);

void write(json::Writer& writer, const Job& job, bool detailed);
std::string render(const Job& job);  // with all details

// A job in any state; `visible` tells whether the public may see it at that time. One round trip.
struct Found {
    Job item;
    bool visible;
};
std::optional<Found> find(db::Connection& connection, std::string_view id_or_slug, core::Time now);

// The job in any state that the organisation knows by this reference.
std::optional<Job> find_by_reference(db::Connection& connection, const core::Uuid& organisation_id, const std::string& reference);

}  // namespace tradepost::jobs
