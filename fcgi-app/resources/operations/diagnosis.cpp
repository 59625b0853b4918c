#include "resources/operations/diagnosis.h"

#include "core/crypto.h"
#include "files/probe.h"
#include "http/error.h"
#include "identity/diagnosis_pass.h"
#include "identity/instance_keys.h"
#include "json/writer.h"
#include "limits/limiter.h"
#include "metrics/metrics.h"

namespace tradepost::operations {

http::Response get_diagnosis(api::Call& call) {
    const auto& pass = call.parameters[1];
    const auto now = call.services.clock.now();
    if (!identity::has_pass_form(pass, now)) throw http::not_found();
    if (!identity::verify_pass(identity::InstanceKeys(call.services.connection).get(identity::pass_key, now), pass))
        throw http::not_found();
    // A pass is accepted as long before its time as after it, since clocks differ.
    if (!call.services.limiter.count("diagnosis", pass, {1, 2 * identity::pass_lifetime}).allowed) throw http::not_found();

    json::Writer found;
    found.begin_object().member("pool", call.services.pool).member("clientAddress", call.request.client_address);
    found.name("authorization");
    if (const auto authorization = call.request.header("authorization"))
        found.value(core::to_hex(core::sha256(*authorization)));
    else
        found.null();
    if (const auto* metrics = call.services.metrics) {
        const auto& engine = call.services.config.search.engine;
        const auto searches = metrics->slow_searches(engine, std::chrono::milliseconds(500));
        found.name("searches").begin_object().member("engine", engine);
        found.member("all", std::int64_t(searches.all)).member("slow", std::int64_t(searches.slow)).end_object();
    }
    if (call.services.pool == "uploads") {
        const auto& directory = call.services.config.uploads.directory;
        found.member("storeDirectory", directory).name("storeFaults").begin_array();
        for (const auto& fault : files::store_faults(directory, call.services.config.spool_socket())) found.value(fault);
        found.end_array();
    }
    return http::data(found.end_object().text());
}

}  // namespace tradepost::operations
