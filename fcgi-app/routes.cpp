#include "routes.h"

#include "resources/accounts/handlers.h"
#include "resources/auth/handlers.h"
#include "resources/dashboard/handlers.h"
#include "resources/enquiries/handlers.h"
#include "resources/events/handlers.h"
#include "resources/jobs/handlers.h"
#include "resources/me/handlers.h"
#include "resources/notification_tokens/handlers.h"
#include "resources/operations/diagnosis.h"
#include "resources/operations/health.h"
#include "resources/operations/metrics.h"
#include "resources/operations/security_text.h"
#include "resources/posts/handlers.h"
#include "resources/stock/handlers.h"
#include "resources/uploads/handlers.h"

namespace tradepost {

std::span<const api::Route> routes() {
    using namespace api;
    using enum RateClass;
    constexpr std::size_t json_body = 1 << 20, upload_body = 12 << 20;

    // clang-format off
    static constexpr Route table[] = {
        // method  path                                       access             rate class    body limit   pool           handler
        {"POST",   "/api/v1/auth",                            Access::open,      auth,         json_body,   Pool::auth,    auth::exchange_token},
        {"DELETE", "/api/v1/auth",                            Access::token,     none,         0,           Pool::auth,    auth::revoke_token},
        {"GET",    "/api/v1/me",                              Access::bearer,    none,         0,           Pool::api,     me::get_me, identity::CallerDetail::memberships},
        {"GET",    "/api/v1/accounts",                        Access::bearer,    none,         0,           Pool::api,     accounts::get_account},
        {"PATCH",  "/api/v1/accounts",                        Access::bearer,    none,         json_body,   Pool::api,     accounts::change_account, identity::CallerDetail::roles, accounts::check_admin},

        {"GET",    "/api/v1/jobs",                            Access::optional,  public_read,  0,           Pool::api,     jobs::list_jobs},
        {"GET",    "/api/v1/jobs/facets",                     Access::optional,  public_read,  0,           Pool::api,     jobs::get_job_facets},
        {"GET",    "/api/v1/jobs/{idOrSlug}",                 Access::optional,  public_read,  0,           Pool::api,     jobs::get_job},
        {"POST",   "/api/v1/jobs",                            Access::bearer,    write,        json_body,   Pool::api,     jobs::create_job},
        {"PATCH",  "/api/v1/jobs/{idOrSlug}",                 Access::bearer,    write,        json_body,   Pool::api,     jobs::change_job},
        {"DELETE", "/api/v1/jobs/{idOrSlug}",                 Access::bearer,    write,        0,           Pool::api,     jobs::delete_job},
        {"GET",    "/api/v1/events",                          Access::open,      public_read,  0,           Pool::api,     events::list_events},
        {"GET",    "/api/v1/events/facets",                   Access::open,      public_read,  0,           Pool::api,     events::get_event_facets},
        {"GET",    "/api/v1/events/{idOrSlug}",               Access::open,      public_read,  0,           Pool::api,     events::get_event},
        {"GET",    "/api/v1/posts",                           Access::open,      public_read,  0,           Pool::api,     posts::list_posts},
        {"GET",    "/api/v1/posts/facets",                    Access::open,      public_read,  0,           Pool::api,     posts::get_post_facets},
        {"GET",    "/api/v1/posts/{idOrSlug}",                Access::open,      public_read,  0,           Pool::api,     posts::get_post},

        {"GET",    "/api/v1/stock",                           Access::bearer,    none,         0,           Pool::api,     stock::list_stock},
        {"GET",    "/api/v1/stock/facets",                    Access::bearer,    none,         0,           Pool::api,     stock::get_stock_facets},
        {"POST",   "/api/v1/stock",                           Access::bearer,    write,        json_body,   Pool::api,     stock::create_stock_item},
        {"GET",    "/api/v1/stock/{id}",                      Access::bearer,    none,         0,           Pool::api,     stock::get_stock_item},
        {"PATCH",  "/api/v1/stock/{id}",                      Access::bearer,    write,        json_body,   Pool::api,     stock::change_stock_item},
        {"DELETE", "/api/v1/stock/{id}",                      Access::bearer,    write,        0,           Pool::api,     stock::delete_stock_item},
        {"PUT",    "/api/v1/stock/by-reference/{reference}",  Access::bearer,    write,        json_body,   Pool::api,     stock::put_stock_item},

        {"GET",    "/api/v1/enquiries",                       Access::bearer,    none,         0,           Pool::api,     enquiries::list_enquiries},
        {"POST",   "/api/v1/enquiries",                       Access::bearer,    write,        json_body,   Pool::api,     enquiries::create_enquiry},
        {"GET",    "/api/v1/enquiries/{id}",                  Access::bearer,    none,         0,           Pool::api,     enquiries::get_enquiry},
        {"PATCH",  "/api/v1/enquiries/{id}",                  Access::bearer,    write,        json_body,   Pool::api,     enquiries::change_enquiry},
        {"DELETE", "/api/v1/enquiries/{id}",                  Access::bearer,    write,        0,           Pool::api,     enquiries::delete_enquiry},
        {"POST",   "/api/v1/uploads",                         Access::bearer,    write,        upload_body, Pool::uploads, uploads::create_upload},
        {"GET",    "/api/v1/uploads/{id}",                    Access::bearer,    none,         0,           Pool::api,     uploads::get_upload},
        {"DELETE", "/api/v1/uploads/{id}",                    Access::bearer,    write,        0,           Pool::api,     uploads::delete_upload},
        {"PUT",    "/upload/{ticket}",                        Access::optional_token, none,    0,           Pool::uploads, uploads::put_upload},
        {"GET",    "/check/upload/{ticket}",                  Access::open,      none,         0,           Pool::api,     uploads::check_ticket},
        {"POST",   "/api/v1/notification_tokens",             Access::bearer,    none,         json_body,   Pool::api,     notification_tokens::register_notification_token},

        // A change or confirmation of the password counts as a sign-in with the address of the session's user.
        {"GET",    "/dashboard/api/session",                  Access::session,   none,         0,           Pool::api,     dashboard::get_session},
        {"POST",   "/dashboard/api/session",                  Access::open,      auth,         json_body,   Pool::auth,    dashboard::begin_session},
        {"DELETE", "/dashboard/api/session",                  Access::session,   none,         0,           Pool::api,     dashboard::end_session},
        {"POST",   "/dashboard/api/confirmation",             Access::session,   auth,         json_body,   Pool::auth,    dashboard::confirm_password},
        {"GET",    "/dashboard/api/sessions",                 Access::session,   none,         0,           Pool::api,     dashboard::list_sessions},
        {"DELETE", "/dashboard/api/sessions",                 Access::session,   none,         0,           Pool::api,     dashboard::end_other_sessions},
        {"DELETE", "/dashboard/api/sessions/{id}",            Access::session,   none,         0,           Pool::api,     dashboard::end_session_by_id},
        {"PUT",    "/dashboard/api/password",                 Access::session,   auth,         json_body,   Pool::auth,    dashboard::change_password},
        {"GET",    "/dashboard/api/tokens",                   Access::session,   none,         0,           Pool::api,     dashboard::list_tokens},
        {"POST",   "/dashboard/api/tokens",                   Access::session,   none,         json_body,   Pool::api,     dashboard::mint_token, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"DELETE", "/dashboard/api/tokens/{id}",              Access::session,   none,         0,           Pool::api,     dashboard::revoke_token_by_id},
        {"GET",    "/dashboard/api/second-factor",            Access::session,   none,         0,           Pool::api,     dashboard::get_second_factor},
        {"POST",   "/dashboard/api/second-factor",            Access::session,   none,         0,           Pool::api,     dashboard::begin_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"PUT",    "/dashboard/api/second-factor",            Access::session,   none,         json_body,   Pool::api,     dashboard::enable_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"DELETE", "/dashboard/api/second-factor",            Access::session,   none,         0,           Pool::api,     dashboard::remove_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"POST",   "/dashboard/api/second-factor/recovery-codes", Access::session, none,       0,           Pool::api,     dashboard::renew_recovery_codes, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"PUT",    "/dashboard/api/organisations/{id}/second-factor", Access::session, none,   json_body,   Pool::api,     dashboard::require_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},

        {"GET",    "/healthz",                                Access::open,      none,         0,           Pool::api,     operations::healthz},
        {"GET",    "/readyz",                                 Access::open,      none,         0,           Pool::api,     operations::readyz},
        {"GET",    "/metrics",                                Access::open,      none,         0,           Pool::api,     operations::get_metrics},
        {"GET",    "/.well-known/security.txt",               Access::open,      none,         0,           Pool::api,     operations::get_security_text},
        {"GET",    "/api/v1/diagnosis/{pool}/{pass}",         Access::open,      none,         0,           Pool::any,     operations::get_diagnosis},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost
