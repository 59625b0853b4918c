// Imports of organisations and of all described resources.
#include <algorithm>

#include "core/present.h"
#include "core/slug.h"
#include "core/text.h"
#include "ctl/import/fields.h"
#include "identity/organisations/organisations.h"
#include "resource/store.h"
#include "resources/accounts/publication.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"
#include "writes/slugs.h"

namespace tradepost::ctl {
namespace {

template <class T>
struct ImportOf {
    using Store = resource::Store<T>;
    static constexpr bool is_described = true;
    // A line may leave out the reference that names its row.
    static constexpr bool may_lack_reference = !std::is_same_v<decltype(T::reference), std::string>;
    static std::string_view name() { return T::described().name; }
    static std::string_view table() { return T::described().table; }
    static std::string_view singular() { return T::described().singular; }
    static auto fields() { return T::described().fields; }
    static const std::string& title(const T& item) { return item.title; }
    static bool same(const T& a, const T& b) { return resource::same(a, b); }

    explicit ImportOf(writes::WriteTransaction& transaction) : store(transaction) {}
    static auto find(db::Connection& connection, std::span<const core::Uuid> ids, std::span<const std::string> slugs,
                     db::Locks locks) {
        return Store::find(connection, ids, slugs, locks);
    }
    void write(std::span<T> items, std::span<const T> rows) { store.write(items, rows); }

    Store store;
};

template <>
struct ImportOf<identity::Organisation> {
    using T = identity::Organisation;
    static constexpr bool is_described = false;
    static std::string_view name() { return "organisations"; }
    static std::string_view table() { return "organisations"; }
    static std::string_view singular() { return "organisation"; }
    static auto fields() { return identity::organisation_fields(); }
    static const std::string& title(const T& item) { return item.name; }
    static bool same(const T& a, const T& b) { return fields::same_fields<T>(fields(), a, b); }

    explicit ImportOf(writes::WriteTransaction& its_transaction) : transaction(its_transaction) {}
    static auto find(db::Connection& connection, std::span<const core::Uuid> ids, std::span<const std::string> slugs,
                     db::Locks locks) {
        return identity::Organisations(connection).find(ids, slugs, locks);
    }
    void write(std::span<T> items, std::span<const T>) { accounts::write_organisations(transaction, items); }

    writes::WriteTransaction& transaction;
};

bool given(const Item& item, const char* name) {
    const auto member = item.object.find(name);
    return member != item.object.end() && !member->is_null();
}

// Copies from its row what a line need not name.
template <class T>
void keep(const Item& from, const T& row, T& item) {
    item.id = row.id;
    item.created_at = row.created_at;
    if constexpr (ImportOf<T>::is_described)
        if (const auto* owner = resource::owner(row)) resource::set_owner(item, {*owner, "", "", {}});
    if constexpr (requires { item.status; }) item.status = row.status;
    if constexpr (requires { item.published_at; }) item.published_at = row.published_at;
    if constexpr (requires { item.published; }) item.published = row.published;
    if constexpr (requires { item.test; }) item.test = row.test;
    // A reference may be older than the rule for texts.
    if constexpr (resource::has_reference<T>)
        if (given(from, "reference")) item.reference = row.reference;
    // A source that is fetched already is not fetched again.
    if constexpr (requires { item.images; })
        if (from.object.contains("images")) item.images = row.images;
}

template <class T>
class Import {
public:
    using K = ImportOf<T>;
    Import(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options)
        : connection_(connection), lines_(lines), options_(options), now_(clock.now()), times_(connection, clock) {}

