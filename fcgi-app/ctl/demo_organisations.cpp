// Organisations and jobs of the demo data.
#include <algorithm>

#include "core/slug.h"
#include "ctl/demo_data.h"

namespace tradepost::ctl::demo {
namespace {

using namespace std::chrono_literals;

std::string bullets(std::string_view heading, std::span<const std::string_view> points) {
    std::string text = "## " + std::string(heading) + "\n\n";
    for (const auto point : points) text.append("- ").append(point).append("\n");
    return text + "\n";
}

core::Time back(core::Time now, Random& random, int days) {
    return now - std::chrono::minutes(random.below(std::size_t(days) * 24 * 60)) - 1min;
}

int rounded(int salary, int to) {
    return (salary + to / 2) / to * to;
}

void set_salary(jobs::Job& job, const Role& role, Random& random) {
    if (random.chance(8)) return;  // "competitive"
    const int shift = int(random.below(9)) * 500 - 2000;
    job.salary_currency = "GBP";
    if (job.contract_type == "TEMPORARY" || job.contract_type == "CONTRACT") {
        job.salary_period = "HOUR";
        job.salary_min = (role.salary_min + shift) / 1900;
        if (random.chance(60)) job.salary_max = std::max<std::int64_t>(*job.salary_min, (role.salary_max + shift) / 1800);
        return;
    }
    job.salary_period = "YEAR";
    job.salary_min = rounded(role.salary_min + shift, 500);
    if (random.chance(85)) job.salary_max = rounded(role.salary_max + shift, 500);
}

std::string contract_type(const Role& role, Random& random) {
    if (role.title.starts_with("Apprentice")) return "APPRENTICESHIP";
    const auto n = random.below(100);
    return n < 78 ? "PERMANENT" : n < 86 ? "FIXED_TERM" : n < 93 ? "TEMPORARY" : n < 98 ? "CONTRACT" : "INTERNSHIP";
}

std::string title(const Role& role, const Sector& sector, Random& random) {
    std::string title(role.title);
    if (role.salary_min > 24000 && random.chance(15)) title = "Senior " + title;
    if (role.category == "Workshop" && random.chance(55)) title += " (" + std::string(random.pick(sector.makes)) + ")";
    if (role.category == "Sales" && random.chance(30)) title += " – " + std::string(sector.goods);
    return title;
}

std::string description(const identity::Organisation& employer, const Role& role, const Sector& sector, const Town& town,
                        Random& random) {
    static constexpr std::string_view benefits[] = {"25 days' holiday and bank holidays, rising with service",
                                                    "Workplace pension with 6% from us",
                                                    "Manufacturers' training, paid for",
                                                    "Staff discount on parts and servicing",
                                                    "Life cover at three times salary",
                                                    "Tool insurance",
                                                    "A cycle-to-work scheme",
                                                    "Every third Saturday only, paid at time and a half",
                                                    "A day off on your birthday",
                                                    "Free parking and electric charging"};
    std::string text = "**" + employer.name + "** deals in " + std::string(sector.goods) + " from its site near " +
                       std::string(town.name) + ", " + std::string(town.county) + ". " + std::string(role.summary) + "\n\n";
    text += bullets("What you will do", role.duties);
    text += bullets("What you bring", role.wanted);
    std::string_view offered[3];
    const auto first = random.below(std::size(benefits));
    for (std::size_t i = 0; i < 3; ++i) offered[i] = benefits[(first + i * 3) % std::size(benefits)];
    text += bullets("What we offer", offered);
    if (role.category == "Workshop")
        text += "You will work on " + std::string(sector.machine) + ", mostly " + std::string(sector.makes[0]) + " and " +
                std::string(sector.makes[1]) + ".\n\n";
    return text + "We answer every application. If you are not sure that you fit, ring us and ask.\n";
}

}  // namespace

const Sector& sector_of(std::size_t n) {
    return sectors()[n % sectors().size()];
}

const Town& town_of(std::size_t n) {
    return towns()[Random("town", n).below(towns().size())];
}

identity::Organisation organisation(std::size_t n, core::Time now) {
    Random random("organisation", n);
    const auto& sector = sector_of(n);
    const auto& town = town_of(n);
    identity::Organisation o;
    o.id = id("organisation", n);
    o.name = random.pick(sector.names);
    const bool family = random.chance(60) || o.name.find('&') != std::string::npos;
    o.name.replace(o.name.find("{}"), 2, family ? surname(random) : std::string(town.name));
    o.slug = core::slugify(o.name, "organisation");
    o.description = o.name + " buys, sells, hires and looks after " + std::string(sector.goods) + " in and around " +
                    std::string(town.name) + ".\n\nMain agents for **" + std::string(sector.makes[random.below(5)]) +
                    "**; all makes welcome in the workshop. Established " + std::to_string(1921 + random.below(98)) + ".\n";
    o.website = "https://" + o.slug + ".example";
    o.email = "office@" + o.slug + ".example";
    // Numbers that are kept free for drama.
    o.phone = "+44 1632 960" + std::to_string(100 + random.below(900));
    static constexpr std::string_view streets[] = {"Station Yard", "Mill Lane", "Trading Estate", "Ring Road",
                                                   "Old Airfield", "Quay Road", "Market Way",     "Foundry Street"};
    o.address = "Unit " + std::to_string(1 + random.below(40)) + ", " + std::string(random.pick(streets));
    o.city = town.name;
    o.postal_code = postcode(random, town);
    o.country = "GB";
    o.published = n == 0 || n % 15 != 7;
    o.created_at = back(now - 200 * 24h, random, 600);
    o.updated_at = o.created_at + std::chrono::hours(random.below(4000));
    return o;
}

jobs::Job job(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now) {
    Random random("job", n);
    const auto employer = random.below(organisations.size());
    const auto& organisation = organisations[employer];
    const auto& sector = sector_of(employer);
    const auto& town = random.chance(80) ? town_of(employer) : random.pick(towns());
    const auto& role = random.pick(roles());
    jobs::Job job;
    job.id = id("job", n);
    job.organisation = {organisation.id, organisation.slug, organisation.name, {}};
    job.title = title(role, sector, random);
    job.slug = core::slugify(job.title + " " + std::string(town.name), "job");
    job.summary = role.summary;
    job.description = description(organisation, role, sector, town, random);
    job.category = role.category;
    job.department = role.department;
    job.contract_type = contract_type(role, random);
    job.working_hours = random.chance(88) ? "FULL_TIME" : "PART_TIME";
    job.workplace = !role.remote ? "ON_SITE" : random.chance(50) ? "HYBRID" : "REMOTE";
    if (job.workplace != "REMOTE") {
        job.city = town.name;
        job.postal_code = postcode(random, town);
    }
    job.country = "GB";
    set_salary(job, role, random);
    if (random.chance(70))
        job.apply_url = organisation.website.value_or("") + "/careers/" + job.slug;
    else
        job.apply_email = "jobs@" + organisation.slug + ".example";

    const auto state = random.below(100);
    job.status = state < 84 ? "PUBLISHED" : state < 90 ? "DRAFT" : state < 97 ? "CLOSED" : "ARCHIVED";
    job.created_at = back(now, random, 120);
    const auto published = std::min(now - 1s, job.created_at + std::chrono::minutes(random.below(72UL * 60)));
    if (job.status != "DRAFT") job.published_at = published;
    if (job.status == "PUBLISHED" && random.chance(45))
        job.expires_at = random.chance(8) ? now - 1h * (1 + random.below(500)) : now + 24h * (20 + random.below(90));
    if (job.expires_at && *job.expires_at < published) {
        job.created_at = *job.expires_at - 240h;
        job.published_at = job.created_at;
    }
    job.updated_at = std::max(job.created_at, job.published_at.value_or(job.created_at));
    return job;
}

}  // namespace tradepost::ctl::demo
