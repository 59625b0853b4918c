#include "ctl/import/fields.h"

#include "core/present.h"
#include "identity/people/user_writer.h"
#include "resource/description.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"

namespace tradepost::ctl {
namespace {

constexpr std::string_view user_example =
    R"({"id":"0195f0a0-0000-7000-8000-000000000001","email":"dana@example.com","name":"Dana Field","passwordHash":"$2y$10$UuiSX/ef8AhpdlS9Fr9zveanYebTKxj0dWBURH7alyVZwhpdfA1UW","disabledAt":"2026-03-01T00:00:00Z","createdAt":"2025-06-01T08:00:00Z","updatedAt":"2025-06-01T08:00:00Z","organisations":[{"organisation":"ashford-motors","role":"ADMIN"}]})";
constexpr std::string_view organisation_example =
    R"({"id":"0195f0a0-0000-7000-8000-000000000002","slug":"ashford-motors","name":"Ashford Motors","description":"Vans and trucks since 1984.","website":"https://ashford.example","phone":"+44 113 496 0000","email":"sales@ashford.example","address":"1 Mill Lane","city":"Leeds","postalCode":"LS1 4AP","country":"GB","published":true,"test":false,"createdAt":"2025-06-01T08:00:00Z","updatedAt":"2025-06-01T08:00:00Z"})";
constexpr std::string_view job_example =
    R"({"id":"0195f0a0-0000-7000-8000-000000000003","slug":"parts-advisor","organisation":"ashford-motors","reference":"PA-7","title":"Parts advisor","summary":"Parts for vans and trucks.","description":"You advise our customers.","category":"Parts","department":"Aftersales","contractType":"PERMANENT","workingHours":"FULL_TIME","workplace":"ON_SITE","city":"Leeds","postalCode":"LS1 4AP","country":"GB","salaryMin":28000,"salaryMax":34000,"salaryCurrency":"GBP","salaryPeriod":"YEAR","applyUrl":"https://ashford.example/apply","applyEmail":"jobs@ashford.example","status":"PUBLISHED","publishedAt":"2026-01-15T09:00:00Z","expiresAt":"2030-06-30T23:59:59Z","createdAt":"2026-01-15T09:00:00Z","updatedAt":"2026-01-15T09:00:00Z"})";
constexpr std::string_view event_example =
    R"({"id":"0195f0a0-0000-7000-8000-000000000004","slug":"open-day","organisation":"ashford-motors","reference":"OPEN-1","title":"Open day","summary":"Meet our mechanics.","description":"Coffee and test drives.","category":"Open day","startsAt":"2030-05-04T10:00:00+01:00","endsAt":"2030-05-04T16:00:00+01:00","timezone":"Europe/London","venueName":"Showroom","address":"1 Mill Lane","city":"Leeds","country":"GB","isOnline":false,"url":"https://ashford.example/open-day","imageUrl":"https://ashford.example/open-day.jpg","status":"SCHEDULED","publishedAt":"2026-01-15T09:00:00Z","createdAt":"2026-01-15T09:00:00Z","updatedAt":"2026-01-15T09:00:00Z"})";
constexpr std::string_view post_example =
    R"({"id":"0195f0a0-0000-7000-8000-000000000005","slug":"new-workshop","organisation":"ashford-motors","reference":"NEWS-7","title":"Our new workshop","summary":"Four more ramps.","body":"It opened on Monday.","imageUrl":"https://ashford.example/workshop.jpg","tags":["workshop","news"],"authorName":"Dana Field","publishedAt":"2026-01-15T09:00:00Z","createdAt":"2026-01-15T09:00:00Z","updatedAt":"2026-01-15T09:00:00Z"})";
constexpr std::string_view stock_example =
    R"({"id":"0195f0a0-0000-7000-8000-000000000006","organisation":"ashford-motors","reference":"VAN-2","title":"Ford Ranger 2.0 EcoBlue","description":"One owner.","category":"Pick-ups","make":"Ford","model":"Ranger","variant":"Wildtrak","year":2023,"condition":"USED","price":1850000,"currency":"GBP","attributes":{"Mileage":"41,200"},"status":"PUBLISHED","availability":"IN_STOCK","createdAt":"2026-01-15T09:00:00Z","updatedAt":"2026-01-15T09:00:00Z","images":[{"sourceUrl":"https://ashford.example/van-2.jpg"}]})";

// What the fields' rules do not say. An empty `standard` or `example` is that of the field, or of the kind's line.
struct Note {
    std::string_view name, rule, standard, example;
};
constexpr Note notes[] = {
    {"id", "a UUID", "the row's, or a new one", ""},
    {"slug", "at most 120 lower-case letters, digits and inner hyphens", "the row's, or made from the title or the name", ""},
    {"organisation", "the slug of an organisation, or an object with its slug", "required in a new row, but a post may have none",
     ""},
    {"organisationId", "not used: see organisation", "none", R"("0195f0a0-0000-7000-8000-000000000002")"},
    {"memberships", "as organisations; a line has only one of both", "the user's",
     R"([{"organisation":"ashford-motors","role":"MEMBER"}])"},
    {"organisations", "a list of objects with organisation (a slug) and role (ADMIN or MEMBER): all that the user has",
     "the user's", ""},
    {"logoUploadId", "not used: the logo stays", "none", "null"},
    {"logoUrl", "not used: the logo stays", "none", "null"},
    {"role", "not used", "none", R"("ADMIN")"},
    {"images", "a list of at most 40 objects with an uploadId or a sourceUrl", "none", ""},
    {"documents", "a list of at most 10 objects with an uploadId, and a title of at most 150 characters", "none",
     R"([{"uploadId":"0195f0a0-0000-7000-8000-000000000007","title":"Service book"}])"},
    {"passwordHash",
     "a whole hash of bcrypt ($2y$, $2b$ or $2a$, cost at most 13), WordPress ($wp$2y$ or $P$) or Argon2id ($argon2id$)",
     "the user's", ""},
    {"updatedAt", "an RFC 3339 time, not used: a changed row gets the time of the import", "", ""},
};

const Note* note_of(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(notes), std::end(notes), [&](const auto& note) { return note.name == name; });
    return found == std::end(notes) ? nullptr : found;
}

// In the words of the error that a value gets.
std::string rule_text(const fields::Rule& rule) {
    using fields::Kind;
    constexpr std::string_view must_be = "must be ";
    std::string text;
    switch (rule.kind) {
        case Kind::integer:
            text = *fields::fault(rule, rule.max + 1);
            break;
        case Kind::text:
        case Kind::name:
            text = *fields::fault(rule, std::string(std::size_t(rule.max) + 1, 'x'));
            break;
        case Kind::boolean:
        case Kind::text_list:
        case Kind::text_map:
            text = fields::wanted_type(rule.kind);
            break;
        default:
            text = *fields::fault(rule, std::string_view(""));
    }
    if (text.starts_with(must_be)) text.erase(0, must_be.size());
    if (rule.kind == Kind::name) text += ", without ://, www. or @";
    if (rule.kind == Kind::text_list) text += ", at most " + std::to_string(rule.max) + " of 1 to 80 characters";
    if (rule.kind == Kind::text_map) text += ", at most " + std::to_string(rule.max) + " pairs";
    if (!rule.money.currency.empty())
        text += (rule.money.minor_units ? ": minor units (pence, cents) of " : ": whole units of ") +
                std::string(rule.money.currency);
    return text;
}

// The default of the field in a new row.
template <class T>
std::string standard_text(const fields::Field<T>& field) {
    if (field.rule.presence == fields::Presence::required) return "required";
    return std::visit(
        [](auto member) -> std::string {
            const T fresh{};
            using Value = std::decay_t<decltype(fresh.*member)>;
            if constexpr (std::is_same_v<Value, std::string>)
                return fresh.*member;
            else if constexpr (std::is_same_v<Value, bool>)
                return fresh.*member ? "true" : "false";
            else if constexpr (std::is_same_v<Value, core::Time>)
                return "the time of the import";
            else
                return "none";
        },
        field.member);
}

void add(Json& all, std::string_view name, std::string rule, std::string standard, const json::Json& line) {
    const auto* const note = note_of(name);
    std::string example;
    if (const auto found = line.find(name); found != line.end()) example = found->dump();
    if (note) {
        rule = note->rule;
        if (!note->standard.empty()) standard = note->standard;
        if (!note->example.empty()) example = note->example;
    }
    all.push_back({{"field", name}, {"rule", rule}, {"default", standard}, {"example", example}});
}

template <class T, std::span<const fields::Field<T>> (*list)() = resource::fields_of<T>>
Json describe(std::string_view example) {
    auto all = Json::array();
    const auto line = json::parse(example);
    for (const auto& name : members_of<T>()) add(all, name, "", "", line);
    for (const auto& field : list()) add(all, field.name, rule_text(field.rule), standard_text(field), line);
    return all;
}

template <class T, std::span<const fields::Field<T>> (*list)() = resource::fields_of<T>>
const fields::Rule* rule_of(std::string_view name) {
    for (const auto& field : list())
        if (field.name == name) return &field.rule;
    return nullptr;
}

}  // namespace