    Imported run() {
        return check_and_write(
            connection_, lines_, faults_, K::name(), now_, options_,
            [&](std::vector<Item>& batch, Imported& planned) {
                std::erase_if(batch, [&](const Item& item) { return !check_alone(item, planned); });
                std::vector<T> rows;
                settle(batch, rows, planned);
            },
            [&](writes::WriteTransaction& transaction) {
                K kind(transaction);
                writes::SlugMaker maker(connection_, K::table());
                for (const auto& slug : slugs_) maker.reserve(slug);
                maker_ = &maker;
                rows_of_lines_.forget();
                organisations_.forget();
                times_.forget();
                Imported result;
                each_batch(lines_, faults_, [&](std::vector<Item>& batch) {
                    std::vector<T> rows;
                    auto changed = settle(batch, rows, result);
                    faults_.raise(lines_);
                    kind.write(changed, rows);
                });
                return result;
            });
    }

private:
    // Whether nothing is wrong with the line but what only the database shows.
    bool check_alone(const Item& from, Imported& planned) {
        T item;
        if (!faults_.attempt_fields(from.line, from.object, K::fields(), [&] { fill(from, item, nullptr); })) return false;
        planned.amounts.add(item, K::fields());
        return faults_.attempt(from.line, [&] {
            if (from.id) keys_.add("id", "", from.id->to_string(), from.line);
            if (from.slug) keys_.add("slug", "", *from.slug, from.line), slugs_.push_back(*from.slug);
            if (const auto* reference = resource::reference(item); reference && from.organisation)
                keys_.add("reference", " of " + *from.organisation, *reference, from.line);
        });
    }

    // The line's fields over what `item` holds; `row` may be null. Throws http::ApiError.
    void fill(const Item& from, T& item, const T* row) {
        fields::refuse_unknown<T>(from.object, K::fields(), members_of<T>());
        fields::read_fields<T>(from.object, K::fields(), item, fields::Reading::import);
        if constexpr (K::is_described) {
            const auto& is = T::described();
            if (is.hooks.read_more) is.hooks.read_more(from.object, item);
            // Lists of what is visible by its status are in the order of this time.
            if constexpr (requires { item.status, item.published_at; })
                if (item.status == is.visible.status && !item.published_at)
                    item.published_at = row && row->published_at ? row->published_at : now_of(item);
            if (const auto found = is.fault ? is.fault(item) : std::nullopt)
                throw http::invalid_field(std::string(found->field), found->why);
        }
    }

    bool is_writing() const { return maker_ != nullptr; }
    db::Locks locks() const { return is_writing() ? db::Locks::rows : db::Locks::none; }

    // The rows that the lines name.
    std::vector<T> find(const std::vector<Item>& batch) {
        std::vector<core::Uuid> ids;
        std::vector<std::string> slugs;
        for (const auto& item : batch) {
            if (item.id) ids.push_back(*item.id);
            if (item.slug) slugs.push_back(*item.slug);
        }
        auto found = K::find(connection_, ids, slugs, locks());
        if constexpr (K::is_described) {
            std::map<core::Uuid, std::vector<std::string>> references;
            for (const auto& item : batch)
                if (given(item, "reference") && item.organisation)
                    for (auto& form : core::reference_forms(item.object.at("reference").get_ref<const std::string&>()))
                        references[organisations_.of(*item.organisation)].push_back(std::move(form));
            std::set<core::Uuid> known;
            for (const auto& row : found) known.insert(row.id);
            for (const auto& [organisation_id, list] : references)
                for (auto& row : K::Store::find_by_reference(connection_, organisation_id, list, locks()))
                    if (known.insert(row.id).second) found.push_back(std::move(row));
        }
        for (auto& row : found) rename(row);
        return found;
    }

    struct Keyed {
        std::string slug;
        std::optional<std::string> reference;
        bool operator==(const Keyed&) const = default;
    };
    static Keyed keys_of(const T& item) {
        Keyed keys;
        if constexpr (resource::has_slug<T>) keys.slug = item.slug;
        if (const auto* reference = resource::reference(item)) keys.reference = *reference;
        return keys;
    }

    // While nothing is written: gives the row the keys that an earlier batch would have given it.
    void rename(T& row) const {
        const auto renamed = is_writing() ? renamed_.end() : renamed_.find(row.id);
        if (renamed == renamed_.end()) return;
        if constexpr (resource::has_slug<T>) row.slug = renamed->second.slug;
        if constexpr (resource::has_reference<T>)
            row.reference =
                renamed->second.reference ? decltype(T::reference)(*renamed->second.reference) : decltype(T::reference)();
    }

