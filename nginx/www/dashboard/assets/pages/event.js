// Events: one event, new or there already.
import { tickField } from "../checks.js";
import { badge, nameOf } from "../format.js";
import { choiceField, textField } from "../fields.js";
import { countryField } from "../places.js";
import { withPreview } from "../preview.js";
import { aboutPublication, publicationField, publishedPage } from "../publication.js";
import { aside, section } from "../record.js";
import { momentField, ownZone, zoneField } from "../time_fields.js";

const makers = {
  title: () => textField({ name: "title", label: "Title", required: true, max: 150, wide: true }),
  reference: () => textField({ name: "reference", label: "Reference", max: 64, hint: "Your own name for it, which no other event of yours has. Readers see it." }),
  summary: () => textField({ name: "summary", label: "Summary", rows: 2, max: 300, wide: true, hint: "One or two sentences for the list." }),
  description: () => withPreview(textField({ name: "description", label: "Description", rows: 12, max: 20000, wide: true })),
  category: () => textField({ name: "category", label: "Category", max: 80 }),
  status: () => choiceField({ name: "status", label: "Status", hint: "Shown to readers." }, ["SCHEDULED", "POSTPONED", "CANCELLED"].map((value) => [value, nameOf(value)]), { empty: null }),
  startsAt: () => momentField({ name: "startsAt", label: "Begins", required: true, hint: `In your time zone (${ownZone()}).` }),
  endsAt: () => momentField({ name: "endsAt", label: "Ends", hint: `In your time zone (${ownZone()}).` }),
  timezone: () => zoneField({ name: "timezone", label: "Time zone", hint: "That of the place, such as Europe/London, to show readers the time there. Begins and Ends stay in yours." }),
  isOnline: () => tickField({ name: "isOnline", label: "Online event" }),
  venueName: () => textField({ name: "venueName", label: "Venue", max: 150 }),
  address: () => textField({ name: "address", label: "Address", max: 300 }),
  city: () => textField({ name: "city", label: "Town or city", max: 80, hint: "Needed to publish, unless it is online." }),
  country: () => countryField({ name: "country", label: "Country" }),
  url: () => textField({ name: "url", label: "Web page", type: "url", hint: "Where readers find more, or tickets." }),
  imageUrl: () => textField({ name: "imageUrl", label: "Picture", type: "url", hint: "The web address of a picture." }),
  publishedAt: () => publicationField(),
};

function content(c, history) {
  const [beside, end] = aside([section("Publication", c.publishedAt.node, c.imageUrl.node)], [history]);
  return [
    section("Event", c.title.node, c.reference.node, c.summary.node, c.description.node, c.category.node, c.status.node, c.url.node),
    beside,
    section("Time", c.startsAt.node, c.endsAt.node, c.timezone.node),
    section("Place", c.isOnline.node, c.venueName.node, c.address.node, c.city.node, c.country.node),
    end,
  ];
}

export const eventPage = (place) => publishedPage(place, {
  name: "event",
  about: (event) => [aboutPublication(event), event.status !== "SCHEDULED" && badge(event.status)],
  needs: (value) => (value("isOnline") ? [] : ["city"]),
  makers,
  content,
  start: () => ({ status: "SCHEDULED", timezone: ownZone() }),
  defaults: () => ({ timezone: ownZone() }),
  keep: "To tell readers that it does not take place, choose Cancelled instead.",
});
