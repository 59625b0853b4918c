#include "resources/operations/diagnosis.h"

#include <nlohmann/json.hpp>

#include "core/crypto.h"
#include "files/probe.h"
#include "http/error.h"
#include "identity/diagnosis_pass.h"
#include "identity/instance_keys.h"
#include "limits/limiter.h"

namespace tradepost::operations {

http::Response get_diagnosis(api::Call& call) {
    const auto& pass = call.parameters[1];
    const auto now = call.services.clock.now();
    if (!identity::has_pass_form(pass, now)) throw http::not_found();
    if (!identity::verify_pass(identity::InstanceKeys(call.services.connection).get(identity::pass_key, now), pass))
        throw http::not_found();
    // A pass is accepted as long before its time as after it, since clocks differ.
    if (!call.services.limiter.count("diagnosis", pass, {1, 2 * identity::pass_lifetime}).allowed) throw http::not_found();

    nlohmann::ordered_json found{{"pool", call.services.pool}, {"clientAddress", call.request.client_address}};
    const auto authorization = call.request.header("authorization");
    found["authorization"] = authorization ? nlohmann::ordered_json(core::to_hex(core::sha256(*authorization))) : nullptr;
    if (call.services.pool == "uploads") {
        const auto& directory = call.services.config.uploads.directory;
        found["storeDirectory"] = directory;
        found["storeFaults"] = files::store_faults(directory);
    }
    return http::data(found.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace tradepost::operations
