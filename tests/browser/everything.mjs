// A dealer who has something of everything, and the addresses of every page: for the checks and pictures that look at all of them.
import { addMember, ask, call, ctl, makeDealer, makeOrganisation, makeUser, pdf, tokenOf, upload } from "./testing.mjs";
import { drawPicture } from "./visit.mjs";

const description = "**Ashford Motors** looks for somebody who knows parts.\n\n## What you do\n\n- Serve the counter\n- Keep the stock in order\n\n> Training is paid.\n\n[More about us](https://ashford.example/)";

// Returns {dealer, pages}: pages as [name, address, act(page)]. With `unbroken`, texts are as long as they may be and have no space.
export async function everything(page, { unbroken = false } = {}) {
  const text = (words, most) => (unbroken ? `${words.replaceAll(" ", "")}${"abcdefghij".repeat(50)}`.slice(0, most) : words);
  const dealer = await makeDealer({ organisation: await makeOrganisation(text("Ashford Motors", 150)) });
  const second = await makeOrganisation("Bexhill Tractors and Agricultural Machinery");
  await addMember(second, dealer, "MEMBER");
  const trials = await makeOrganisation(text("Ashford Trials", 150), { test: true });
  await addMember(trials, dealer);
  const [token, buyer] = [await tokenOf(dealer), await tokenOf(await makeUser(text("Sam Solo", 120)))];
  const owner = { organisationId: dealer.organisation.id };

  const images = [];
  for (const [i, hue] of [20, 140, 210, 280].entries())
    images.push({ uploadId: (await upload(token, dealer.organisation, (await drawPicture(page, { hue, text: String(i + 1) })).buffer)).id });
  const documents = [];
  for (const title of ["Service history", null])
    documents.push({ uploadId: (await upload(token, dealer.organisation, pdf, "application/pdf", `${text("manual", 150)}.pdf`)).id, title: title && text(title, 150) });
  const stock = [];
  for (const [i, title] of ["Ford Ranger Wildtrak", "Volkswagen Transporter 6.1", "Mercedes-Benz Sprinter 316 CDI long wheelbase high roof", "Škoda Octavia estate"].entries()) {
    stock.push(await ask("POST", "/api/v1/stock", { token, body: { ...owner, reference: text(`VAN-${42 + i}`, 64), title: text(title, 150), price: 1450000 + i * 99950, currency: "GBP",
      make: title.split(" ")[0], year: 2019 + i, condition: "USED", status: i === 2 ? "DRAFT" : "PUBLISHED", availability: ["IN_STOCK", "RESERVED", "DUE_IN", "SOLD"][i],
      description: text("One owner, full service history.", 400), attributes: { [text("Colour", 50)]: text("white", 200), Mileage: "48,200" }, images: i === 1 ? images : images.slice(i, i + 1), documents: i === 1 ? documents : [], category: text("Van", 80) } }));
  }
  const jobs = [];
  for (const [i, title] of ["Parts advisor", "Workshop manager for commercial vehicles", "Van driver"].entries()) {
    jobs.push(await ask("POST", "/api/v1/jobs", { token, body: { ...owner, title: text(title, 150), description: text(description, 400), summary: text("The first face at our counter.", 200), category: text("Parts", 80), contractType: "PERMANENT",
      city: text("Leeds", 80), country: "GB", salaryMin: 28000, salaryMax: 34000 + i, salaryCurrency: "GBP", salaryPeriod: "YEAR", status: i === 1 ? "DRAFT" : "PUBLISHED" } }));
  }
  const events = [], posts = [];
  for (const [i, title] of ["Spring van auction", "Open day at the new workshop", "Tax webinar"].entries())
    events.push(await ask("POST", "/api/v1/events", { token, body: { ...owner, title: text(title, 150), description: text(description, 400), category: text("Auction", 80), startsAt: `2036-0${i + 3}-10T10:00:00Z`, endsAt: `2036-0${i + 3}-10T16:00:00Z`,
      timezone: "Europe/London", venueName: text("Auction hall", 150), address: text("1 Dock Road", 300), city: text("Leeds", 80), country: "GB", isOnline: i === 2, status: i === 1 ? "POSTPONED" : "SCHEDULED", publishedAt: i === 2 ? null : "2026-03-01T09:30:00Z" } }));
  for (const [i, title] of ["Charging points for small yards", "Our new workshop", "What the new tax means for vans"].entries())
    posts.push(await ask("POST", "/api/v1/posts", { token, body: { ...owner, title: text(title, 150), summary: text("What it costs.", 300), body: text(description, 400), tags: [text("Electric", 80), "Workshop"], authorName: text("Ada Ashford", 120),
      publishedAt: [null, "2026-03-01T09:30:00Z", "2036-03-01T09:30:00Z"][i] } }));
  const enquiries = [];
  for (const [name, message] of [["Sam Solo", "Is the van still there?\n\nI could come on Saturday."], ["Beth Tindall", "What are your opening hours over the bank holiday?"], ["Siobhán Hargreaves", "How soon could you deliver to us, and what would that cost?"]])
    enquiries.push(await ask("POST", "/api/v1/enquiries", { token: buyer, body: { stockId: stock[1].id, name: text(name, 120), email: unbroken ? `${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(3)}example` : "sam@example.com", phone: "0113 496 0001", message: text(message, 400) } }));
  for (let i = 1; i <= 9; i++) await ctl(["token", "mint", "--email", dealer.email, "--name", text(`Feed ${i}`, 80)]);

  const integration = await ask("POST", `/api/v1/accounts/integrations?organisationId=${owner.organisationId}`, { token, body: { name: text("Nightly feed", 120) } });
  await ask("POST", `/api/v1/accounts/integrations/${integration.id}/tokens?organisationId=${owner.organisationId}`, { token, body: { name: text("November", 80), scopes: ["stock:write", "uploads:write"] } });
  for (const [url, events] of [[text("https://hooks.ashford.example/tradepost?key=2f1c9a7e5b3d", 400), ["stock.changed", "job.changed"]], ["https://127.0.0.1:9/", ["enquiry.created"]]]) {
    const webhook = await ask("POST", `/api/v1/webhooks?organisationId=${dealer.organisation.id}`, { token, body: { url, events } });
    await ask("POST", `/api/v1/webhooks/${webhook.id}/test?organisationId=${dealer.organisation.id}`, { token });
  }

  await ask("POST", "/api/v1/stock", { token, body: { reference: text("failed", 80), title: "Van", price: "12" } }).catch(() => null);

  const examined = await ask("POST", `/api/v1/accounts/integrations?organisationId=${trials.id}`, { token, body: { name: "Feed on trial" } });
  const program = await ask("POST", `/api/v1/accounts/integrations/${examined.id}/tokens?organisationId=${trials.id}`, { token, body: { name: "Trial" } });
  await ask("POST", `/api/v1/accounts/examination?organisationId=${trials.id}`, { token, body: { minutes: 15, integrationId: examined.id } });
  await call("GET", "/api/v1/accounts", { token: program.token, headers: { "X-Request-Id": text("9f86d081884c7d65", 128) } });

  const settled = (selector) => (page) => page.locator(selector).first().waitFor();
  const at = dealer.at;
  const pages = [
    ["overview", at("overview"), settled(".chart-weeks")],
    ["overview-empty", `/dashboard/o/${second.slug}/overview`, settled(".oldest")],
    ["enquiries", at("enquiries"), settled(".row-link")],
    ["enquiry", at("enquiries", enquiries[0].id), settled(".letter")],
    ["stock", at("stock"), settled(".row-link")],
    ["stock-nothing", at("stock?q=none"), settled(".empty")],
    ["stock-selected", at("stock"), (page) => page.getByLabel("Select this page").check()],
    ["stock-price-of-many", at("stock"), async (page) => {
      await page.getByLabel("Select this page").check();
      await page.locator(".select-actions").getByRole("button", { name: "Price" }).click();
      await page.getByLabel("Change by (%)").fill("-5");
    }],
    ["stock-csv", at("stock", "csv"), (page) => page.getByLabel("CSV file").waitFor()],
    ["stock-csv-preview", at("stock", "csv"), async (page) => {
      await page.getByLabel("Or paste the table").fill(`Reference;Title;Preis;Farbe\n${stock[0].reference};${stock[0].title};17.995,00;weiß\nN-1;${text("A new van", 150)};12.345,-;\nN-2;No price;about 5;\n`);
      await page.getByRole("button", { name: "Read pasted table" }).click();
      await page.getByLabel("Import “Farbe” as").selectOption("attributes");
      await page.getByLabel("The file is the whole stock").check();
      await page.getByRole("button", { name: "Show what will change" }).click();
      await settled(".csv-counts")(page);
    }],
    ["stock-item", at("stock", stock[1].id), settled(".picture img")],
    ["stock-preview", at("stock", stock[1].id), async (page) => (await page.getByRole("button", { name: "Preview" }).click(), settled(".buyer-seller strong")(page))],
    ["stock-sheet", at("stock", stock[1].id, "sheet"), settled(".sheet")],
    ["stock-history", at("stock", stock[1].id), async (page) => (await page.getByRole("heading", { name: "History" }).click(), settled(".changes")(page))],
    ["stock-draft", at("stock", stock[2].id), async (page) => {
      await page.getByRole("textbox", { name: "Title" }).fill(text("Mercedes-Benz Sprinter", 150));
      page.once("dialog", (leave) => leave.accept());
      await page.reload();
      await settled(".draft")(page);
    }],
    ["stock-new", at("stock", "new"), settled(".save-bar .btn")],
    ["jobs", at("jobs"), settled(".row-link")],
    ["job", at("jobs", jobs[0].id), settled(".save-bar .btn")],
    ["job-preview", at("jobs", jobs[0].id), async (page) => (await page.getByRole("tab", { name: "Preview" }).click(), settled(".markdown strong")(page))],
    ["job-error", at("jobs", "new"), async (page) => (await page.getByRole("button", { name: "Publish" }).click(), settled(".field-error:not([hidden])")(page))],
    ["events", at("events"), settled(".row-link")],
    ["event", at("events", events[1].id), settled(".save-bar .btn")],
    ["posts", at("posts"), settled(".row-link")],
    ["post", at("posts", posts[2].id), settled(".save-bar .btn")],
    ["post-new", at("posts", "new"), async (page) => (await page.getByRole("button", { name: "Publish" }).click(), settled(".field-error:not([hidden])")(page))],
    ["organisation", at("organisation"), settled(".save-bar .btn")],
    ["organisation-member", `/dashboard/o/${second.slug}/organisation`, settled(".read-only")],
    ["webhooks", at("webhooks"), settled(".token")],
    ["webhook-new", at("webhooks"), async (page) => (await settled(".token")(page), await page.getByRole("button", { name: "Add a webhook" }).click(), settled("dialog[open]")(page))],
    ["webhook-deliveries", at("webhooks"), async (page) => (await settled(".token")(page), await page.getByRole("button", { name: /^Deliveries:/ }).first().click(), settled("dialog[open] .rows, dialog[open] [role=status]")(page))],
    ["team", at("team"), settled(".token")],
    ["team-invite", at("team"), async (page) => (await settled(".token")(page), await page.getByRole("button", { name: "Invite somebody" }).click(), settled("dialog[open]")(page))],
    ["limits", at("limits"), settled(".amounts")],
    ["failures", at("failures"), settled(".rows")],
    ["examination", `/dashboard/o/${trials.slug}/examination`, settled(".examination")],
    ["integrations", at("integrations"), settled(".token")],
    ["integration-token", at("integrations"), async (page) => (await settled(".token")(page), await page.getByRole("button", { name: /^Make a token for/ }).click(), settled("dialog[open]")(page))],
    ["forgot", "/dashboard/forgot", settled("form")],
    ["reset", `/dashboard/#/reset/${"0".repeat(64)}`, settled("form")],
    ["invitation", `/dashboard/#/invitation/${"0".repeat(64)}`, (page) => page.getByText("This invitation has been accepted").waitFor()],
    ["email", `/dashboard/#/email/${"0".repeat(64)}`, settled("form")],
    ["events-empty", `/dashboard/o/${second.slug}/events`, settled(".empty")],
    ["stock-empty", `/dashboard/o/${second.slug}/stock`, settled(".empty")],
    ["profile", "/dashboard/settings/profile", settled(".narrow + .narrow .btn")],
    ["tokens", "/dashboard/settings/tokens", settled(".token")],
    ["token-mint", "/dashboard/settings/tokens", async (page) => (await settled(".token")(page), await page.getByRole("button", { name: "Make a token" }).click(), settled("dialog[open]")(page))],
    ["token-minted", "/dashboard/settings/tokens", async (page) => {
      await page.getByRole("button", { name: "Make a token" }).click();
      await page.getByLabel("Name").fill("Nightly feed");
      await page.getByRole("button", { name: "Make it" }).click();
      await settled(".secret")(page);
    }],
    ["password", "/dashboard/settings/password", settled("form")],
    ["letters", "/dashboard/settings/letters", settled("select")],
    ["sessions", "/dashboard/settings/sessions", settled(".token")],
    ["notifications", "/dashboard/settings/notifications", settled("main .btn-main")],
    ["second-step", "/dashboard/settings/second-factor", settled("main .btn-main")],
    ["second-step-set-up", "/dashboard/settings/second-factor", async (page) => (await page.getByRole("button", { name: "Set it up" }).click(), settled(".qr-code")(page))],
    ["menu", at("enquiries"), async (page) => (await settled(".row-link")(page), await page.getByRole("button", { name: /^Account/ }).click())],
    // On a page without a field or button below the menu: axe finds one that the menu hides in part too small.
    ["menu-organisations", at("limits"), async (page) => (await settled(".amounts")(page), await page.getByRole("button", { name: /^Organisation: / }).click())],
    ["not-found", "/dashboard/nowhere", settled(".empty")],
    // The last: the note stays until it is closed.
    ["stock-cut-off", at("stock"), async (page) => {
      const user = await page.evaluate(async () => (await (await fetch("/dashboard/api/session")).json()).data.user.id);
      const note = { what: "Delete 80 items", steps: 80, at: 34, state: "sending", when: new Date().toISOString(), user };
      await page.evaluate(([name, text]) => localStorage.setItem(name, text), [`tradepost.change.${dealer.organisation.id}`, JSON.stringify(note)]);
      await page.reload();
      await settled(".pending-bar")(page);
    }],
  ];
  // A page that is missing in the one or the other would not be looked at.
  const names = pages.map(([name]) => name);
  if (names.join() !== pageNames.join()) throw new Error(`pageNames must be: ${names.join()}`);
  return { dealer, pages };
}

export const signInPage = ["sign-in", "/dashboard/sign-in", (page) => page.getByLabel("Email").waitFor()];

export const pageNames = ["overview", "overview-empty", "enquiries", "enquiry", "stock", "stock-nothing", "stock-selected", "stock-price-of-many", "stock-csv", "stock-csv-preview", "stock-item", "stock-preview", "stock-sheet", "stock-history", "stock-draft", "stock-new", "jobs", "job", "job-preview", "job-error", "events", "event", "posts", "post", "post-new", "organisation", "organisation-member", "webhooks", "webhook-new", "webhook-deliveries", "team", "team-invite", "limits", "failures", "examination", "integrations", "integration-token", "forgot", "reset", "invitation", "email", "events-empty", "stock-empty", "profile", "tokens", "token-mint", "token-minted", "password", "letters", "sessions", "notifications", "second-step", "second-step-set-up", "menu", "menu-organisations", "not-found", "stock-cut-off"];
