#include "api/diagnosis.h"

#include <nlohmann/json.hpp>

#include "auth/diagnosis_pass.h"
#include "core/crypto.h"
#include "http/error.h"
#include "limits/limiter.h"
#include "uploads/probe.h"

namespace tradepost::api {

http::Response get_diagnosis(Call& call) {
    const auto& pass = call.parameters[1];
    const auto now = call.services.clock.now();
    if (!auth::is_pass(pass, now)) throw http::not_found();
    if (!auth::pass_opens(call.services.uploads.key(auth::pass_key, now), pass)) throw http::not_found();
    // It lives as long before its time as after it.
    if (!call.services.limiter.count("diagnosis", pass, {1, 2 * auth::pass_lives}).allowed) throw http::not_found();

    nlohmann::ordered_json found{{"pool", call.services.pool}, {"clientAddress", call.request.client_address}};
    const auto authorization = call.request.header("authorization");
    found["authorization"] = authorization ? nlohmann::ordered_json(core::to_hex(core::sha256(*authorization))) : nullptr;
    if (call.services.pool == "uploads") found["storeFaults"] = uploads::faults_of(call.services.config.uploads.directory);
    return http::data(found.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace tradepost::api
