#include "api/write.h"
#include "http/error.h"
#include "resources/dashboard/handlers.h"

namespace tradepost::dashboard {

http::Response list_sessions(api::Call& call) {
    const auto& own = call.session();
    json::Writer writer;
    writer.begin_object().name("sessions").begin_array();
    for (const auto& listed :
         identity::Sessions(call.services.connection).list_active(call.caller().user_id, call.services.clock.now())) {
        writer.begin_object().member("id", listed.id).member("createdAt", listed.session.created_at);
        writer.member("lastUsedAt", listed.session.last_seen_at).member("expiresAt", listed.session.expires_at());
        writer.member("address", listed.address).member("userAgent", listed.user_agent);
        writer.member("current", listed.session.hash == own.hash).end_object();
    }
    writer.end_array().end_object();
    return http::data(writer.text());
}

http::Response end_session_by_id(api::Call& call) {
    const auto id = api::path_id(call);
    if (id == identity::session_id(call.session().hash)) return end_session(call);
    if (!identity::Sessions(call.services.connection).end_own(call.caller().user_id, id, call.services.clock.now()))
        throw http::not_found();
    return api::deleted(id);
}

http::Response end_other_sessions(api::Call& call) {
    const auto ended = identity::Sessions(call.services.connection).end_others(call.session(), call.services.clock.now());
    json::Writer writer;
    writer.begin_object().member("ended", std::int64_t(ended)).end_object();
    return http::data(writer.text());
}

}  // namespace tradepost::dashboard
