// mail test, and doctor's check of mail
#include "ctl/mail.h"

#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "core/email.h"
#include "ctl/output.h"
#include "mail/letters.h"
#include "mail/smtp.h"

namespace tradepost::ctl {
namespace {

int send_test(Context& context, const std::string& address) {
    const auto& config = context.config();
    if (!config.mail.is_configured()) throw Failure("no mail is sent: set smtp and from of [mail] in " + context.config_path());
    if (!config.mail.fault.empty()) throw Failure(config.mail.fault);
    mail::Message message;
    message.id = core::Uuid::v7(context.now());
    const auto to = core::parse_email(address);
    if (!to) throw WrongUsage("--to: " + address + " is no email address");
    message.to.address = *to;
    auto texts = mail::templates_of(config.path).render("test", {{"service", mail::service_name(config)}});
    message.subject = std::move(texts.subject);
    message.text = std::move(texts.text);
    message.html = std::move(texts.html);
    mail::Smtp(config.mail).send(message, context.now());
    if (context.json)
        print({{"to", message.to.address}, {"messageId", message.id.to_string()}});
    else
        std::cout << "sent to " << message.to.address << "\n";
    return 0;
}

// Root can read files that tradepost-deliver cannot. Its user has the group of the configuration file.
void check_readable(const std::string& config, const std::string& file, Report& report) {
    struct stat model {};
    struct stat info {};
    if (geteuid() != 0 || stat(config.c_str(), &model) != 0 || model.st_gid == 0 || stat(file.c_str(), &info) != 0) return;
    const bool good = info.st_uid != 0 || (info.st_mode & S_IROTH) || (info.st_gid == model.st_gid && (info.st_mode & S_IRGRP));
    report.check(good, "tradepost-deliver may read " + file,
                 "give it the group of the configuration: chgrp --reference=" + config + " " + file + " && chmod 640 " + file);
}

}  // namespace

void check_mail(Context& context, Report& report) {
    const auto& config = context.config();
    if (!config.mail.is_configured() || config.copy) return;
    for (const auto& fault : mail::template_faults(mail::templates_of(config.path)))
        report.check(false, "templates of mail", fault);
    const auto* const what = "mail server takes this instance's letters";
    try {
        mail::Smtp(config.mail).check();
        report.check(true, what, "");
    } catch (const std::runtime_error& error) {  // a SendError, or a ConfigError of the password
        report.check(false, what, error.what());
    }
    check_readable(config.path, config.mail.password_file, report);
}

void add_mail_commands(Command app, Context& context) {
    const auto address = std::make_shared<std::string>();
    const auto test = app.add_group("mail", "letters").add("test", "send a letter through [mail] smtp");
    test.required("--to", *address, "where to send it", "E");
    on(test, context, [&context, address] { return send_test(context, *address); });
}

}  // namespace tradepost::ctl
