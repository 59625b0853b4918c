#include "resources/stock/fetched.h"

#include <algorithm>

#include "core/present.h"
#include "db/failure.h"
#include "lists/horizon.h"
#include "resource/store.h"
#include "resources/stock/stock_item.h"
#include "resources/uploads/attachments.h"
#include "resources/uploads/fetching.h"
#include "resources/uploads/rows.h"
#include "resources/uploads/upload.h"

namespace tradepost::stock {
namespace {

struct Locked {
    core::Uuid organisation_id;
    core::Time now;               // later than all polls
    std::vector<StockItem> rows;  // that show the upload
};

// What shows the upload, the organisation, exclusively, and the upload. Items that a feed is writing are waited for before the organisation
// is locked, so that its other writers do not wait, too. Empty when the upload is not to be fetched any more.
std::optional<Locked> lock(resource::Store<StockItem>& store, db::Connection& connection, const core::Clock& clock,
                           const core::Uuid& upload_id) {
    const auto found = connection.query(
        "SELECT o.id FROM organisations o JOIN uploads u ON u.organisation_id = o.id WHERE u.id = ?", {upload_id});
    if (found.empty()) return {};
    Locked locked;
    locked.organisation_id = found[0].uuid(0);
    std::vector<core::Uuid> ids;
    for (const auto& row : connection.query(
             "SELECT DISTINCT stock_id FROM stock_images FORCE INDEX (stock_images_upload) WHERE upload_id = ?", {upload_id}))
        ids.push_back(row.uuid(0));
    locked.rows = store.find(ids);
    const auto organisation =
        connection.query("SELECT polled_until FROM organisations WHERE id = ? FOR UPDATE", {locked.organisation_id});
    if (organisation.empty()) return {};
    db::conflict_on(connection, std::span(&locked.organisation_id, 1));
    locked.now = lists::after_polls(clock.now(), organisation[0].opt_time(0));
    const auto upload = connection.query(
        "SELECT 1 FROM uploads WHERE id = ? AND status = 'FETCHING' AND attachments > 0 FOR UPDATE", {upload_id});
    if (upload.empty()) return {};
    return locked;
}

// The items as they are with this image.
void write(resource::Store<StockItem>& store, const Locked& locked, const StockItem::Image& image) {
    auto items = locked.rows;
    for (auto& item : items) {
        item.updated_at = std::max(locked.now, item.updated_at + core::milliseconds(1));
        for (auto& each : item.images) {
            if (each.upload_id != image.upload_id) continue;
            each.url = image.url;
            each.thumbnail_url = image.thumbnail_url;
            each.status = image.status;
            each.error = image.error;
        }
    }
    store.write(items, locked.rows);
}

}  // namespace

Fetched keep_fetched(db::Connection& connection, const core::Clock& clock, files::Store& store, std::uint64_t quota,
                     const core::Uuid& upload_id, const std::string& content_type, const files::Prepared& prepared) {
    return writes::write(connection, [&](writes::WriteTransaction& transaction) {
        resource::Store<StockItem> items(transaction);
        const auto locked = lock(items, connection, clock, upload_id);
        if (!locked) return Fetched::not_wanted;
        if (std::uint64_t(uploads::Uploads(connection).bytes_of(locked->organisation_id) + prepared.size) > quota)
            return Fetched::no_room;
        uploads::publish(store, connection, content_type, prepared);
        connection.execute(
            "UPDATE uploads SET status = 'READY', content_type = ?, content_hash = ?, size = ?, width = ?, height = ? WHERE id = "
            "?",
            {content_type, db::Binary{prepared.content_hash}, prepared.size, prepared.width, prepared.height, upload_id});
        uploads::announce_ready(connection, core::present(uploads::Uploads(connection).find(upload_id)), locked->now);
        StockItem::Image image;
        image.upload_id = upload_id;
        image.url = uploads::upload_url(prepared.content_hash, content_type);
        image.thumbnail_url = uploads::thumbnail_url(prepared.content_hash, content_type);
        write(items, *locked, image);
        return Fetched::ready;
    });
}

void give_up_fetching(db::Connection& connection, const core::Clock& clock, const core::Uuid& upload_id, std::string_view why) {
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        resource::Store<StockItem> items(transaction);
        const auto locked = lock(items, connection, clock, upload_id);
        if (!locked) return;
        uploads::fail_fetch(connection, upload_id, why);
        StockItem::Image image;
        image.upload_id = upload_id;
        image.status = "FAILED";
        image.error = why;
        write(items, *locked, image);
    });
}

}  // namespace tradepost::stock
