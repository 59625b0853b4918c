#include "routes.h"

#include "resources/accounts/handlers.h"
#include "resources/accounts/integrations.h"
#include "resources/accounts/invitations.h"
#include "resources/accounts/letters.h"
#include "resources/auth/handlers.h"
#include "resources/dashboard/handlers.h"
#include "resources/dashboard/invitation.h"
#include "resources/dashboard/profile.h"
#include "resources/dashboard/reset.h"
#include "resources/deletions/handlers.h"
#include "resources/enquiries/handlers.h"
#include "resources/events/handlers.h"
#include "resources/feeds/handlers.h"
#include "resources/feeds/options.h"
#include "resources/jobs/feed.h"
#include "resources/jobs/handlers.h"
#include "resources/me/handlers.h"
#include "resources/notification_tokens/handlers.h"
#include "resources/operations/diagnosis.h"
#include "resources/operations/health.h"
#include "resources/operations/metrics.h"
#include "resources/operations/security_text.h"
#include "resources/posts/handlers.h"
#include "resources/stock/feed.h"
#include "resources/stock/handlers.h"
#include "resources/uploads/handlers.h"
#include "resources/webhooks/handlers.h"

namespace tradepost {

std::span<const api::Route> routes() {
    using namespace api;
    using enum RateClass;
    using enum Needs::Kind;
    using enum identity::Scope;
    constexpr std::size_t json_body = 1 << 20, upload_body = 12 << 20;

    // clang-format off
    static constexpr Route table[] = {
        // method  path                                       access             needs            rate class    body limit   pool           handler
        {"POST",   "/api/v1/auth",                            Access::open,      nothing,         auth,         json_body,   Pool::auth,    auth::exchange_token},
        {"DELETE", "/api/v1/auth",                            Access::token,     nothing,         none,         0,           Pool::auth,    auth::revoke_token},
        {"GET",    "/api/v1/me",                              Access::bearer,    nothing,         none,         0,           Pool::api,     me::get_me, identity::CallerDetail::memberships},
        {"GET",    "/api/v1/me/tokens",                          Access::bearer,    account_read,    none,         0,           Pool::api,     me::list_my_tokens},
        {"DELETE", "/api/v1/me/tokens/{id}",                     Access::bearer,    all,             none,         0,           Pool::api,     me::revoke_my_token},
        {"GET",    "/api/v1/accounts",                        Access::bearer,    account_read,    none,         0,           Pool::api,     accounts::get_account},
        {"PATCH",  "/api/v1/accounts",                        Access::bearer,    account_write,   none,         json_body,   Pool::api,     accounts::change_account, identity::CallerDetail::roles, accounts::check_admin},
        {"GET",    "/api/v1/accounts/members",                Access::bearer,    account_read,    none,         0,           Pool::api,     accounts::list_members},
        {"PATCH",  "/api/v1/accounts/members/{userId}",       Access::bearer,    all,             none,         json_body,   Pool::api,     accounts::change_member, identity::CallerDetail::roles, accounts::check_admin},
        {"DELETE", "/api/v1/accounts/members/{userId}",       Access::bearer,    all,             none,         0,           Pool::api,     accounts::remove_member},
        {"GET",    "/api/v1/accounts/invitations",            Access::bearer,    all,             none,         0,           Pool::api,     accounts::list_invitations},
        {"POST",   "/api/v1/accounts/invitations",            Access::bearer,    all,             write,        json_body,   Pool::api,     accounts::create_invitation, identity::CallerDetail::roles, accounts::check_admin},
        {"DELETE", "/api/v1/accounts/invitations/{id}",       Access::bearer,    all,             none,         0,           Pool::api,     accounts::withdraw_invitation, identity::CallerDetail::roles, accounts::check_admin},
        {"GET",    "/api/v1/accounts/integrations",              Access::bearer,    all,             none,         0,           Pool::api,     accounts::list_integrations},
        {"POST",   "/api/v1/accounts/integrations",              Access::bearer,    all,             write,        json_body,   Pool::api,     accounts::create_integration, identity::CallerDetail::roles, accounts::check_admin},
        {"DELETE", "/api/v1/accounts/integrations/{id}",         Access::bearer,    all,             none,         0,           Pool::api,     accounts::delete_integration, identity::CallerDetail::roles, accounts::check_admin},
        {"POST",   "/api/v1/accounts/integrations/{id}/tokens",  Access::bearer,    all,             write,        json_body,   Pool::api,     accounts::mint_integration_token, identity::CallerDetail::roles, accounts::check_may_mint},
        {"DELETE", "/api/v1/accounts/integrations/{id}/tokens/{tokenId}", Access::bearer,    all,             none,         0,           Pool::api,     accounts::revoke_integration_token, identity::CallerDetail::roles, accounts::check_admin},
        {"GET",    "/api/v1/accounts/letters",                   Access::bearer,   account_read,    none,         0,           Pool::api,     accounts::get_letters},
        {"PATCH",  "/api/v1/accounts/letters",                   Access::bearer,   account_write,   none,         json_body,   Pool::api,     accounts::change_letters, identity::CallerDetail::roles, accounts::check_member},

        {"GET",    "/api/v1/jobs",                            Access::optional,  jobs_read,       public_read,  0,           Pool::api,     jobs::list_jobs},
        {"GET",    "/api/v1/jobs/facets",                     Access::optional,  jobs_read,       public_read,  0,           Pool::api,     jobs::get_job_facets},
        {"GET",    "/api/v1/jobs/deletions",                  Access::bearer,    jobs_read,       none,         0,           Pool::api,     deletions::list_job_deletions},
        {"GET",    "/api/v1/jobs/{idOrSlug}",                 Access::optional,  jobs_read,       public_read,  0,           Pool::api,     jobs::get_job},
        {"POST",   "/api/v1/jobs",                            Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     jobs::create_job},
        {"PATCH",  "/api/v1/jobs/{idOrSlug}",                 Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     jobs::change_job},
        {"DELETE", "/api/v1/jobs/{idOrSlug}",                 Access::bearer,    jobs_write,      write,        0,           Pool::api,     jobs::delete_job},
        {"PUT",    "/api/v1/jobs/by-reference/{reference}",   Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     jobs::put_job},
        {"GET",    "/api/v1/jobs/by-reference/{reference}",   Access::bearer,    jobs_read,       none,         0,           Pool::api,     jobs::get_job_by_reference},
        {"DELETE", "/api/v1/jobs/by-reference/{reference}",   Access::bearer,    jobs_write,      write,        0,           Pool::api,     jobs::delete_job_by_reference},
        {"GET",    "/api/v1/jobs/feed",                       Access::bearer,    jobs_read,       none,         0,           Pool::uploads, jobs::get_jobs_feed},
        {"PUT",    "/api/v1/jobs/feed",                       Access::bearer,    jobs_write,      write,        0,           Pool::uploads, jobs::put_jobs_feed, identity::CallerDetail::roles, feeds::check_options},
        {"GET",    "/api/v1/events",                          Access::optional,  jobs_read,       public_read,  0,           Pool::api,     events::list_events},
        {"GET",    "/api/v1/events/facets",                   Access::optional,  jobs_read,       public_read,  0,           Pool::api,     events::get_event_facets},
        {"GET",    "/api/v1/events/{idOrSlug}",               Access::optional,  jobs_read,       public_read,  0,           Pool::api,     events::get_event},
        {"POST",   "/api/v1/events",                          Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     events::create_event},
        {"PATCH",  "/api/v1/events/{idOrSlug}",               Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     events::change_event},
        {"DELETE", "/api/v1/events/{idOrSlug}",               Access::bearer,    jobs_write,      write,        0,           Pool::api,     events::delete_event},
        {"GET",    "/api/v1/posts",                           Access::optional,  jobs_read,       public_read,  0,           Pool::api,     posts::list_posts},
        {"GET",    "/api/v1/posts/facets",                    Access::optional,  jobs_read,       public_read,  0,           Pool::api,     posts::get_post_facets},
        {"GET",    "/api/v1/posts/{idOrSlug}",                Access::optional,  jobs_read,       public_read,  0,           Pool::api,     posts::get_post},
        {"POST",   "/api/v1/posts",                           Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     posts::create_post},
        {"PATCH",  "/api/v1/posts/{idOrSlug}",                Access::bearer,    jobs_write,      write,        json_body,   Pool::api,     posts::change_post},
        {"DELETE", "/api/v1/posts/{idOrSlug}",                Access::bearer,    jobs_write,      write,        0,           Pool::api,     posts::delete_post},

        {"GET",    "/api/v1/stock",                           Access::bearer,    stock_read,      none,         0,           Pool::api,     stock::list_stock},
        {"GET",    "/api/v1/stock/facets",                    Access::bearer,    stock_read,      none,         0,           Pool::api,     stock::get_stock_facets},
        {"GET",    "/api/v1/stock/deletions",                 Access::bearer,    stock_read,      none,         0,           Pool::api,     deletions::list_stock_deletions},
        {"POST",   "/api/v1/stock",                           Access::bearer,    stock_write,     write,        json_body,   Pool::api,     stock::create_stock_item},
        {"GET",    "/api/v1/stock/{id}",                      Access::bearer,    stock_read,      none,         0,           Pool::api,     stock::get_stock_item},
        {"PATCH",  "/api/v1/stock/{id}",                      Access::bearer,    stock_write,     write,        json_body,   Pool::api,     stock::change_stock_item},
        {"DELETE", "/api/v1/stock/{id}",                      Access::bearer,    stock_write,     write,        0,           Pool::api,     stock::delete_stock_item},
        {"PUT",    "/api/v1/stock/by-reference/{reference}",  Access::bearer,    stock_write,     write,        json_body,   Pool::api,     stock::put_stock_item},
        {"GET",    "/api/v1/stock/by-reference/{reference}",  Access::bearer,    stock_read,      none,         0,           Pool::api,     stock::get_stock_item_by_reference},
        {"DELETE", "/api/v1/stock/by-reference/{reference}",  Access::bearer,    stock_write,     write,        0,           Pool::api,     stock::delete_stock_item_by_reference},
        {"GET",    "/api/v1/stock/feed",                      Access::bearer,    stock_read,      none,         0,           Pool::uploads, stock::get_stock_feed},
        {"PUT",    "/api/v1/stock/feed",                      Access::bearer,    stock_write,     write,        0,           Pool::uploads, stock::put_stock_feed, identity::CallerDetail::roles, feeds::check_options},

        {"GET",    "/api/v1/enquiries",                       Access::bearer,    enquiries_read,  none,         0,           Pool::api,     enquiries::list_enquiries},
        {"POST",   "/api/v1/enquiries",                       Access::bearer,    enquiries_write, write,        json_body,   Pool::api,     enquiries::create_enquiry},
        {"GET",    "/api/v1/enquiries/{id}",                  Access::bearer,    enquiries_read,  none,         0,           Pool::api,     enquiries::get_enquiry},
        {"PATCH",  "/api/v1/enquiries/{id}",                  Access::bearer,    enquiries_write, write,        json_body,   Pool::api,     enquiries::change_enquiry},
        {"DELETE", "/api/v1/enquiries/{id}",                  Access::bearer,    enquiries_write, write,        0,           Pool::api,     enquiries::delete_enquiry},
        {"GET",    "/api/v1/uploads",                         Access::bearer,    uploads_write,   none,         0,           Pool::uploads, uploads::list_uploads},
        {"POST",   "/api/v1/uploads",                         Access::bearer,    uploads_write,   write,        upload_body, Pool::uploads, uploads::create_upload},
        {"GET",    "/api/v1/uploads/{id}",                    Access::bearer,    uploads_write,   none,         0,           Pool::api,     uploads::get_upload},
        {"DELETE", "/api/v1/uploads/{id}",                    Access::bearer,    uploads_write,   write,        0,           Pool::api,     uploads::delete_upload},
        {"PUT",    "/upload/{ticket}",                        Access::optional_token, uploads_write,   none,    0,           Pool::uploads, uploads::put_upload},
        {"GET",    "/check/upload/{ticket}",                  Access::open,      nothing,         none,         0,           Pool::api,     uploads::check_ticket},
        {"PUT",    "/check/feed",                             Access::bearer,    nothing,         none,         0,           Pool::api,     feeds::check_feed},
        {"GET",     "/api/v1/webhooks",                        Access::bearer,    all,             none,         0,           Pool::api,     webhooks::list_webhooks},
        {"POST",    "/api/v1/webhooks",                        Access::bearer,    all,             write,        json_body,   Pool::api,     webhooks::create_webhook, identity::CallerDetail::roles, webhooks::check_may_send},
        {"GET",     "/api/v1/webhooks/{id}",                   Access::bearer,    all,             none,         0,           Pool::api,     webhooks::get_webhook},
        {"PATCH",   "/api/v1/webhooks/{id}",                   Access::bearer,    all,             write,        json_body,   Pool::api,     webhooks::change_webhook, identity::CallerDetail::roles, webhooks::check_may_send},
        {"DELETE",  "/api/v1/webhooks/{id}",                   Access::bearer,    all,             write,        0,           Pool::api,     webhooks::delete_webhook},
        {"POST",    "/api/v1/webhooks/{id}/secret",            Access::bearer,    all,             write,        0,           Pool::api,     webhooks::rotate_secret, identity::CallerDetail::roles, webhooks::check_may_send},
        {"POST",    "/api/v1/webhooks/{id}/test",              Access::bearer,    all,             write,        0,           Pool::api,     webhooks::send_test},
        {"GET",     "/api/v1/webhooks/{id}/deliveries",        Access::bearer,    all,             none,         0,           Pool::api,     webhooks::list_deliveries},
        {"POST",    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", Access::bearer,    all,             write,        0,           Pool::api,     webhooks::retry_delivery},
        {"POST",   "/api/v1/notification_tokens",             Access::bearer,    all,             none,         json_body,   Pool::api,     notification_tokens::register_notification_token},
        {"GET",    "/api/v1/notification_tokens/key",         Access::bearer,    all,             none,         0,           Pool::api,     notification_tokens::get_key},

        // A change or confirmation of the password, and a change of the address, count as a sign-in with the address of the session's user.
        {"GET",    "/dashboard/api/session",                  Access::session,   nothing,         none,         0,           Pool::api,     dashboard::get_session},
        {"POST",   "/dashboard/api/session",                  Access::open,      nothing,         auth,         json_body,   Pool::auth,    dashboard::begin_session},
        {"DELETE", "/dashboard/api/session",                  Access::session,   nothing,         none,         0,           Pool::api,     dashboard::end_session},
        {"POST",   "/dashboard/api/confirmation",             Access::session,   nothing,         auth,         json_body,   Pool::auth,    dashboard::confirm_password},
        {"GET",    "/dashboard/api/sessions",                 Access::session,   nothing,         none,         0,           Pool::api,     dashboard::list_sessions},
        {"DELETE", "/dashboard/api/sessions",                 Access::session,   nothing,         none,         0,           Pool::api,     dashboard::end_other_sessions},
        {"DELETE", "/dashboard/api/sessions/{id}",            Access::session,   nothing,         none,         0,           Pool::api,     dashboard::end_session_by_id},
        {"GET",    "/dashboard/api/overview",                 Access::session,   nothing,         none,         0,           Pool::api,     dashboard::get_overview},
        {"POST",   "/dashboard/api/reset",                    Access::open,      nothing,         auth,         json_body,   Pool::auth,    dashboard::request_reset},
        {"PUT",    "/dashboard/api/reset/{token}",            Access::open,      nothing,         auth,         json_body,   Pool::auth,    dashboard::reset_password},
        {"GET",    "/dashboard/api/invitation/{token}",       Access::open,      nothing,         none,         0,           Pool::auth,    dashboard::get_invitation},
        {"POST",   "/dashboard/api/invitation/{token}",       Access::optional,  nothing,         auth,         json_body,   Pool::auth,    dashboard::accept_invitation},
        {"PUT",    "/dashboard/api/password",                 Access::session,   nothing,         auth,         json_body,   Pool::auth,    dashboard::change_password},
        {"PATCH",  "/dashboard/api/profile",                  Access::session,   nothing,         none,         json_body,   Pool::api,     dashboard::change_profile, identity::CallerDetail::memberships},
        {"GET",    "/dashboard/api/email",                    Access::session,   nothing,         none,         0,           Pool::auth,    dashboard::get_email_change},
        {"POST",   "/dashboard/api/email",                    Access::session,   nothing,         auth,         json_body,   Pool::auth,    dashboard::begin_email_change, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"DELETE", "/dashboard/api/email",                    Access::session,   nothing,         none,         0,           Pool::auth,    dashboard::withdraw_email_change},
        {"POST",   "/dashboard/api/email/{token}",            Access::session,   nothing,         auth,         0,           Pool::auth,    dashboard::finish_email_change, identity::CallerDetail::memberships},
        {"GET",    "/dashboard/api/tokens",                   Access::session,   nothing,         none,         0,           Pool::api,     dashboard::list_tokens},
        {"POST",   "/dashboard/api/tokens",                   Access::session,   nothing,         none,         json_body,   Pool::api,     dashboard::mint_token, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"DELETE", "/dashboard/api/tokens/{id}",              Access::session,   nothing,         none,         0,           Pool::api,     dashboard::revoke_token_by_id},
        {"GET",    "/dashboard/api/history",                  Access::session,   nothing,         none,         0,           Pool::api,     dashboard::get_history},
        {"GET",    "/dashboard/api/second-factor",            Access::session,   nothing,         none,         0,           Pool::api,     dashboard::get_second_factor},
        {"POST",   "/dashboard/api/second-factor",            Access::session,   nothing,         none,         0,           Pool::api,     dashboard::begin_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"PUT",    "/dashboard/api/second-factor",            Access::session,   nothing,         none,         json_body,   Pool::api,     dashboard::enable_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"DELETE", "/dashboard/api/second-factor",            Access::session,   nothing,         none,         0,           Pool::api,     dashboard::remove_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"POST",   "/dashboard/api/second-factor/recovery-codes", Access::session, nothing,         none,       0,           Pool::api,     dashboard::renew_recovery_codes, identity::CallerDetail::roles, dashboard::check_confirmed},
        {"PUT",    "/dashboard/api/organisations/{id}/second-factor", Access::session, nothing,         none,   json_body,   Pool::api,     dashboard::require_second_factor, identity::CallerDetail::roles, dashboard::check_confirmed},

        {"GET",    "/unsubscribe/{token}",                       Access::open,     nothing,         none,         0,           Pool::api,     accounts::get_unsubscribe},
        {"POST",   "/unsubscribe/{token}",                       Access::open,     nothing,         none,         0,           Pool::api,     accounts::post_unsubscribe},

        {"GET",    "/healthz",                                Access::open,      nothing,         none,         0,           Pool::api,     operations::healthz},
        {"GET",    "/readyz",                                 Access::open,      nothing,         none,         0,           Pool::api,     operations::readyz},
        {"GET",    "/metrics",                                Access::open,      nothing,         none,         0,           Pool::api,     operations::get_metrics},
        {"GET",    "/.well-known/security.txt",               Access::open,      nothing,         none,         0,           Pool::api,     operations::get_security_text},
        {"GET",    "/api/v1/diagnosis/{pool}/{pass}",         Access::open,      nothing,         none,         0,           Pool::any,     operations::get_diagnosis},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost
