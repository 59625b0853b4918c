// What is imported by its organisation and reference: stock.
#include <set>
#include <unordered_map>

#include "core/present.h"
#include "ctl/import.h"
#include "identity/organisations.h"
#include "resources/stock/json.h"
#include "resources/stock/writer.h"

namespace tradepost::ctl {
namespace {

using stock::StockItem;

bool same(const StockItem& a, const StockItem& b) {
    return fields::same_fields(stock::stock_fields(), a, b) && stock::same_attachments(a, b);
}

class StockImport {
public:
    StockImport(db::Connection& connection, Lines& lines, const core::Clock& clock)
        : connection_(connection), lines_(lines), clock_(clock), keys_(lines) {}

    Imported run() {
        each_batch(lines_, [&](std::vector<Item>& batch) {
            for (const auto& from : batch) {
                StockItem item;
                item.created_at = item.updated_at = clock_.now();
                on_line(lines_, from.line, [&] { fill(from, item); });
                if (from.id) keys_.add("id", core::present(from.id).to_string(), from.line);
                if (from.organisation) keys_.add("reference of " + *from.organisation, item.reference, from.line);
            }
        });
        return write_all(connection_, lines_, "stock", clock_.now(), [&](writes::WriteTransaction& transaction) {
            times_.forget();
            ids_.clear();
            lines_of_rows_.clear();
            Imported result;
            stock::StockWriter writer(transaction);
            each_batch(lines_, [&](std::vector<Item>& batch) { write(writer, batch, result); });
            return result;
        });
    }

private:
    // The line's fields over what `item` holds. Throws http::ApiError.
    static void fill(const Item& from, StockItem& item) {
        stock::read_stock_item(from.object, item, fields::Reading::import,
                               {"id", "organisation", "organisationId", "images", "documents"});
    }

    void write(stock::StockWriter& writer, const std::vector<Item>& batch, Imported& result) {
        std::vector<core::Uuid> ids;
        std::vector<stock::StockKey> keys;
        for (const auto& from : batch) {
            if (from.id) ids.push_back(*from.id);
            if (from.organisation)
                keys.push_back(
                    {on_line(lines_, from.line, [&] { return organisation(*from.organisation); }), from.object.at("reference")});
        }
        const auto rows = writer.find(ids, keys);
        std::map<core::Uuid, const StockItem*> by_id;
        std::map<std::pair<core::Uuid, std::string>, const StockItem*> by_reference;
        for (const auto& row : rows) by_id[row.id] = by_reference[{row.organisation_id, row.reference}] = &row;

        std::vector<StockItem> changed;
        for (const auto& from : batch) {
            const auto* row = match(from, by_id, by_reference);
            auto item = on_line(lines_, from.line, [&] { return build(from, row); });
            if (const auto [other, first] = lines_of_rows_.emplace(item.id, from.line); !first)
                throw lines_.fault(from.line, "this is the same row as that of line " + std::to_string(other->second));
            if (!settle_update(item, row, row && same(item, *row), times_.of(item.organisation_id))) {
                ++result.unchanged;
                continue;
            }
            ++(row ? result.changed : result.added);
            on_line(lines_, from.line, [&] { writer.lock_uploads(item, row); });
            changed.push_back(std::move(item));
        }
        writer.write(changed, rows, clock_.now());
    }

    const StockItem* match(const Item& from, const std::map<core::Uuid, const StockItem*>& by_id,
                           const std::map<std::pair<core::Uuid, std::string>, const StockItem*>& by_reference) const {
        const auto id = from.id ? by_id.find(*from.id) : by_id.end();
        const std::string reference = from.object.at("reference");
        const auto other = from.organisation ? by_reference.find({ids_.at(*from.organisation), reference}) : by_reference.end();
        if (other == by_reference.end()) return id == by_id.end() ? nullptr : id->second;
        if (from.id && other->second->id != *from.id)
            throw lines_.fault(from.line, id == by_id.end()
                                              ? "the reference " + reference + " belongs to the row " +
                                                    other->second->id.to_string() + ": leave out the id to update that"
                                              : "id and reference name two different rows: leave the id out");
        return other->second;
    }

    StockItem build(const Item& from, const StockItem* row) {
        if (from.names_organisation && !from.organisation) throw http::invalid_field("organisation", "must not be null");
        if (!row && !from.organisation) throw http::invalid_field("organisation", "is required");
        StockItem item;
        if (row) {
            if (from.organisation && ids_.at(*from.organisation) != row->organisation_id)
                throw lines_.fault(from.line,
                                   "the id " + core::present(from.id).to_string() + " belongs to another organisation's row");
            item.id = row->id;
            item.organisation_id = row->organisation_id;
            item.status = row->status;
            item.created_at = row->created_at;
            // So that a source that is fetched already is not fetched again.
            if (from.object.contains("images")) item.images = row->images;
            times_.of(item.organisation_id);
        } else {
            item.organisation_id = ids_.at(core::present(from.organisation));
            item.created_at = times_.of(item.organisation_id);
            item.id = from.id ? *from.id : core::Uuid::v7(item.created_at);
        }
        fill(from, item);
        return item;
    }

    core::Uuid organisation(const std::string& slug) {
        const auto known = ids_.find(slug);
        if (known != ids_.end()) return known->second;
        const auto found = identity::Organisations(connection_).find_by_slug(slug);
        if (!found) throw http::invalid_field("organisation", "there is no organisation " + slug);
        times_.of(found->id);
        return ids_[slug] = found->id;
    }

    db::Connection& connection_;
    Lines& lines_;
    const core::Clock& clock_;
    Times times_{connection_, clock_};
    Keys keys_;
    std::map<core::Uuid, std::size_t> lines_of_rows_;
    std::unordered_map<std::string, core::Uuid> ids_;
};

}  // namespace

Imported import_stock(db::Connection& connection, Lines& lines, const core::Clock& clock) {
    return StockImport(connection, lines, clock).run();
}

}  // namespace tradepost::ctl
