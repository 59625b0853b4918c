// Events and posts of the demo data.
#include <algorithm>

#include "core/slug.h"
#include "core/text.h"
#include "ctl/demo_data.h"

namespace tradepost::ctl::demo {
namespace {

using namespace std::chrono_literals;

struct EventKind {
    std::string_view title, category, text;  // {T} the town, {G} the goods, {M} a make, {O} the organisation
    int hours;
    bool online = false;
};

constexpr EventKind event_kinds[] = {
    {"Open Day at {O}", "Open day",
     "See this year's {G}, meet the people who build them and bring the family. Tea, bacon rolls and a charity raffle.", 7},
    {"Trade Auction: {G}", "Auction",
     "More than 150 lots of {G}, sold with and without reserve. Viewing from the day before; bidders register with proof of "
     "trade.",
     6},
    {"{M} Demonstration Day", "Demonstration", "Try the new {M} range yourself. Stout shoes please; licences will be checked.",
     5},
    {"Used Stock Clearance, {T}", "Sale",
     "Three days of sharper prices on {G} that must make room. Finance and delivery on the spot.", 56},
    {"Dealer Webinar: selling {G} online", "Training",
     "One hour on photographs, honest descriptions and answering enquiries fast. Recorded for those who cannot come.", 1, true},
    {"Apprentice Evening in {T}", "Careers",
     "For school leavers and their parents: see the workshop, talk to apprentices, apply on the spot.", 3},
    {"{T} Trade Fair for {G}", "Trade fair",
     "Dealers, makers, insurers and finance houses from all over the country under one roof.", 31},
    {"Workshop Skills: {M} diagnosis", "Training",
     "A day of hands-on fault finding with a manufacturer's trainer. Places for twelve; lunch included.", 8},
    {"Vintage and Classic Rally, {T}", "Show",
     "Old {G} polished to the nines, trade stands, a jumble of spares and a working arena.", 32},
    {"Dealer Breakfast: what the market is doing", "Networking",
     "Figures on {G} from the quarter, then questions. Bring a card; nobody sells anything.", 2},
};

struct PostKind {
    std::string_view title, summary, tag;  // {S} the subject, {T} town, {G} goods, {M} make, {O} organisation
    std::string_view paragraphs[3];
};

constexpr PostKind post_kinds[] = {
    {"What dealers should know about {S}",
     "A short guide to {S} for people who trade in {G}.",
     "guides",
     {"Few things cause as many calls as **{S}**. We asked dealers around {T} what goes wrong and what helps.",
      "## Three things to do this week\n\n1. Write down what you do today.\n2. Put one person in charge of {S}.\n3. Tell "
      "customers before they have to ask.",
      "None of it is new. What is new is how quickly a bad review travels when it is left undone."}},
    {"Market report: {G} this quarter",
     "Prices, days in stock and what moved fastest.",
     "market",
     {"Demand for {G} held up better than most of us feared. Clean, well-documented units sold within *nineteen days* on "
      "average.",
      "Weak spots remain: tired stock without history, and anything priced on hope. {M} led the enquiries again.",
      "> \"Buy the history, not the paint.\" A buyer in {T}"}},
    {"{O} takes on {M}",
     "A new franchise for {T} and the towns around it.",
     "news",
     {"{O} has been appointed main dealer for {M} from this month, with sales, parts and service at its site near {T}.",
      "Four people have joined the team, and two apprentices start in September.",
      "Existing customers keep their service plans and their usual contacts."}},
    {"Checklist: preparing {G} for sale",
     "Twelve minutes that save an argument.",
     "guides",
     {"Before a unit is photographed, walk around it once with this list.",
      "- Serial or registration numbers match the documents\n- Service history scanned\n- Known faults written down in plain "
      "words\n- Keys, manuals and spare parts in one bag",
      "Buyers who know the faults beforehand seldom come back about them. That is the cheapest warranty there is."}},
    {"How we cut our days in stock from 61 to 34",
     "A dealer near {T} tells what worked.",
     "case-study",
     {"Two years ago our yard was full and our bank account was not. We deal in {G}, and half of them had been with us all "
      "winter.",
      "We set a price review at day 20, better photographs at day 30 and the auction at day 50. No exceptions, not even for the "
      "boss's favourite.",
      "The first three months hurt. Then **{S}** stopped being our excuse."}},
    {"Rules are changing: {S}",
     "What is planned, from when, and who must act.",
     "regulation",
     {"The consultation on {S} has closed, and most of what was proposed is expected to stay.",
      "For dealers in {G} the practical part is paperwork: keep evidence of checks for six years, and be able to find it.",
      "This is a summary and no legal advice. Trade bodies hold briefings in {T} next month."}},
    {"Meet the team: {P}",
     "Twenty years of {G}, and not bored yet.",
     "people",
     {"{P} started at {O} as a Saturday help and has done nearly every job in the place since.",
      "*The best part?* \"Handing over the keys. The worst? Snow on a sale day.\"",
      "Outside work there is a half-finished {M} project, a patient family and a brass band."}},
    {"Five questions to ask before you buy {G} at auction",
     "Cheap is only cheap if it runs.",
     "guides",
     {"Auctions are where good dealers find stock and where others find lessons.",
      "1. Who is selling, and why?\n2. What is *not* in the description?\n3. Can it be started cold?\n4. What does transport to "
      "{T} cost?\n5. What would you pay on Monday?",
      "If one answer is missing, lower your limit. If two are missing, have a cup of tea instead."}},
};

std::string filled(std::string_view text, std::initializer_list<std::pair<char, std::string_view>> words) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool place = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
        if (!place) {
            out += text[i];
            continue;
        }
        for (const auto& [key, word] : words)
            if (key == text[i + 1]) out += word;
        i += 2;
    }
    return out;
}

}  // namespace

