// org add, list, show, publish, unpublish, test, live, add-member, remove-member, remove
#include "ctl/organisations.h"

#include <iostream>

#include "core/slug.h"
#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/issued.h"
#include "ctl/limits.h"
#include "ctl/output.h"
#include "identity/organisations/organisations.h"
#include "identity/people/memberships.h"
#include "resources/accounts/publication.h"
#include "writes/room.h"
#include "writes/slugs.h"

namespace tradepost::ctl {
namespace {

struct OrganisationOptions {
    std::string name, slug, email, role;
    bool published = false, test = false, revoke = false, yes = false;
};

Json json_of(const identity::Organisation& organisation) {
    return {{"id", organisation.id.to_string()}, {"slug", organisation.slug},
            {"name", organisation.name},         {"published", organisation.published},
            {"test", organisation.test},         {"createdAt", core::to_rfc3339(organisation.created_at)}};
}

int add(Context& context, const OrganisationOptions& options) {
    identity::Organisation organisation;
    organisation.name = options.name;
    organisation.published = options.published;
    organisation.test = options.test;
    if (options.test && options.published) throw WrongUsage("--test: a test organisation cannot be published");
    if (!core::is_utf8(organisation.name)) throw WrongUsage("--name: must be valid UTF-8");
    organisation.name = fields::normalised(fields::rules::name(150), organisation.name);
    if (const auto fault = fields::fault(fields::rules::name(150), organisation.name)) throw WrongUsage("--name: " + *fault);
    if (!options.slug.empty() && !core::is_slug(options.slug))
        throw WrongUsage(
            "--slug: must be lower-case letters, digits and inner hyphens, at most 120, and no UUID and no part of a path, such "
            "as facets");
    organisation.created_at = organisation.updated_at = context.now();
    organisation.id = core::Uuid::v7(organisation.created_at);
    try {
        writes::write(context.connection(),
                      [&](writes::WriteTransaction& transaction) {
                          organisation.slug = options.slug.empty()
                                                  ? writes::new_slug(transaction, "organisations", organisation.name,
                                                                     "organisation", organisation.id)
                                                  : options.slug;
                          accounts::write_organisations(transaction, std::span(&organisation, 1));
                      },
                      {.attempts = options.slug.empty() ? 5 : 1});
    } catch (const db::Error& error) {
        if (!error.is_duplicate_key() || options.slug.empty()) throw;
        throw Failure("the slug " + options.slug + " is taken: choose another, or leave --slug out");
    }
    if (context.json)
        print(json_of(organisation));
    else
        std::cout << "added " << organisation.slug << " " << organisation.id.to_string() << "\n";
    return 0;
}

int list_organisations(Context& context) {
    identity::Organisations organisations(context.connection());
    Json all = Json::array();
    for (std::optional<core::Uuid> last;;) {
        const auto page = organisations.after(last);
        for (const auto& organisation : page) all.push_back(json_of(organisation));
        if (page.empty()) break;
        last = page.back().id;
    }
    print_list(all, context.json);
    return 0;
}

int set_published(Context& context, const OrganisationOptions& options, bool published) {
    auto organisation = context.organisation(options.slug);
    writes::write(context.connection(), [&](writes::WriteTransaction& transaction) {
        accounts::set_published(transaction, organisation.id, published, context.now());
    });
    organisation.published = published;
    if (context.json)
        print(json_of(organisation));
    else
        std::cout << (published ? "published " : "unpublished ") << organisation.slug << "\n";
    return 0;
}

int set_test(Context& context, const OrganisationOptions& options, bool test) {
    auto organisation = context.organisation(options.slug);
    writes::write(context.connection(), [&](writes::WriteTransaction& transaction) {
        accounts::set_test(transaction, organisation.id, test, context.now());
    });
    organisation.test = test;
    if (test) organisation.published = false;
    if (context.json)
        print(json_of(organisation));
    else
        std::cout << organisation.slug << (test ? " is a test organisation\n" : " is no test organisation\n");
    return 0;
}

// With the tokens of integrations that somebody who is no ADMIN created and that still work.
int report_member(Context& context, const OrganisationOptions& options, const core::Uuid& user, const core::Uuid& organisation) {
    std::vector<identity::IssuedToken> tokens;
    if (options.role != "ADMIN") tokens = identity::Issued(context.connection()).tokens(user, organisation, context.now());
    if (context.json)
        print({{"organisation", options.slug},
               {"email", options.email},
               {"role", options.role.empty() ? Json() : Json(options.role)},
               {"integrationTokens", to_json(tokens)}});
    else
        std::cout << (options.role.empty() ? "removed " : "added ") << options.email
                  << (options.role.empty() ? "" : " " + options.role) << " of " << options.slug << "\n"
                  << lines_of(tokens);
    return 0;
}

int add_member(Context& context, const OrganisationOptions& options) {
    const auto role = identity::parse_role(options.role);
    if (!role) throw WrongUsage("--role: must be ADMIN or MEMBER");
    const auto organisation = context.organisation(options.slug);
    const auto user = context.user(options.email);
    db::in_transaction(context.connection(), [&] {
        identity::Memberships(context.connection())
            .add(user.id, organisation.id, *role, context.now(), tokens_option(options.revoke));
    });
    report_member(context, options, user.id, organisation.id);
    tell_of_limit(context, writes::Things::members, organisation.id);
    return 0;
}

int remove_member(Context& context, const OrganisationOptions& options) {
    const auto organisation = context.organisation(options.slug);
    const auto user = context.user(options.email);
    const bool removed = db::in_transaction(context.connection(), [&] {
        return identity::Memberships(context.connection())
            .remove(user.id, organisation.id, context.now(), tokens_option(options.revoke));
    });
    if (!removed) throw Failure(options.email + " is no member of " + options.slug + ": nothing to remove");
    return report_member(context, options, user.id, organisation.id);
}

}  // namespace

void add_organisation_commands(Command app, Context& context) {
    const auto options = std::make_shared<OrganisationOptions>();
    const auto org = app.add_group("org", "organisations and their members");
    const auto command = [&](const char* name, const char* help, auto run) {
        const auto c = org.add(name, help);
        c.required("--org", options->slug, "the organisation's slug", "S");
        on(c, context, [&context, options, run] { return run(context, *options); });
        return c;
    };

    const auto adding = org.add("add", "add an organisation");
    adding.required("--name", options->name, "the organisation's name", "N");
    adding.option("--slug", options->slug, "its name in addresses; made from --name by default", "S");
    adding.flag("--published", options->published, "make the organisation and its published content public");
    adding.flag("--test", options->test, "make a test organisation, for programs that are being written: it is never public");
    on(adding, context, [&context, options] { return add(context, *options); });

    on(org.add("list", "list all organisations"), context, [&context] { return list_organisations(context); });
    command("show",
            "show an organisation: its fields, members, integrations and when their tokens were last used and end, content by "
            "status, uploads, webhooks and limits",
            [](Context& c, const OrganisationOptions& o) { return show_organisation(c, o.slug); });
    command("publish", "make the organisation and its published content public",
            [](Context& c, const OrganisationOptions& o) { return set_published(c, o, true); });
    command("unpublish", "hide the organisation and its content from the public",
            [](Context& c, const OrganisationOptions& o) { return set_published(c, o, false); });

    command("test", "make it a test organisation: hide it from the public, and let its tokens ask for faults",
            [](Context& c, const OrganisationOptions& o) { return set_test(c, o, true); });
    command("live", "make a test organisation a usual one, which is not published",
            [](Context& c, const OrganisationOptions& o) { return set_test(c, o, false); });

    const auto adding_member = command("add-member", "make a user a member, or change a member's role", add_member);
    adding_member.required("--email", options->email, "the user's address", "E");
    adding_member.required("--role", options->role, "ADMIN or MEMBER", "R");
    revoke_option(adding_member, options->revoke);
    const auto removing = command("remove-member", "end a user's membership, and invitations that the user sent", remove_member);
    removing.required("--email", options->email, "the user's address", "E");
    revoke_option(removing, options->revoke);

    const auto removing_all = command(
        "remove",
        "delete an organisation and everything that belongs to it: jobs, events, posts, stock, uploads, enquiries, webhooks, "
        "integrations, invitations and memberships. Users who were members stay. It lists what it would delete, and asks for the "
        "slug. If it is interrupted, run it again",
        [](Context& c, const OrganisationOptions& o) { return remove_organisation(c, o.slug, o.yes); });
    removing_all.flag("--yes", options->yes,
                      "do not ask; needed without a terminal, and when the organisation has stock or has published something");
}

}  // namespace tradepost::ctl