template <>
const Names& members_of<identity::User>() {
    static const Names all{"id", "memberships", "organisations"};
    return all;
}

// The last three as GET /accounts shows them.
template <>
const Names& members_of<identity::Organisation>() {
    static const Names all{"id", "slug", "logoUploadId", "logoUrl", "role"};
    return all;
}

std::span<const ImportKind> import_kinds() {
    static const ImportKind kinds[] = {
        {"organisations", import_organisations, describe<identity::Organisation, identity::organisation_fields>,
         rule_of<identity::Organisation, identity::organisation_fields>, organisation_example},
        {"users", import_users, describe<identity::User, identity::user_fields>, rule_of<identity::User, identity::user_fields>,
         user_example},
        {"jobs", import_jobs, describe<jobs::Job>, rule_of<jobs::Job>, job_example},
        {"events", import_events, describe<events::Event>, rule_of<events::Event>, event_example},
        {"posts", import_posts, describe<posts::Post>, rule_of<posts::Post>, post_example},
        {"stock", import_stock, describe<stock::StockItem>, rule_of<stock::StockItem>, stock_example},
    };
    return kinds;
}

const ImportKind& import_kind(std::string_view name) {
    std::string names;
    for (const auto& kind : import_kinds()) {
        if (kind.name == name) return kind;
        names.append(names.empty() ? "" : ", ").append(kind.name);
    }
    throw WrongUsage("KIND: must be one of " + names);
}

Json import_fields(const ImportKind& kind) {
    return kind.fields(kind.example);
}

}  // namespace tradepost::ctl