    // The rows of a batch by what lines name them by.
    struct Rows {
        std::map<core::Uuid, const T*> by_id;
        std::map<std::string, const T*, std::less<>> by_slug;
        std::map<std::pair<core::Uuid, std::string>, const T*> by_reference;

        explicit Rows(const std::vector<T>& found) {
            for (const auto& row : found) {
                by_id[row.id] = &row;
                if constexpr (resource::has_slug<T>) by_slug[row.slug] = &row;
                if constexpr (K::is_described)
                    if (const auto* reference = resource::reference(row); reference && resource::owner(row))
                        by_reference[{*resource::owner(row), *reference}] = &row;
            }
        }
    };

    // A line, the row that it names, which may be null, and what the line makes of it.
    struct Settled {
        const Item& from;
        const T* row;
        T item;
    };

    // What the lines make of their rows, without those that stay as they are. Counts in `result`.
    std::vector<T> settle(std::vector<Item>& batch, std::vector<T>& found, Imported& result) {
        std::erase_if(batch, [&](const Item& from) { return !faults_.attempt(from.line, [&] { hold_owner(from); }); });
        found = find(batch);
        const Rows known(found);
        std::vector<Settled> settled;
        std::vector<std::string> bases;
        for (const auto& from : batch)
            faults_.attempt(from.line, [&] {
                const auto* row = match(from, known);
                settled.push_back({from, row, build(from, row)});
                if (resource::has_slug<T> && !row && !from.slug) bases.push_back(base(settled.back().item));
            });
        if (is_writing()) maker_->prepare(bases);

        std::vector<T> changed;
        std::vector<std::pair<core::Uuid, Keyed>> renamed;
        for (auto& [from, row, item] : settled) {
            if constexpr (resource::has_slug<T>)
                item.slug = from.slug ? *from.slug : row ? row->slug : is_writing() ? maker_->make(base(item)) : "";
            if (!faults_.attempt(from.line, [&] { check(from, item, row); })) continue;
            const bool same = row && keys_of(item) == keys_of(*row) && K::same(item, *row);
            if (!settle_update(item, row, same, now_of(item))) {
                ++result.unchanged;
                continue;
            }
            ++(row ? result.changed : result.added);
            if constexpr (K::is_described)
                if (const auto resolve = T::described().hooks.resolve; resolve && is_writing())
                    if (!faults_.attempt(from.line, [&] { resolve(connection_, item, row); })) continue;
            if (row && keys_of(item) != keys_of(*row)) renamed.emplace_back(item.id, keys_of(item));
            changed.push_back(std::move(item));
        }
        for (auto& [id, keys] : renamed) renamed_.insert_or_assign(id, std::move(keys));
        return changed;
    }

    // The slug that the item would have if nobody had it.
    static std::string base(const T& item) { return core::slugify(K::title(item), K::singular(), item.id.to_string()); }

    // Before any row is locked: the organisation that the line names, while rows are written.
    void hold_owner(const Item& from) {
        if constexpr (K::is_described)
            if (from.organisation)
                if (const auto id = organisations_.of(*from.organisation); is_writing()) times_.of(id);
    }

    // No other line, and no other row, is this one or has its reference; and what it names elsewhere can be named.
    void check(const Item& from, const T& item, const T* row) {
        rows_of_lines_.add_row(item.id, from.line);
        if constexpr (K::is_described) {
            if (const auto* reference = resource::reference(item)) check_reference(from, item, row, *reference);
            if (const auto hook = T::described().hooks.check; hook && !is_writing()) hook(connection_, item, row);
        }
    }

    void check_reference(const Item& from, const T& item, const T* row, const std::string& reference) {
        const auto* owner = resource::owner(item);
        if (!owner) throw http::invalid_field("reference", "must not stand without an organisation");
        rows_of_lines_.add_reference(*owner, reference, from.line);
        // match() has looked for the references of lines with an organisation.
        if (is_writing() || from.organisation || !row || row->reference == item.reference) return;
        for (auto& other : K::Store::find_by_reference(connection_, *owner, std::span(&reference, 1), db::Locks::none)) {
            rename(other);
            if (other.id != item.id && other.reference == item.reference)
                throw Contradiction("reference", "the reference " + reference + " belongs to the row " + other.id.to_string() +
                                                     ": choose another one");
        }
    }

