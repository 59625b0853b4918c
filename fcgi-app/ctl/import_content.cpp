// What is imported with a slug: organisations, and the jobs, events and posts of organisations.
#include <unordered_map>

#include "core/present.h"
#include "core/slug.h"
#include "core/text.h"
#include "ctl/import.h"
#include "identity/organisations.h"
#include "resources/accounts/publication.h"
#include "resources/events/writer.h"
#include "resources/jobs/writer.h"
#include "resources/posts/writer.h"
#include "writes/slugs.h"

namespace tradepost::ctl {
namespace {

// Jobs, events and posts.
template <class Table>
struct Kind {
    using Resource = typename Table::Resource;
    static constexpr bool belongs = true, may_stand_alone = std::is_same_v<Resource, posts::Post>;
    static constexpr std::string_view table = Table::name;
    static auto fields() { return Table::fields(); }
    static void refuse_unknown(const json::Json& object) {
        fields::refuse_unknown<Resource>(object, fields(), {"id", "slug", "organisation"});
    }
    static const std::string& name(const Resource& item) { return item.title; }

    explicit Kind(writes::WriteTransaction& transaction) : writer(transaction) {}
    auto find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) { return writer.find(ids, slugs); }
    void write(std::span<const Resource> items) { writer.write(items); }

    writes::ContentWriter<Table> writer;
};

struct OrganisationKind {
    using Resource = identity::Organisation;
    static constexpr bool belongs = false;
    static constexpr std::string_view table = "organisations";
    static auto fields() { return identity::organisation_fields(); }
    // The last three are what GET /accounts shows beside the fields.
    static void refuse_unknown(const json::Json& object) {
        fields::refuse_unknown<Resource>(object, fields(), {"id", "slug", "logoUploadId", "logoUrl", "role"});
    }
    static const std::string& name(const Resource& item) { return item.name; }

    explicit OrganisationKind(writes::WriteTransaction& t) : transaction(t) {}
    auto find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) {
        return identity::Organisations(transaction.connection()).find(ids, slugs);
    }
    void write(std::span<const Resource> items) { accounts::write_organisations(transaction, items); }

    writes::WriteTransaction& transaction;
};

template <class Resource>
void keep_state(Resource& item, const Resource& row) {
    if constexpr (requires { item.organisation; }) item.organisation = row.organisation;
    if constexpr (requires { item.status; }) item.status = row.status;
    if constexpr (requires { item.published_at; }) item.published_at = row.published_at;
    if constexpr (requires { item.published; }) item.published = row.published;
    item.created_at = row.created_at;
}

template <class K>
class Import {
public:
    using Resource = typename K::Resource;
    Import(db::Connection& connection, Lines& lines, const core::Clock& clock)
        : connection_(connection), lines_(lines), now_(clock.now()), keys_(lines) {}

    Imported run() {
        std::vector<std::string> slugs;
        each_batch(lines_, [&](std::vector<Item>& batch) {
            for (const auto& item : batch) {
                if (item.id) keys_.add("id", item.id->to_string(), item.line);
                if (item.slug) keys_.add("slug", *item.slug, item.line), slugs.push_back(*item.slug);
                Resource ignored;
                on_line(lines_, item.line, [&] { fill(item, ignored); });
            }
        });
        return write_all(connection_, lines_, K::table, now_, [&](writes::WriteTransaction& transaction) {
            K kind(transaction);
            writes::SlugMaker maker(connection_, K::table);
            for (const auto& slug : slugs) maker.reserve(slug);
            lines_of_rows_.clear();
            Imported result;
            each_batch(lines_, [&](std::vector<Item>& batch) { write(kind, maker, batch, result); });
            return result;
        });
    }

private:
    // The line's fields over what `item` holds. Throws http::ApiError.
    void fill(const Item& from, Resource& item) const {
        K::refuse_unknown(from.object);
        fields::read_fields<Resource>(from.object, K::fields(), item, fields::Reading::import);
        // Lists are in the order of this time.
        if constexpr (std::is_same_v<Resource, jobs::Job>)
            if (item.status == "PUBLISHED" && !item.published_at) item.published_at = now_;
        if constexpr (requires { fault(item); })
            if (const auto found = fault(item)) throw http::invalid_field(std::string(found->field), found->why);
    }

