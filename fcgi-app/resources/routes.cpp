#include "resources/routes.h"

#include <vector>

#include "resource/routes.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"

namespace tradepost {

using Rows = std::span<const api::Route>;

// Each stands beside its handlers.
namespace auth {
Rows routes();
}
namespace me {
Rows routes();
}
namespace accounts {
Rows routes();
Rows member_routes();
Rows invitation_routes();
Rows integration_routes();
Rows letter_routes();
Rows failure_routes();
}  // namespace accounts
namespace enquiries {
Rows routes();
}
namespace uploads {
Rows routes();
}
namespace webhooks {
Rows routes();
}
namespace notification_tokens {
Rows routes();
}
namespace dashboard {
Rows session_routes();
Rows overview_routes();
Rows reset_routes();
Rows invitation_routes();
Rows profile_routes();
Rows token_routes();
Rows history_routes();
Rows second_factor_routes();
}  // namespace dashboard
namespace sandbox {
Rows routes();
}
namespace operations {
Rows routes();
}

Rows routes() {
    static const auto all = [] {
        std::vector<api::Route> table;
        const auto add = [&](const auto& rows) { table.insert(table.end(), rows.begin(), rows.end()); };
        add(auth::routes());
        add(me::routes());
        for (const auto rows : {accounts::routes, accounts::member_routes, accounts::invitation_routes,
                                accounts::integration_routes, accounts::letter_routes, accounts::failure_routes})
            add(rows());
        add(resource::routes<jobs::Job>());
        add(resource::routes<events::Event>());
        add(resource::routes<posts::Post>());
        add(resource::routes<stock::StockItem>());
        for (const auto rows : {enquiries::routes, uploads::routes, webhooks::routes, notification_tokens::routes}) add(rows());
        for (const auto rows :
             {dashboard::session_routes, dashboard::overview_routes, dashboard::reset_routes, dashboard::invitation_routes,
              dashboard::profile_routes, dashboard::token_routes, dashboard::history_routes, dashboard::second_factor_routes})
            add(rows());
        add(sandbox::routes());
        add(operations::routes());
        return table;
    }();
    return all;
}

}  // namespace tradepost
