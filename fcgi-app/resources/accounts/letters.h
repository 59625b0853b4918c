// Which letters a member gets: /api/v1/accounts/letters, and the links in letters that end them.
#pragma once
#include "api/call.h"

namespace tradepost::accounts {

// The caller's own choice in the organisation that the query names.
http::Response get_letters(api::Call& call);

// Before anything about the body is looked at: throws as own_role().
void check_member(api::Call& call);

// PATCH {enquiryMail}: 200 with the choice. 409 for an integration.
http::Response change_letters(api::Call& call);

// A page with a button, which changes nothing: programs follow links.
http::Response get_unsubscribe(api::Call& call);

// RFC 8058: ends the letters at once, whatever the body says, and as often as it is sent. 404 for a link that was not made here.
http::Response post_unsubscribe(api::Call& call);

}  // namespace tradepost::accounts