    const T* match(const Item& item, const Rows& known) {
        const T* row = nullptr;
        if (item.id)
            if (const auto found = known.by_id.find(*item.id); found != known.by_id.end()) row = found->second;
        if (item.slug)
            if (const auto found = known.by_slug.find(*item.slug); found != known.by_slug.end())
                row = agree(item, row, *found->second, "slug", *item.slug);
        if (given(item, "reference") && item.organisation && K::is_described) {
            const std::string reference = item.object.at("reference");
            for (const auto& form : core::reference_forms(reference)) {
                const auto found = known.by_reference.find({organisations_.of(*item.organisation), form});
                if (found == known.by_reference.end()) continue;
                row = agree(item, row, *found->second, "reference", reference);
                break;
            }
        }
        return row;
    }

    // `other`, which a line names by `key`; `row`: what it names by its id or slug.
    static const T* agree(const Item& item, const T* row, const T& other, const std::string& name, const std::string& key) {
        if (!row && item.id && *item.id != other.id)
            throw Contradiction(name, "the " + name + " " + key + " belongs to the row " + other.id.to_string() +
                                          ": leave out the id to update that");
        if (row && row != &other) {
            bool may_lack_key = true;
            if constexpr (K::is_described) may_lack_key = K::may_lack_reference;
            throw Contradiction(name, std::string(item.id && *item.id == row->id ? "id" : "slug") + " and " + name +
                                          " name two different rows: leave " + (may_lack_key ? "one of them" : "the id") +
                                          " out");
        }
        return &other;
    }

    T build(const Item& from, const T* row) {
        T item;
        if (row) keep(from, *row, item);
        if constexpr (K::is_described) settle_owner(from, row, item);
        if (!row) {
            item.created_at = now_of(item);
            item.id = from.id ? *from.id : core::Uuid::v7(item.created_at);
        }
        fill(from, item, row);
        return item;
    }

    void settle_owner(const Item& from, const T* row, T& item) {
        if (!from.names_organisation && row) return;
        std::optional<core::Uuid> id;
        if (from.organisation) id = organisations_.of(*from.organisation);
        if (!id && !resource::may_stand_alone<T>())
            throw http::invalid_field("organisation", from.names_organisation ? "must not be null" : "is required");
        if (row) {
            const auto* owner = resource::owner(*row);
            if (owner ? id != *owner : id.has_value())
                throw Contradiction("organisation",
                                    (from.slug ? "the slug " + *from.slug : "the id " + core::present(from.id).to_string()) +
                                        " belongs to another organisation's row");
        } else if (id) {
            resource::set_owner(item, {*id, core::present(from.organisation), "", {}});
        }
    }

    // When the row changes: what belongs to organisations is polled.
    core::Time now_of(const T& item) {
        if constexpr (K::is_described)
            if (const auto* organisation = resource::owner(item); organisation && is_writing()) return times_.of(*organisation);
        return now_;
    }

    db::Connection& connection_;
    Lines& lines_;
    const ImportOptions& options_;
    const core::Time now_;
    Times times_;
    Faults faults_;
    Keys keys_;
    std::vector<std::string> slugs_;  // of all lines
    RowsOfLines rows_of_lines_;
    OrganisationIds organisations_{connection_};
    std::map<core::Uuid, Keyed> renamed_;
    writes::SlugMaker* maker_ = nullptr;  // while rows are written
};

}  // namespace

Imported import_organisations(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options) {
    return Import<identity::Organisation>(connection, lines, clock, options).run();
}
Imported import_jobs(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options) {
    return Import<jobs::Job>(connection, lines, clock, options).run();
}
Imported import_events(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options) {
    return Import<events::Event>(connection, lines, clock, options).run();
}
Imported import_posts(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options) {
    return Import<posts::Post>(connection, lines, clock, options).run();
}
Imported import_stock(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options) {
    return Import<stock::StockItem>(connection, lines, clock, options).run();
}

}  // namespace tradepost::ctl
