#include "repo/job_counts.h"

#include <algorithm>
#include <set>

#include "core/text.h"

namespace tradepost::repo {
namespace {

// Fields in the order in which keys name them; an organisation's own jobs are a field of their own, as drafts are among them.
constexpr char organisation = 'o', category = 'c', department = 'd', contract_type = 't', city = 'y', own = 'O', status = 'S';

constexpr std::uint8_t with_salary = 1;
constexpr int salary_shifts[] = {16, 8, 0};
constexpr Histogram highest_salaries(2, salary_shifts), lowest_salaries(5, salary_shifts);

// Buckets of 50 days, 9 hours and 4 minutes; 50 and 3 days; 50 days: a bucket need not be narrower than what is quickly walked,
// and each level is another count that writers keep.
constexpr int shifts_of_all[] = {32, 25, 18}, shifts_of_one[] = {32, 28}, shifts_of_pairs[] = {32};
constexpr Histogram publications_of_all(8, shifts_of_all), publications_of_one(11, shifts_of_one),
    publications_of_pairs(13, shifts_of_pairs);

const Histogram& publications(std::size_t terms) {
    return terms == 0 ? publications_of_all : terms == 1 ? publications_of_one : publications_of_pairs;
}

constexpr std::string_view list = "jobs";

// Keys of one filter are as many as there are combinations of its values.
constexpr std::size_t most_keys = 64;

void add_publication(CountChanges& changes, const FilterKey& key, std::size_t terms, const CountedJob& job, std::int64_t n) {
    if (job.published_at) publications(terms).add(changes, key, publication_value(*job.published_at), n);
}

void add_listed(CountChanges& changes, const FilterKey& key, std::size_t terms, const CountedJob& job, std::int64_t n) {
    changes.add({key, all_rows, 0}, n);
    add_publication(changes, key, terms, job, n);
    if (job.salary_low && job.salary_high) {
        changes.add({key, with_salary, 0}, n);
        highest_salaries.add(changes, key, std::uint64_t(*job.salary_high), n);
        lowest_salaries.add(changes, key, std::uint64_t(*job.salary_low), n);
    }
}

// One field's values, as columns hold them.
struct Choice {
    char field;
    std::set<std::string> values;
};

std::set<std::string> folded(const std::vector<std::string>& texts) {
    std::set<std::string> keys;
    for (const auto& text : texts) keys.insert(core::fold_key(text));
    keys.erase("");
    return keys;
}

std::vector<Choice> choices_of(const JobFilter& filter) {
    std::vector<Choice> choices;
    if (filter.organisation_id) choices.push_back({organisation, {std::string(filter.organisation_id->bytes())}});
    if (!filter.categories.empty()) choices.push_back({category, folded(filter.categories)});
    if (!filter.departments.empty()) choices.push_back({department, folded(filter.departments)});
    if (!filter.contract_types.empty())
        choices.push_back({contract_type, {filter.contract_types.begin(), filter.contract_types.end()}});
    if (!filter.cities.empty()) choices.push_back({city, folded(filter.cities)});
    return choices;
}

// One for each combination of the values; false when they are too many.
bool combine(const std::vector<Choice>& choices, std::vector<FilterKey>& keys) {
    std::size_t combinations = 1;
    for (const auto& choice : choices)
        if ((combinations *= choice.values.size()) > most_keys) return false;
    static const std::set<std::string> nothing{""};
    const auto& first = choices.empty() ? nothing : choices[0].values;
    const auto& second = choices.size() < 2 ? nothing : choices[1].values;
    for (const auto& a : first)
        for (const auto& b : second) {
            std::vector<Term> terms;
            if (choices.size() > 0) terms.push_back({choices[0].field, a});
            if (choices.size() > 1) terms.push_back({choices[1].field, b});
            keys.push_back(filter_key(terms));
        }
    return true;
}

}  // namespace

std::uint64_t publication_value(core::Time published_at) {
    return std::uint64_t(std::max<std::int64_t>(0, published_at.time_since_epoch().count()));
}

CountedJob CountedJob::read(const db::Row& row, std::size_t first) {
    const auto text = [&] { return row.opt_text(first++).value_or(""); };
    CountedJob job;
    job.listed = row.boolean(first++);
    job.status = text();
    for (auto* key : {&job.organisation_id, &job.category_key, &job.department_key, &job.contract_type, &job.city_key})
        *key = text();
    job.salary_low = row.opt_integer(first++);
    job.salary_high = row.opt_integer(first++);
    job.published_at = row.opt_time(first++);
    return job;
}

void count(CountChanges& changes, const CountedJob& job, std::int64_t n) {
    for (const auto& key :
         {filter_key({{own, job.organisation_id}}), filter_key({{own, job.organisation_id}, {status, job.status}})}) {
        changes.add({key, all_rows, 0}, n);
        add_publication(changes, key, 1, job, n);
    }
    if (!job.listed) return;
    add_listed(changes, filter_key({}), 0, job, n);
    std::vector<Term> terms{{organisation, job.organisation_id},
                            {category, job.category_key},
                            {department, job.department_key},
                            {contract_type, job.contract_type},
                            {city, job.city_key}};
    std::erase_if(terms, [](const Term& term) { return term.value.empty(); });
    for (std::size_t i = 0; i < terms.size(); ++i) {
        add_listed(changes, filter_key({terms[i]}), 1, job, n);
        for (std::size_t j = i + 1; j < terms.size(); ++j) {
            const auto key = filter_key({terms[i], terms[j]});
            changes.add({key, all_rows, 0}, n);
            // One organisation's jobs are soon walked.
            if (terms[i].field != organisation) add_publication(changes, key, 2, job, n);
        }
    }
}

std::optional<CountSum> total_of(const JobFilter& filter, std::vector<FilterKey>& keys) {
    const auto choices = choices_of(filter);
    const bool by_salary = filter.salary_min || filter.salary_max;
    if (filter.salary_min && filter.salary_max && *filter.salary_min > *filter.salary_max)
        return {};  // a job may lie on both sides
    if (filter.every_state) {
        if (choices.size() > 1 || by_salary) return {};
        const auto& id = *choices[0].values.begin();
        const std::set<std::string> statuses(filter.statuses.begin(), filter.statuses.end());
        for (const auto& its : statuses) keys.push_back(filter_key({{own, id}, {status, its}}));
        if (statuses.empty()) keys.push_back(filter_key({{own, id}}));
    } else if (choices.size() > (by_salary ? 1 : 2) || !combine(choices, keys)) {
        return {};
    }
    if (keys.empty()) keys.push_back({});  // nothing is counted under it
    if (!by_salary) return sum_of(list, keys, std::vector<CountRange>{{all_rows, 0, 0}});

    // A range overlaps the asked one unless it ends before that begins, or begins after it ends.
    std::vector<CountRange> apart;
    if (filter.salary_min) apart = highest_salaries.below(std::uint64_t(std::min(*filter.salary_min, open_salary)));
    if (filter.salary_max)
        for (const auto& range : lowest_salaries.above(std::uint64_t(std::min(*filter.salary_max, open_salary))))
            apart.push_back(range);
    return sum_of(list, keys, std::vector<CountRange>{{with_salary, 0, 0}}, apart);
}

std::optional<CountedByPublication> counted_by_publication(const JobFilter& filter) {
    const auto choices = choices_of(filter);
    std::vector<FilterKey> keys;
    if (filter.every_state) {
        if (choices.size() > 1 || filter.salary_min || filter.salary_max || filter.statuses.size() > 1) return {};
        const auto& id = *choices[0].values.begin();
        return CountedByPublication{
            filter.statuses.empty() ? filter_key({{own, id}}) : filter_key({{own, id}, {status, filter.statuses[0]}}),
            publications(1)};
    }
    if (filter.salary_min || filter.salary_max || choices.size() > 2 || !combine(choices, keys) || keys.size() != 1) return {};
    if (choices.size() == 2 && choices[0].field == organisation) return {};
    return CountedByPublication{keys[0], publications(choices.size())};
}

}  // namespace tradepost::repo