    void write(K& kind, writes::SlugMaker& maker, const std::vector<Item>& batch, Imported& result) {
        std::vector<core::Uuid> ids;
        std::vector<std::string> slugs;
        for (const auto& item : batch) {
            if (item.id) ids.push_back(*item.id);
            if (item.slug) slugs.push_back(*item.slug);
        }
        const auto found = kind.find(ids, slugs);
        std::map<core::Uuid, const Resource*> by_id;
        std::unordered_map<std::string, const Resource*> by_slug;
        for (const auto& row : found) by_id[row.id] = by_slug[row.slug] = &row;

        std::vector<const Resource*> rows;
        std::vector<std::string> bases;
        for (const auto& item : batch) {
            rows.push_back(match(item, by_id, by_slug));
            if (!rows.back() && !item.slug) bases.push_back(base(item));
        }
        maker.prepare(bases);

        std::vector<Resource> changed;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            auto item = on_line(lines_, batch[i].line, [&] { return build(batch[i], rows[i], maker); });
            if (const auto [other, first] = lines_of_rows_.emplace(item.id, batch[i].line); !first)
                throw lines_.fault(batch[i].line, "this is the same row as that of line " + std::to_string(other->second));
            const auto* row = rows[i];
            const bool same = row && item.slug == row->slug && fields::same_fields<Resource>(K::fields(), item, *row);
            if (!settle_update(item, row, same, now_)) {
                ++result.unchanged;
                continue;
            }
            ++(row ? result.changed : result.added);
            changed.push_back(std::move(item));
        }
        kind.write(changed);
    }

    const Resource* match(const Item& item, const std::map<core::Uuid, const Resource*>& by_id,
                          const std::unordered_map<std::string, const Resource*>& by_slug) const {
        const auto id = item.id ? by_id.find(*item.id) : by_id.end();
        const auto slug = item.slug ? by_slug.find(*item.slug) : by_slug.end();
        if (slug == by_slug.end()) return id == by_id.end() ? nullptr : id->second;
        if (item.id && slug->second->id != *item.id)
            throw lines_.fault(item.line, id == by_id.end()
                                              ? "the slug " + slug->first + " belongs to the row " +
                                                    slug->second->id.to_string() + ": leave out the id to update that"
                                              : "id and slug name two different rows: leave one of them out");
        return slug->second;
    }

    static std::string base(const Item& item) {
        Resource named;
        fields::read_fields<Resource>(item.object, K::fields(), named, fields::Reading::import);
        return core::slugify(K::name(named), K::table.substr(0, K::table.size() - 1));
    }

    Resource build(const Item& from, const Resource* row, writes::SlugMaker& maker) {
        Resource item;
        item.created_at = now_;
        item.id = row ? row->id : from.id ? *from.id : core::Uuid::v7(now_);
        if (row) keep_state(item, *row);
        if constexpr (K::belongs) settle_organisation(from, row, item);
        item.slug = from.slug ? *from.slug : row ? row->slug : maker.make(base(from));
        fill(from, item);
        if constexpr (std::is_same_v<Resource, jobs::Job>)
            if (row && row->published_at && !given(from, "publishedAt") && item.status == "PUBLISHED")
                item.published_at = row->published_at;
        return item;
    }

    static bool given(const Item& item, const char* name) {
        const auto member = item.object.find(name);
        return member != item.object.end() && !member->is_null();
    }

    void settle_organisation(const Item& from, const Resource* row, Resource& item) {
        if (!from.names_organisation && row) return;
        std::optional<core::Uuid> id;
        if (from.organisation) id = organisation(*from.organisation);
        if constexpr (!K::may_stand_alone)
            if (!id) throw http::invalid_field("organisation", from.names_organisation ? "must not be null" : "is required");
        if (row) {
            const auto* owner = writes::detail::organisation_id(row->organisation);
            if (owner ? id != *owner : id.has_value())
                throw lines_.fault(from.line,
                                   (from.slug ? "the slug " + *from.slug : "the id " + core::present(from.id).to_string()) +
                                       " belongs to another organisation's row");
        } else if (id) {
            item.organisation = identity::OrganisationSummary{*id, core::present(from.organisation), "", {}};
        }
    }

    core::Uuid organisation(const std::string& slug) {
        const auto known = organisations_.find(slug);
        if (known != organisations_.end()) return known->second;
        const auto found = identity::Organisations(connection_).find_by_slug(slug);
        if (!found) throw http::invalid_field("organisation", "there is no organisation " + slug);
        return organisations_[slug] = found->id;
    }

    db::Connection& connection_;
    Lines& lines_;
    const core::Time now_;
    Keys keys_;
    std::map<core::Uuid, std::size_t> lines_of_rows_;
    std::unordered_map<std::string, core::Uuid> organisations_;
};

}  // namespace

Imported import_organisations(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return Import<OrganisationKind>(connection, lines, clock).run();
}
Imported import_jobs(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return Import<Kind<jobs::JobTable>>(connection, lines, clock).run();
}
Imported import_events(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return Import<Kind<events::EventTable>>(connection, lines, clock).run();
}
Imported import_posts(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return Import<Kind<posts::PostTable>>(connection, lines, clock).run();
}

}  // namespace tradepost::ctl
