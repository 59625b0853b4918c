// Which letters a member gets: /api/v1/accounts/letters, and the links in letters that end them.
#include "api/route.h"
#include "api/write.h"
#include "core/present.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/instance_keys.h"
#include "identity/organisations/organisations.h"
#include "identity/people/enquiry_mail.h"
#include "resources/accounts/handlers.h"

namespace tradepost::accounts {
namespace {

using identity::EnquiryMail;

struct Choice {
    std::string enquiry_mail;
};

std::span<const fields::Field<Choice>> choice_fields() {
    static const fields::Field<Choice> fields[] = {
        {"enquiryMail", fields::rules::choice(identity::enquiry_mail_names, fields::Presence::defaulted), &Choice::enquiry_mail}};
    return fields;
}

std::string render(EnquiryMail choice) {
    json::Writer writer;
    writer.begin_object().member("enquiryMail", identity::to_string(choice)).end_object();
    return writer.take();
}

std::string escaped(std::string_view text) {
    std::string html;
    for (const char c : text) {
        if (c == '&')
            html += "&amp;";
        else if (c == '<')
            html += "&lt;";
        else if (c == '>')
            html += "&gt;";
        else
            html += c;
    }
    return html;
}

// Without styles and scripts, which its policy forbids.
http::Response page(std::string_view title, const std::string& content) {
    http::Response response;
    response.body =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>" +
        std::string(title) + "</title></head>\n<body>\n<main>\n<h1>" + std::string(title) + "</h1>\n" + content +
        "</main>\n</body>\n</html>\n";
    response.set("Content-Type", "text/html; charset=utf-8");
    response.set("Cache-Control", "no-store");
    response.set("Content-Security-Policy", "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    response.set("Referrer-Policy", "no-referrer");
    return response;
}

struct Link {
    identity::Unsubscription of;
    std::string organisation;  // its name, as HTML
};

Link read_link(api::Call& call) {
    auto& connection = call.services.connection;
    const auto key = identity::InstanceKeys(connection).get(identity::unsubscribe_key, call.services.clock.now());
    const auto of = identity::read_unsubscribe_token(key, call.parameters[0]);
    if (!of) throw http::not_found();
    const auto organisation = identity::Organisations(connection).find(of->organisation_id);
    return {*of, escaped(organisation ? organisation->name : "this organisation")};
}

// The caller's own choice in the organisation that the query names.
http::Response get_letters(api::Call& call) {
    const auto organisation = own_role(call).first;
    return http::data(render(
        identity::EnquiryMails(call.services.connection).of(call.caller().user_id, organisation).value_or(EnquiryMail::none)));
}

void check_member(api::Call& call) {
    own_role(call);
}

// PATCH {enquiryMail}: 200 with the choice. 409 for an integration.
http::Response change_letters(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto& user = call.caller().user_id;
    const auto& body = call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        identity::EnquiryMails mails(transaction.connection());
        const auto before = mails.of(user, organisation);
        if (!before) throw http::conflict("an integration gets no letters");
        fields::refuse_unknown(body, choice_fields());
        Choice choice{std::string(identity::to_string(*before))};
        fields::read_fields(body, choice_fields(), choice, fields::Reading::change);
        api::check_preconditions(call, render(*before));
        const auto after = core::present(identity::parse_enquiry_mail(choice.enquiry_mail));
        // What was never chosen goes on following the role.
        if (after != *before) mails.set(user, organisation, after);
        return api::current(render(after));
    });
}

// A page with a button, which changes nothing: programs follow links.
http::Response get_unsubscribe(api::Call& call) {
    const auto link = read_link(call);
    return page("Letters about enquiries", "<p>Shall we stop sending you letters about new enquiries to " + link.organisation +
                                               "?</p>\n<form method=\"post\"><button>Stop them</button></form>\n");
}

// RFC 8058: ends the letters at once, whatever the body says, and as often as it is sent. 404 for a link that was not made here.
http::Response post_unsubscribe(api::Call& call) {
    const auto link = read_link(call);
    db::in_transaction(call.services.connection, [&] {
        return identity::EnquiryMails(call.services.connection).set(link.of.user_id, link.of.organisation_id, EnquiryMail::none);
    });
    return page("Letters about enquiries", "<p>You get no more letters about new enquiries to " + link.organisation +
                                               ". The settings of the dashboard start them again.</p>\n");
}

}  // namespace

std::span<const api::Route> letter_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",   "/api/v1/accounts/letters", get_letters,      {.needs = identity::Scope::account_read}},
        {"PATCH", "/api/v1/accounts/letters", change_letters,   {.needs = identity::Scope::account_write, .body = json_body, .parameters = organisation_parameter, .is_tagged = true, .before_body = check_member}},
        {"GET",   "/unsubscribe/{token}",     get_unsubscribe,  {.access = Access::open}},
        {"POST",  "/unsubscribe/{token}",     post_unsubscribe, {.access = Access::open, .limit = RateClass::exempt}},  // there is no user, and the token names one row
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::accounts
