#include "resources/uploads/publish.h"

#include <system_error>

#include "core/log.h"
#include "core/present.h"
#include "resources/uploads/json.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"

namespace tradepost::uploads {
namespace {

void publish_files(files::Store& store, const std::string& content_type, const files::Prepared& prepared) {
    const auto& hash = prepared.content_hash;
    if (prepared.thumbnail) store.publish(*prepared.thumbnail, core::present(thumbnail_url(hash, content_type)));
    store.publish(prepared.file, upload_url(hash, content_type));
}

}  // namespace

void publish(files::Store& store, db::Connection& connection, const std::string& content_type, const files::Prepared& prepared) {
    try {
        publish_files(store, content_type, prepared);
    } catch (const std::system_error& error) {
        files::throw_api_error(error);
    }
    connection.after_commit([&store, content_type, &prepared] {
        try {
            publish_files(store, content_type, prepared);
        } catch (const std::exception& error) {
            core::log::error("publish", {{"file", prepared.file}, {"why", error.what()}});
        }
    });
}

void announce_ready(db::Connection& connection, const Upload& upload, core::Time now) {
    webhooks::announce(connection, webhooks::upload_ready,
                       {upload.organisation_id, now, webhooks::upload_ready, [&] { return render(upload); }});
}

}  // namespace tradepost::uploads