std::string capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
    return text;
}

events::Event event(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now) {
    Random random("event", n);
    const auto host = random.below(organisations.size());
    const auto& organisation = organisations[host];
    const auto& sector = sector_of(host);
    const auto& town = random.chance(70) ? town_of(host) : random.pick(towns());
    const auto& kind = random.pick(event_kinds);
    const auto fill = [&](std::string_view text) {
        return filled(text, {{'T', town.name}, {'G', sector.goods}, {'M', sector.makes[n % 5]}, {'O', organisation.name}});
    };
    events::Event event;
    event.id = id("event", n);
    event.organisation = {organisation.id, organisation.slug, organisation.name, {}};
    event.title = capital(fill(kind.title));
    event.slug = core::slugify(event.title, "event");
    event.description = fill(kind.text) + "\n\nOrganised by **" + organisation.name +
                        "**. Questions: " + organisation.email.value_or("") + ", " + organisation.phone.value_or("") + ".\n";
    event.summary = event.description->substr(0, event.description->find('.') + 1);
    event.category = kind.category;
    const auto today = std::chrono::floor<std::chrono::days>(now);
    event.starts_at = today + std::chrono::days(int(random.below(420)) - 150) + std::chrono::hours(8 + random.below(10));
    if (random.chance(85)) event.ends_at = event.starts_at + std::chrono::hours(kind.hours);
    event.timezone = "Europe/London";
    event.is_online = kind.online;
    if (!kind.online) {
        static constexpr std::string_view venues[] = {"Showground",    "Auction Halls", "Exhibition Centre",
                                                      "Corn Exchange", "Old Airfield",  "Racecourse"};
        event.venue_name =
            kind.category == "Open day" ? organisation.name : std::string(town.name) + " " + std::string(random.pick(venues));
        event.address = organisation.address;
        event.city = town.name;
    }
    event.country = "GB";
    event.url = organisation.website.value_or("") + "/events/" + event.slug;
    event.status = random.chance(93) ? "SCHEDULED" : random.chance(50) ? "CANCELLED" : "POSTPONED";
    event.created_at = std::min(event.starts_at, now) - 24h * (14 + random.below(60)) - 1min;
    if (!random.chance(7)) event.published_at = event.created_at + std::chrono::hours(random.below(200));
    event.updated_at = event.published_at.value_or(event.created_at);
    return event;
}

posts::Post post(std::size_t n, std::span<const identity::Organisation> organisations, core::Time now) {
    Random random("post", n);
    const auto writer = random.below(organisations.size());
    const auto& organisation = organisations[writer];
    const auto& sector = sector_of(writer);
    const auto& town = town_of(writer);
    const auto& kind = random.pick(post_kinds);
    const std::string_view subject = random.pick(sector.subjects), make = random.pick(sector.makes);
    const std::string who = person(random);
    const auto fill = [&](std::string_view text) {
        return filled(text,
                      {{'S', subject}, {'T', town.name}, {'G', sector.goods}, {'M', make}, {'O', organisation.name}, {'P', who}});
    };
    posts::Post post;
    post.id = id("post", n);
    const bool named = kind.title.find("{O}") != std::string_view::npos || kind.tag == "people";
    if (named || random.chance(75))
        post.organisation = identity::OrganisationSummary{organisation.id, organisation.slug, organisation.name, {}};
    post.title = capital(fill(kind.title));
    post.slug = core::slugify(post.title, "post");
    post.summary = fill(kind.summary);
    post.body = "";
    for (const auto paragraph : kind.paragraphs) *post.body += fill(paragraph) + "\n\n";
    post.tags = {std::string(kind.tag), std::string(sector.tag)};
    if (random.chance(40)) post.tags.push_back(std::string(town.county));
    post.author_name = person(random);
    post.created_at = now - std::chrono::minutes(random.below(300UL * 24 * 60)) - 2min;
    if (!random.chance(6)) post.published_at = std::min(now - 1min, post.created_at + std::chrono::minutes(random.below(3000)));
    post.updated_at = post.published_at.value_or(post.created_at);
    return post;
}

}  // namespace tradepost::ctl::demo
