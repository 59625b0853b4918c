#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <map>

#include "fields/json.h"
#include "identity/organisations/organisation.h"
#include "json/parse.h"
#include "resource/description.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "support/refusal.h"

using namespace tradepost;
using namespace tradepost::fields;
using namespace tradepost::jobs;
using namespace tradepost::events;
using namespace tradepost::posts;
using namespace tradepost::identity;

namespace {

Job publishable() {
    Job job;
    job.title = "Sales advisor";
    job.description = "Sell.";
    job.category = "Sales";
    job.contract_type = "PERMANENT";
    job.city = "Leeds";
    job.status = "PUBLISHED";
    return job;
}

std::string wrong(const Job& job) {
    const auto f = Job::described().fault(job);
    return f ? std::string(f->field) + ": " + f->why : "nothing";
}

template <class T>
std::string names(std::span<const Field<T>> fields, Use use) {
    std::string list;
    for (const auto& field : fields)
        if (field.use == use) list.append(list.empty() ? "" : " ").append(field.name);
    return list;
}

// What a body of one member is refused with, by a field's description.
template <class T>
std::string refused(std::span<const Field<T>> fields, const std::string& member) {
    T into{};
    return test::refusal([&] { fields::read_fields<T>(json::parse("{" + member + "}"), fields, into, fields::Reading::change); });
}

std::string text(std::size_t length) {
    return '"' + std::string(length, 'x') + '"';
}

// The maximum of a text field, to the code point.
template <class T>
void check_length(std::span<const Field<T>> fields, const std::string& name, std::size_t max) {
    BOOST_TEST(refused(fields, "\"" + name + "\":" + text(max)) == "accepted", name);
    BOOST_TEST(refused(fields, "\"" + name + "\":" + text(max + 1)).starts_with("400 Invalid field: " + name + ": must be "),
               name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(domain_resources)

BOOST_AUTO_TEST_CASE(fields_are_the_contracts) {
    BOOST_TEST(names(Job::described().fields, Use::writable) ==
               "reference title summary category department contractType workingHours workplace city postalCode country "
               "salaryMin salaryMax salaryCurrency "
               "salaryPeriod applyUrl applyEmail status expiresAt");
    BOOST_TEST(names(Job::described().fields, Use::detail) == "description");
    BOOST_TEST(names(Job::described().fields, Use::read_only) == "publishedAt createdAt updatedAt");
    BOOST_TEST(
        names(Event::described().fields, Use::writable) ==
        "reference title summary category startsAt endsAt timezone venueName address city country isOnline url imageUrl status "
        "publishedAt");
    BOOST_TEST(names(Event::described().fields, Use::detail) == "description");
    BOOST_TEST(names(Post::described().fields, Use::writable) == "reference title summary imageUrl tags authorName publishedAt");
    BOOST_TEST(names(Post::described().fields, Use::detail) == "body");
    BOOST_TEST(names(organisation_fields(), Use::writable) ==
               "name description website phone email address city postalCode country");
    BOOST_TEST(names(organisation_fields(), Use::read_only) == "published test createdAt updatedAt");
}

BOOST_AUTO_TEST_CASE(lengths_are_the_contracts) {
    for (const auto& [name, max] : std::map<std::string, std::size_t>{{"title", 150},
                                                                      {"summary", 300},
                                                                      {"description", 20000},
                                                                      {"category", 80},
                                                                      {"department", 80},
                                                                      {"city", 80},
                                                                      {"postalCode", 16}})
        check_length(Job::described().fields, name, max);
    for (const auto& [name, max] : std::map<std::string, std::size_t>{
             {"title", 150}, {"summary", 300}, {"description", 20000}, {"category", 80}, {"city", 80}})
        check_length(Event::described().fields, name, max);
    for (const auto& [name, max] : std::map<std::string, std::size_t>{{"title", 150}, {"summary", 300}, {"body", 100000}})
        check_length(Post::described().fields, name, max);
    for (const auto& [name, max] : std::map<std::string, std::size_t>{
             {"name", 150}, {"description", 20000}, {"phone", 40}, {"address", 300}, {"city", 80}, {"postalCode", 16}})
        check_length(organisation_fields(), name, max);
    BOOST_TEST(refused(Job::described().fields, "\"title\":\"\"") ==
               "400 Invalid field: title: must be 1 to 150 characters long");
    BOOST_TEST(refused(organisation_fields(), "\"name\":\"\"") == "400 Invalid field: name: must be 1 to 150 characters long");
}

BOOST_AUTO_TEST_CASE(values_are_the_contracts) {
    BOOST_TEST(
        refused(Job::described().fields, "\"contractType\":\"x\"") ==
        "400 Invalid field: contractType: must be one of PERMANENT, FIXED_TERM, TEMPORARY, CONTRACT, APPRENTICESHIP, INTERNSHIP");
    BOOST_TEST(refused(Job::described().fields, "\"workingHours\":\"x\"") ==
               "400 Invalid field: workingHours: must be one of FULL_TIME, PART_TIME");
    BOOST_TEST(refused(Job::described().fields, "\"workplace\":\"x\"") ==
               "400 Invalid field: workplace: must be one of ON_SITE, HYBRID, REMOTE");
    BOOST_TEST(refused(Job::described().fields, "\"salaryPeriod\":\"x\"") ==
               "400 Invalid field: salaryPeriod: must be one of HOUR, DAY, WEEK, MONTH, YEAR");
    BOOST_TEST(refused(Job::described().fields, "\"status\":\"x\"") ==
               "400 Invalid field: status: must be one of DRAFT, PUBLISHED, CLOSED, ARCHIVED");
    BOOST_TEST(refused(Event::described().fields, "\"status\":\"x\"") ==
               "400 Invalid field: status: must be one of SCHEDULED, CANCELLED, POSTPONED");
    for (const std::string name : {"salaryMin", "salaryMax"}) {
        BOOST_TEST(refused(Job::described().fields, "\"" + name + "\":0") == "accepted");
        BOOST_TEST(refused(Job::described().fields, "\"" + name + "\":1000000000") == "accepted");
        BOOST_TEST(refused(Job::described().fields, "\"" + name + "\":-1") ==
                   "400 Invalid field: " + name + ": must be an integer from 0 to 1000000000");
        BOOST_TEST(refused(Job::described().fields, "\"" + name + "\":1000000001") ==
                   "400 Invalid field: " + name + ": must be an integer from 0 to 1000000000");
    }
    BOOST_TEST(refused(Job::described().fields, "\"applyUrl\":\"http://a/\"") ==
               "400 Invalid field: applyUrl: must be an https URL");
    BOOST_TEST(refused(Event::described().fields, "\"url\":\"http://a/\"") == "accepted");
    BOOST_TEST(refused(organisation_fields(), "\"website\":\"http://a/\"") == "accepted");
    BOOST_TEST(refused(Job::described().fields, "\"country\":\"UK\"") ==
               "400 Invalid field: country: must be an ISO 3166-1 alpha-2 code");
    BOOST_TEST(refused(Job::described().fields, "\"salaryCurrency\":\"gbp\"") ==
               "400 Invalid field: salaryCurrency: must be an ISO 4217 code");
    BOOST_TEST(refused(Event::described().fields, "\"timezone\":\"BST\"") ==
               "400 Invalid field: timezone: must be an IANA time zone");
    BOOST_TEST(refused(Post::described().fields, R"("tags":["1","2","3","4","5","6","7","8","9","10"])") == "accepted");
    BOOST_TEST(refused(Post::described().fields, R"("tags":["1","2","3","4","5","6","7","8","9","10","11"])") ==
               "400 Invalid field: tags: must hold at most 10 texts");
}

BOOST_AUTO_TEST_CASE(new_ones_have_their_defaults) {
    BOOST_TEST(Job().status == "DRAFT");
    BOOST_TEST(Event().status == "SCHEDULED");
    BOOST_TEST(!Event().is_online);
    BOOST_TEST(!Organisation().published);
}

BOOST_AUTO_TEST_CASE(a_published_job_has_what_readers_need) {
    BOOST_TEST(wrong(publishable()) == "nothing");
    const auto without = [](auto member, bool only_empty = false) {
        auto job = publishable();
        job.*member = std::nullopt;
        if (only_empty) job.*member = "";
        return wrong(job);
    };
    for (const bool only_empty : {false, true}) {
        BOOST_TEST(without(&Job::description, only_empty) == "description: is required to publish");
        BOOST_TEST(without(&Job::category, only_empty) == "category: is required to publish");
        BOOST_TEST(without(&Job::contract_type, only_empty) == "contractType: is required to publish");
        BOOST_TEST(without(&Job::city, only_empty) == "city: is required to publish unless workplace is REMOTE");
    }
    auto remote = publishable();
    remote.city.reset();
    remote.workplace = "REMOTE";
    BOOST_TEST(wrong(remote) == "nothing");
    remote.workplace = "HYBRID";
    BOOST_TEST(wrong(remote) == "city: is required to publish unless workplace is REMOTE");
    for (const char* status : {"DRAFT", "CLOSED", "ARCHIVED"}) {
        Job job;
        job.title = "t";
        job.status = status;
        BOOST_TEST(wrong(job) == "nothing");
    }
}

BOOST_AUTO_TEST_CASE(salaries_are_in_order_in_every_state) {
    for (const char* status : {"DRAFT", "PUBLISHED"}) {
        auto job = publishable();
        job.status = status;
        job.salary_min = 10;
        BOOST_TEST(wrong(job) == "nothing");
        job.salary_max = 10;
        BOOST_TEST(wrong(job) == "nothing");
        job.salary_max = 9;
        BOOST_TEST(wrong(job) == "salaryMax: must not be below salaryMin");
        job.salary_min.reset();
        BOOST_TEST(wrong(job) == "nothing");
    }
}

BOOST_AUTO_TEST_CASE(jobs_move_only_as_the_contract_says) {
    static const std::map<std::string, std::string> moves{{"DRAFT", "DRAFT PUBLISHED"},
                                                          {"PUBLISHED", "PUBLISHED CLOSED ARCHIVED"},
                                                          {"CLOSED", "CLOSED PUBLISHED ARCHIVED"},
                                                          {"ARCHIVED", "ARCHIVED DRAFT"}};
    for (const auto& [from, targets] : moves)
        for (const auto& [to, unused] : moves)
            BOOST_TEST(resource::may_move(Job::described().states, from, to) == (targets.find(to) != std::string::npos),
                       from + " " + to);
}

BOOST_AUTO_TEST_CASE(events_are_over_when_they_end_or_start) {
    Event event;
    event.starts_at = *core::parse_rfc3339("2026-01-01T10:00:00Z");
    BOOST_TEST((event.over_at() == event.starts_at));
    event.ends_at = *core::parse_rfc3339("2026-01-03T10:00:00Z");
    BOOST_TEST((event.over_at() == *event.ends_at));
    event.ends_at = event.starts_at - std::chrono::hours(1);
    BOOST_TEST((event.over_at() == event.starts_at));
}

BOOST_AUTO_TEST_CASE(roles) {
    BOOST_TEST(to_string(Role::admin) == "ADMIN");
    BOOST_TEST(to_string(Role::member) == "MEMBER");
    BOOST_TEST((parse_role("ADMIN") == Role::admin));
    BOOST_TEST((parse_role("MEMBER") == Role::member));
    for (const char* text : {"", "admin", "OWNER", "ADMIN "}) BOOST_TEST(!parse_role(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
