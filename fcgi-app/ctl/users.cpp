// user add, list, disable, enable, set-password, remove-second-factor
#include "identity/people/users.h"

#include <iostream>

#include "audit/record.h"
#include "core/email.h"
#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/issued.h"
#include "ctl/output.h"
#include "ctl/password.h"
#include "fields/field.h"
#include "identity/passwords/passwords.h"
#include "identity/sessions/second_factors.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/tokens.h"

namespace tradepost::ctl {
namespace {

struct UserOptions {
    std::string email, name;
    bool password_stdin = false, revoke = false;
};

Json json_of(const identity::User& user) {
    return {{"id", user.id.to_string()},
            {"email", user.email},
            {"name", user.name},
            {"disabledAt", to_json(user.disabled_at)},
            {"createdAt", core::to_rfc3339(user.created_at)}};
}

int add(Context& context, const UserOptions& options) {
    identity::User user;
    user.name = options.name;
    const auto email = core::parse_email(options.email);
    if (!email) throw WrongUsage("--email: must be an email address");
    user.email = *email;
    if (!core::is_utf8(user.name)) throw WrongUsage("--name: must be valid UTF-8");
    user.name = fields::normalised(fields::rules::name(120), user.name);
    if (const auto fault = fields::fault(fields::rules::name(120), user.name)) throw WrongUsage("--name: " + *fault);
    identity::Users users(context.connection());
    const auto taken = [&] {
        return Failure("there is a user " + user.email + " already: change it with tradepostctl user set-password");
    };
    if (users.find_by_email(user.email)) throw taken();
    user.password_hash =
        identity::Passwords(context.config().auth).hash(read_password(options.password_stdin, user.email, user.name));
    user.created_at = user.updated_at = context.now();
    user.id = core::Uuid::v7(user.created_at);
    try {
        db::in_transaction(context.connection(), [&] {
            users.insert(user);
            audit::record(context.connection(), user.created_at, {.event = audit::Event::user_added, .user = user.id});
        });
    } catch (const db::Error& error) {
        if (error.is_duplicate_key()) throw taken();
        throw;
    }
    if (context.json)
        print(json_of(user));
    else
        std::cout << "added " << user.email << " " << user.id.to_string() << "\n";
    return 0;
}

int list_users(Context& context) {
    identity::Users users(context.connection());
    Json all = Json::array();
    for (std::string last;;) {
        const auto page = users.list(last);
        for (const auto& user : page) all.push_back(json_of(user));
        if (page.empty()) break;
        last = page.back().email;
    }
    print_list(all, context.json);
    return 0;
}

int report(Context& context, const UserOptions& options, const char* what) {
    const auto user = context.user(options.email);
    if (context.json)
        print(json_of(user));
    else
        std::cout << what << " " << user.email << "\n";
    return 0;
}

// With the tokens of integrations that the user created and that still work.
int report_ended(Context& context, const UserOptions& options, const char* what) {
    const auto user = context.user(options.email);
    const auto tokens = identity::Issued(context.connection()).tokens(user.id, {}, context.now());
    auto document = json_of(user);
    document["integrationTokens"] = to_json(tokens);
    if (context.json)
        print(document);
    else
        std::cout << what << " " << user.email << "\n" << lines_of(tokens);
    return 0;
}

// Tokens of before end, since nobody knows who has them by now.
int enable(Context& context, const UserOptions& options) {
    const auto id = context.user(options.email).id;
    auto& connection = context.connection();
    const auto now = context.now();
    const bool enabled = db::in_transaction(connection, [&] {
        if (!identity::Users(connection).enable(id, now)) return false;
        for (const auto& token : identity::list_active(connection, std::span(&id, 1), now))
            identity::revoke_within(connection, id, token.id, now, "user enabled");
        audit::record(connection, now, {.event = audit::Event::user_enabled, .user = id});
        return true;
    });
    const auto user = context.user(options.email);
    if (context.json)
        print(json_of(user));
    else if (!enabled)
        std::cout << user.email << " is not disabled\n";
    else
        std::cout << "enabled " << user.email << ": the user "
                  << (user.password_hash ? "signs in with the password"
                                         : "has no password: set one with tradepostctl user set-password")
                  << "; sessions, tokens and invitations of before have ended: create new tokens and send invitations again\n";
    return 0;
}

}  // namespace

void add_user_commands(Command app, Context& context) {
    const auto options = std::make_shared<UserOptions>();
    const auto user = app.add_group("user", "user accounts");
    const auto command = [&](const char* name, const char* help) {
        const auto c = user.add(name, help);
        c.required("--email", options->email, "the user's address", "E");
        return c;
    };
    const auto with_password = [&](Command c) {
        c.flag("--password-stdin", options->password_stdin, "read the password from standard input");
    };

    const auto adding = command("add", "add a user");
    adding.required("--name", options->name, "the user's name", "N");
    with_password(adding);
    on(adding, context, [&context, options] { return add(context, *options); });

    on(user.add("list", "list all users"), context, [&context] { return list_users(context); });

    const auto disabling =
        command("disable", "refuse the user's sign-in, sessions and tokens from now on, and end invitations that the user sent");
    revoke_option(disabling, options->revoke);
    on(disabling, context, [&context, options] {
        const auto id = context.user(options->email).id;
        db::in_transaction(context.connection(), [&] {
            identity::Issued(context.connection()).shut_out(id, context.now(), tokens_option(options->revoke));
        });
        return report_ended(context, *options, "disabled");
    });

    on(command(
           "enable",
           "let a disabled user sign in again; sessions, tokens and invitations of before do not come back: the user signs in "
           "and creates new ones"),
       context, [&context, options] { return enable(context, *options); });

    const auto setting = command("set-password", "set a user's password and end the user's sessions");
    with_password(setting);
    on(setting, context, [&context, options] {
        const auto whose = context.user(options->email);
        const auto hash =
            identity::Passwords(context.config().auth).hash(read_password(options->password_stdin, whose.email, whose.name));
        db::in_transaction(context.connection(), [&] {
            identity::Users(context.connection()).set_password(whose.id, hash, context.now());
            identity::Sessions(context.connection()).end_all(whose.id);
            audit::record(context.connection(), context.now(), {.event = audit::Event::password_changed, .user = whose.id});
        });
        return report(context, *options, "password set for");
    });

    const auto removing = command(
        "remove-second-factor",
        "let a user sign in without a code whose app and recovery codes are lost; where an organisation requires a second "
        "factor, invitations that the user sent end");
    revoke_option(removing, options->revoke);
    on(removing, context, [&context, options] {
        const auto whose = context.user(options->email);
        if (!identity::SecondFactors(context.connection()).remove(whose.id, context.now(), tokens_option(options->revoke)))
            throw Failure(whose.email + " has no second factor: nothing to remove");
        return report_ended(context, *options, "second factor removed from");
    });
}

}  // namespace tradepost::ctl
