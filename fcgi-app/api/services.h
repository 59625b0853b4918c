// The services that handlers use. All belong to the App.
#pragma once
#include "core/clock.h"
#include "core/config.h"
#include "db/connection.h"
#include "files/store.h"
#include "identity/instance_keys.h"
#include "identity/sessions/dashboard_sessions.h"
#include "identity/sessions/sign_in.h"
#include "lists/lists.h"

namespace tradepost::limits {
class Limiter;
class Turns;
}  // namespace tradepost::limits
namespace tradepost::metrics {
class Metrics;
}

namespace tradepost::api {

struct Services {
    const core::Config& config;
    const core::Clock& clock;
    db::Connection& connection;  // for repositories that need nothing else: handlers construct them where they use them
    db::Connection& reads;       // for lists and details; the same one unless database.reads is "local"
    lists::Lists& lists;
    identity::SignIn& sign_in;
    identity::DashboardSessions& sessions;
    identity::InstanceKeys& keys;
    files::Store& store;
    limits::Limiter& limiter;
    const metrics::Metrics* metrics;  // may be null
    limits::Turns* turns;             // null where every request is admitted
    std::string pool;                 // of this worker
};

}  // namespace tradepost::api
