#include "repo/enquiries.h"

#include <deque>

#include "repo/conditions.h"
#include "repo/enquiry_counts.h"
#include "repo/enquiry_row.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

constexpr const char* order = "t.created_at DESC, t.id DESC";

bool finds_nothing(const EnquiryFilter& filter) {
    return filter.organisation_ids.empty() && !filter.sender;
}

Conditions conditions(const EnquiryFilter& filter) {
    Conditions where;
    if (filter.sender) where.add("t.from_user_id = ?", {*filter.sender});
    where.add_ids("t.organisation_id", filter.organisation_ids);
    where.add_texts("t.status", filter.statuses);
    where.add_texts("t.type", filter.types);
    if (filter.stock_id) where.add("t.stock_id = ?", {*filter.stock_id});
    if (filter.job_id) where.add("t.job_id = ?", {*filter.job_id});
    if (filter.updated_since) where.add("t.updated_at >= ?", {*filter.updated_since});
    if (filter.updated_until) where.add("t.updated_at <= ?", {*filter.updated_until});
    return where;
}

// The optimizer would walk all of an organisation's for the few that a poll is about.
const char* index(const EnquiryFilter& filter) {
    if (filter.sender) return " FORCE INDEX (enquiries_sender)";
    return filter.updated_since ? " FORCE INDEX (enquiries_poll)" : " FORCE INDEX (enquiries_list)";
}

std::vector<EnquiryFilter> single_recipients(const EnquiryFilter& filter) {
    if (filter.sender || filter.organisation_ids.size() < 2) return {filter};
    std::vector<EnquiryFilter> all;
    for (const auto& id : filter.organisation_ids) {
        all.push_back(filter);
        all.back().organisation_ids = {id};
    }
    return all;
}

}  // namespace

std::int64_t Enquiries::count(const EnquiryFilter& filter) {
    if (finds_nothing(filter)) return 0;
    if (std::vector<FilterKey> keys; counted_filters(filter, keys)) {
        const auto sum = sum_of(EnquiryTable::name, keys, std::vector<CountRange>{{all_rows, 0, 0}});
        std::vector<db::Value> values{EnquiryTable::name};
        values.insert(values.end(), sum.values.begin(), sum.values.end());
        const auto row = connection_.query("SELECT " + std::string(counts_are_complete()) + ", " + sum.sql, values).at(0);
        if (!row.is_null(0)) return row.integer(1);
    }
    const auto where = conditions(filter);
    return connection_
        .query(std::string("SELECT COUNT(*) FROM enquiries t") + index(filter) + " WHERE " + where.sql(), where.values())
        .at(0)
        .integer(0);
}

// An index does not know how many rows lie before an entry; the counts do.
std::optional<OffsetStart> Enquiries::start_of(const EnquiryFilter& filter, std::int64_t offset) {
    std::vector<FilterKey> keys;
    if (offset < worth_a_search || !counted_filters(filter, keys)) return {};
    return find_offset(connection_, EnquiryTable::name, keys, creations, {}, offset);
}

std::vector<domain::Enquiry> Enquiries::page(const EnquiryFilter& filter, Slice slice) {
    std::vector<domain::Enquiry> enquiries;
    if (finds_nothing(filter)) return enquiries;
    const auto start = start_of(filter, slice.offset);
    if (start) slice.offset -= start->skipped;
    // The page's ids come from the index where it can tell them; only they are looked up whole. Several recipients are as many
    // walks, each in order: one over all of them would have to sort.
    const std::string newest = std::string(" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?");
    const auto walks = single_recipients(filter);
    std::deque<Conditions> lent;
    std::string ids;
    std::vector<db::Value> values;
    for (const auto& walk : walks) {
        auto& where = lent.emplace_back(conditions(walk));
        if (start) where.add("t.created_at < ?", {start->before});
        ids += std::string(ids.empty() ? "" : " UNION ALL ") + "(SELECT t.id, t.created_at FROM enquiries t" + index(walk) +
               " WHERE " + where.sql() + newest + ")";
        const auto its =
            walks.size() == 1 ? where.values({slice.limit, slice.offset}) : where.values({slice.offset + slice.limit, 0});
        values.insert(values.end(), its.begin(), its.end());
    }
    if (walks.size() > 1) {
        ids += newest;
        values.insert(values.end(), {slice.limit, slice.offset});
    }
    const auto rows = connection_.query(std::string("SELECT STRAIGHT_JOIN ") + enquiry_columns + " FROM (" + ids +
                                            ") k JOIN enquiries t FORCE INDEX (PRIMARY) ON t.id = k.id ORDER BY " + order,
                                        values);
    enquiries.reserve(rows.size());
    for (const auto& row : rows) enquiries.push_back(read_enquiry(row));
    return enquiries;
}

std::optional<domain::Enquiry> Enquiries::find(const core::Uuid& user_id, const core::Uuid& id) {
    const auto rows = connection_.query(
        std::string("SELECT ") + enquiry_columns +
            " FROM enquiries t JOIN memberships m ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
        {user_id, id});
    if (rows.empty()) return {};
    return read_enquiry(rows[0]);
}

}  // namespace tradepost::repo
