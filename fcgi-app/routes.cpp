#include "routes.h"

#include "api/accounts.h"
#include "api/auth.h"
#include "api/dashboard.h"
#include "api/diagnosis.h"
#include "api/enquiries.h"
#include "api/events.h"
#include "api/health.h"
#include "api/jobs.h"
#include "api/me.h"
#include "api/metrics.h"
#include "api/notification_tokens.h"
#include "api/posts.h"
#include "api/stock.h"
#include "api/uploads.h"

namespace tradepost {

std::span<const api::Route> routes() {
    using namespace api;
    using enum RateClass;
    constexpr std::size_t json_body = 1 << 20, upload_body = 12 << 20;

    // clang-format off
    static constexpr Route table[] = {
        // method  path                                       access             rate class    body limit  handler
        {"POST",   "/api/v1/auth",                            Access::open,      auth,         json_body,  exchange_token},
        {"DELETE", "/api/v1/auth",                            Access::token,     none,         0,          revoke_token},
        {"GET",    "/api/v1/me",                              Access::bearer,    none,         0,          get_me, repo::Wanted::memberships},
        {"GET",    "/api/v1/accounts",                        Access::bearer,    none,         0,          get_account},
        {"PATCH",  "/api/v1/accounts",                        Access::bearer,    none,         json_body,  change_account},

        {"GET",    "/api/v1/jobs",                            Access::optional,  public_read,  0,          list_jobs},
        {"GET",    "/api/v1/jobs/{idOrSlug}",                 Access::optional,  public_read,  0,          get_job},
        {"POST",   "/api/v1/jobs",                            Access::bearer,    write,        json_body,  create_job},
        {"PATCH",  "/api/v1/jobs/{idOrSlug}",                 Access::bearer,    write,        json_body,  change_job},
        {"DELETE", "/api/v1/jobs/{idOrSlug}",                 Access::bearer,    write,        0,          delete_job},
        {"GET",    "/api/v1/events",                          Access::open,      public_read,  0,          list_events},
        {"GET",    "/api/v1/events/{idOrSlug}",               Access::open,      public_read,  0,          get_event},
        {"GET",    "/api/v1/posts",                           Access::open,      public_read,  0,          list_posts},
        {"GET",    "/api/v1/posts/{idOrSlug}",                Access::open,      public_read,  0,          get_post},

        {"GET",    "/api/v1/stock",                           Access::bearer,    none,         0,          list_stock},
        {"POST",   "/api/v1/stock",                           Access::bearer,    write,        json_body,  create_stock_item},
        {"GET",    "/api/v1/stock/{id}",                      Access::bearer,    none,         0,          get_stock_item},
        {"PATCH",  "/api/v1/stock/{id}",                      Access::bearer,    write,        json_body,  change_stock_item},
        {"DELETE", "/api/v1/stock/{id}",                      Access::bearer,    write,        0,          delete_stock_item},
        {"PUT",    "/api/v1/stock/by-reference/{reference}",  Access::bearer,    write,        json_body,  put_stock_item},

        {"GET",    "/api/v1/enquiries",                       Access::bearer,    none,         0,          list_enquiries},
        {"POST",   "/api/v1/enquiries",                       Access::bearer,    write,        json_body,  create_enquiry},
        {"GET",    "/api/v1/enquiries/{id}",                  Access::bearer,    none,         0,          get_enquiry},
        {"PATCH",  "/api/v1/enquiries/{id}",                  Access::bearer,    write,        json_body,  change_enquiry},
        {"DELETE", "/api/v1/enquiries/{id}",                  Access::bearer,    write,        0,          delete_enquiry},
        {"POST",   "/api/v1/uploads",                         Access::bearer,    write,        upload_body, create_upload},
        {"GET",    "/api/v1/uploads/{id}",                    Access::bearer,    none,         0,          get_upload},
        {"DELETE", "/api/v1/uploads/{id}",                    Access::bearer,    write,        0,          delete_upload},
        {"PUT",    "/upload/{ticket}",                        Access::optional_token, none,    0,          put_upload},
        {"GET",    "/check/upload/{ticket}",                  Access::open,      none,         0,          check_ticket},
        {"POST",   "/api/v1/notification_tokens",             Access::bearer,    none,         json_body,  register_notification_token},

        // A session's attempts at a password count by its user's address, as a sign-in's do by the one it names.
        {"GET",    "/dashboard/api/session",                  Access::session,   none,         0,          get_session},
        {"POST",   "/dashboard/api/session",                  Access::open,      auth,         json_body,  begin_session},
        {"DELETE", "/dashboard/api/session",                  Access::session,   none,         0,          end_session},
        {"PUT",    "/dashboard/api/password",                 Access::session,   auth,         json_body,  change_password},
        {"GET",    "/dashboard/api/tokens",                   Access::session,   none,         0,          list_tokens},
        {"POST",   "/dashboard/api/tokens",                   Access::session,   none,         json_body,  mint_token},
        {"DELETE", "/dashboard/api/tokens/{id}",              Access::session,   none,         0,          revoke_token_by_id},

        {"GET",    "/healthz",                                Access::open,      none,         0,          healthz},
        {"GET",    "/readyz",                                 Access::open,      none,         0,          readyz},
        {"GET",    "/metrics",                                Access::open,      none,         0,          get_metrics},
        {"GET",    "/api/v1/diagnosis/{pool}/{pass}",         Access::open,      none,         0,          get_diagnosis},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost
