// What is imported with a slug: organisations, and the jobs, events and posts of organisations.
#include <algorithm>
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
struct ContentKind {
    using Resource = typename Table::Resource;
    static constexpr bool belongs = true, may_stand_alone = std::is_same_v<Resource, posts::Post>;
    static constexpr bool has_references = writes::has_references<Table>;
    static constexpr std::string_view table = Table::name;
    static auto fields() { return Table::fields(); }
    static void refuse_unknown(const json::Json& object) {
        fields::refuse_unknown<Resource>(object, fields(), {"id", "slug", "organisation"});
    }
    static const std::string& name(const Resource& item) { return item.title; }

    explicit ContentKind(writes::WriteTransaction& transaction) : connection(transaction.connection()), writer(transaction) {}
    auto find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) { return writer.find(ids, slugs); }
    void write(std::span<const Resource> items) {
        writer.write(items);
        if constexpr (std::is_same_v<Resource, jobs::Job>) jobs::announce(connection, items);
    }

    db::Connection& connection;
    writes::ContentWriter<Table> writer;
};

struct OrganisationKind {
    using Resource = identity::Organisation;
    static constexpr bool belongs = false, has_references = false;
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
class ContentImport {
public:
    using Resource = typename K::Resource;
    ContentImport(db::Connection& connection, Lines& lines, const core::Clock& clock)
        : connection_(connection), lines_(lines), now_(clock.now()), times_(connection, clock), keys_(lines) {}

    Imported run() {
        std::vector<std::string> slugs;
        each_batch(lines_, [&](std::vector<Item>& batch) {
            for (const auto& item : batch) {
                if (item.id) keys_.add("id", item.id->to_string(), item.line);
                if (item.slug) keys_.add("slug", *item.slug, item.line), slugs.push_back(*item.slug);
                Resource read;
                on_line(lines_, item.line, [&] { fill(item, read); });
                if (const auto reference = reference_of(item, read))
                    keys_.add("reference of " + core::present(item.organisation), *reference, item.line);
            }
        });
        return write_all(connection_, lines_, K::table, now_, [&](writes::WriteTransaction& transaction) {
            K kind(transaction);
            writes::SlugMaker maker(connection_, K::table);
            for (const auto& slug : slugs) maker.reserve(slug);
            lines_of_rows_.clear();
            times_.forget();
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

    // The reference by which a line names a row: only together with the organisation.
    static std::optional<std::string> reference_of(const Item& from, const Resource& read) {
        if constexpr (K::has_references)
            if (from.organisation) return read.reference;
        return {};
    }

    std::vector<Resource> find(K& kind, const std::vector<Item>& batch) {
        std::vector<core::Uuid> ids;
        std::vector<std::string> slugs;
        for (const auto& item : batch) {
            if (item.id) ids.push_back(*item.id);
            if (item.slug) slugs.push_back(*item.slug);
        }
        auto found = kind.find(ids, slugs);
        if constexpr (K::has_references) {
            std::map<core::Uuid, std::vector<std::string>> references;
            for (const auto& item : batch)
                if (const auto reference = item.object.find("reference"); given(item, "reference") && item.organisation)
                    references[on_line(lines_, item.line, [&] { return organisation(*item.organisation); })].push_back(
                        *reference);
            for (const auto& [organisation_id, list] : references)
                for (auto& row : kind.writer.find_by_reference(organisation_id, list))
                    if (std::none_of(found.begin(), found.end(), [&](const auto& other) { return other.id == row.id; }))
                        found.push_back(std::move(row));
        }
        return found;
    }

    // The rows of a batch by what lines name them by.
    struct Rows {
        std::map<core::Uuid, const Resource*> by_id;
        std::unordered_map<std::string, const Resource*> by_slug;
        std::map<std::pair<core::Uuid, std::string>, const Resource*> by_reference;

        explicit Rows(const std::vector<Resource>& found) {
            for (const auto& row : found) {
                by_id[row.id] = by_slug[row.slug] = &row;
                if constexpr (K::has_references)
                    if (row.reference) by_reference[{row.organisation.id, *row.reference}] = &row;
            }
        }
    };

    void write(K& kind, writes::SlugMaker& maker, const std::vector<Item>& batch, Imported& result) {
        const auto found = find(kind, batch);
        const Rows known(found);
        std::vector<const Resource*> rows;
        std::vector<std::string> bases;
        for (const auto& item : batch) {
            rows.push_back(match(item, known));
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
            if (!settle_update(item, row, same, now_of(item))) {
                ++result.unchanged;
                continue;
            }
            ++(row ? result.changed : result.added);
            changed.push_back(std::move(item));
        }
        kind.write(changed);
    }

    const Resource* match(const Item& item, const Rows& known) const {
        const Resource* row = nullptr;
        if (item.id)
            if (const auto found = known.by_id.find(*item.id); found != known.by_id.end()) row = found->second;
        if (item.slug)
            if (const auto found = known.by_slug.find(*item.slug); found != known.by_slug.end())
                row = agree(item, row, *found->second, "slug", *item.slug);
        if (given(item, "reference") && item.organisation && K::has_references) {
            const std::string reference = item.object.at("reference");
            const auto found = known.by_reference.find({organisations_.at(*item.organisation), reference});
            if (found != known.by_reference.end()) row = agree(item, row, *found->second, "reference", reference);
        }
        return row;
    }

    // `other`, which a line names by `key`; `row`: what it names by its id or slug.
    const Resource* agree(const Item& item, const Resource* row, const Resource& other, const std::string& name,
                          const std::string& key) const {
        if (row ? row != &other : item.id && *item.id != other.id) {
            if (!row)
                throw lines_.fault(item.line, "the " + name + " " + key + " belongs to the row " + other.id.to_string() +
                                                  ": leave out the id to update that");
            throw lines_.fault(item.line, std::string(item.id && *item.id == row->id ? "id" : "slug") + " and " + name +
                                              " name two different rows: leave one of them out");
        }
        return &other;
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

    // When a row changes. Jobs are polled.
    core::Time now_of(const Resource& item) {
        if constexpr (std::is_same_v<Resource, jobs::Job>) return times_.of(item.organisation.id);
        return now_;
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
    Times times_;
    Keys keys_;
    std::map<core::Uuid, std::size_t> lines_of_rows_;
    std::unordered_map<std::string, core::Uuid> organisations_;
};

}  // namespace

Imported import_organisations(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return ContentImport<OrganisationKind>(connection, lines, clock).run();
}
Imported import_jobs(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return ContentImport<ContentKind<jobs::JobTable>>(connection, lines, clock).run();
}
Imported import_events(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return ContentImport<ContentKind<events::EventTable>>(connection, lines, clock).run();
}
Imported import_posts(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return ContentImport<ContentKind<posts::PostTable>>(connection, lines, clock).run();
}

}  // namespace tradepost::ctl
