// Reading jobs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/job.h"
#include "repo/offset_search.h"
#include "repo/search_engine.h"

namespace tradepost::repo {

// What jobs.salary_high holds for a range without an upper end: more than any salary, so that every bound finds it.
inline constexpr std::int64_t open_salary = 4294967295;

// Texts are as the client wrote them; several of one kind mean any of them, an empty list no filter.
struct JobFilter {
    std::optional<search::Query> search;
    std::vector<std::string> categories, departments, contract_types, cities;
    std::optional<core::Uuid> organisation_id;
    std::optional<std::int64_t> salary_min, salary_max;  // ranges that overlap
    bool every_state = false;                            // of organisation_id's jobs: what its members see
    std::vector<std::string> statuses;                   // with every_state
};

class Jobs {
public:
    Jobs(db::Connection& connection, SearchEngine& search) : connection_(connection), search_(search) {}

    // One round trip where the writers keep the filter's count (see job_counts.h); else the rows are counted.
    Count count(const JobFilter& filter, core::Time now);

    // Without descriptions; newest publishedAt first, then id descending. `count` is count()'s for the same filter.
    std::vector<domain::Job> page(const JobFilter& filter, const Count& count, Slice slice, core::Time now);

    // page() and count() at once, which is one round trip for most lists; `known`, when not null, is count()'s for the same
    // filter.
    std::pair<std::vector<domain::Job>, Count> list(const JobFilter& filter, Slice slice, core::Time now, const Count* known);

    // The same with `filter.search`, best match first.
    std::pair<std::vector<domain::Job>, Count> search(const JobFilter& filter, Slice slice, core::Time now);

    // A job in any state; `visible` tells whether the public may see it.
    struct Found {
        domain::Job job;
        bool visible;
    };
    std::optional<Found> find(std::string_view id_or_slug, core::Time now);

    // Whether the last count had to take off so many expired jobs that unlisting some of them pays.
    bool unlisting_is_due() const { return unlisting_is_due_; }
    // Unlists some, for after an answer; not due again for a second, for the next request waits. What fails is logged and left for then.
    void unlist_expired(core::Time now) noexcept;

private:
    std::optional<core::Time> next_expiry(core::Time now);
    std::optional<Count> kept_count(const JobFilter& filter, core::Time now);
    std::optional<Count> noted(std::optional<Count> count);
    // How a page is reached: which slice of the rows before a time, counted from the list's end or its beginning.
    struct Walk {
        Slice slice;
        std::optional<core::Time> before;
        bool backwards;
    };
    Walk walk_to(const JobFilter& filter, const Count& count, Slice slice, core::Time now);
    db::Rows rows(const JobFilter& filter, const Walk& walk, core::Time now, const std::string& more_columns = {},
                  std::vector<db::Value> values = {});
    std::optional<OffsetStart> start_of(const JobFilter& filter, const Count& count, std::int64_t offset, core::Time now);
    db::Connection& connection_;
    SearchEngine& search_;
    bool unlisting_is_due_ = false;
    std::chrono::steady_clock::time_point next_unlisting_{};
};

}  // namespace tradepost::repo
