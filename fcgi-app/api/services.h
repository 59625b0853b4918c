// What handlers work with. All borrowed from the App that owns it.
#pragma once
#include "api/list_tag.h"
#include "api/remembered.h"
#include "auth/sessions.h"
#include "auth/sign_in.h"
#include "core/clock.h"
#include "core/config.h"
#include "repo/changes.h"
#include "repo/collections.h"
#include "repo/enquiries.h"
#include "repo/events.h"
#include "repo/health.h"
#include "repo/jobs.h"
#include "repo/memberships.h"
#include "repo/organisations.h"
#include "repo/posts.h"
#include "repo/stock.h"
#include "repo/tokens.h"
#include "repo/uploads.h"
#include "repo/users.h"
#include "uploads/store.h"

namespace tradepost::limits {
class Limiter;
}
namespace tradepost::metrics {
class Metrics;
}

namespace tradepost::api {

struct Services {
    const core::Config& config;
    const core::Clock& clock;
    repo::Users& users;
    repo::Tokens& tokens;
    repo::Memberships& memberships;
    repo::Organisations& organisations;
    auth::SignIn& sign_in;
    repo::Jobs& jobs;
    repo::Events& events;
    repo::Posts& posts;
    repo::Stock& stock;
    repo::Enquiries& enquiries;
    repo::Collections& collections;
    repo::Changes& changes;
    repo::Uploads& uploads;
    uploads::Store& store;
    repo::Health& health;
    Remembered& remembered;
    auth::Sessions& sessions;
    limits::Limiter& limiter;
    const metrics::Metrics* metrics;  // may be null
    std::string pool;                 // this worker's
    std::string upload_key = {};      // once it was read
    std::optional<ListTags> list_tags = {};  // once their key was read
};

}  // namespace tradepost::api
