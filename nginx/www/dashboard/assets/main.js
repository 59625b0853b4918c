// Begins here: asks who is signed in, then shows the page of the address.
import { setHooks, told } from "./api.js";
import { confirmPassword } from "./confirming.js";
import { renewDocument } from "./document_copy.js";
import { turn } from "./dom.js";
import { clearDrafts } from "./drafts.js";
import { noteWork } from "./early_requests.js";
import { later } from "./later.js";
import { takeLink } from "./letters.js";
import { warn, silence } from "./messages.js";
import { renew, supported, switchOff } from "./notifications.js";
import { isUnderWay, tellCutOff } from "./pending.js";
import { enquiriesPage } from "./pages/enquiries.js";
import { jobPage } from "./pages/job.js";
import { jobsPage } from "./pages/jobs.js";
import { noOrganisationPage, notFoundPage, unreachablePage } from "./pages/nothing.js";
import { organisationPage } from "./pages/organisation.js";
import { overviewPage } from "./pages/overview.js";
import { eventPage } from "./pages/event.js";
import { eventsPage } from "./pages/events.js";
import { postPage } from "./pages/post.js";
import { postsPage } from "./pages/posts.js";
import { signInAgain, signInPage } from "./pages/sign_in.js";
import { stockPage } from "./pages/stock.js";
import { stockItemPage } from "./pages/stock_item.js";
import { forgetOpened } from "./recent.js";
import { go, here, mayLeave, reload, start } from "./router.js";
import { loadSession, organisationBySlug, renewToken, session, signOut } from "./session.js";
import { addressOf, showAlone, showInside, usualOrganisation } from "./shell.js";
import { watch } from "./watch.js";

const routes = [
  { path: "/", page: first },
  { path: "/sign-in", page: signInPage, open: true },
  { path: "/forgot", page: later("forgotPage"), open: true },
  { path: "/reset", page: later("resetPage"), open: true },
  { path: "/invitation", page: later("invitationPage"), open: true },
  { path: "/email", page: later("emailPage"), open: true },
  { path: "/settings", page: () => forward("/dashboard/settings/profile") },
  { path: "/settings/profile", page: later("profilePage"), section: "settings" },
  { path: "/settings/password", page: later("passwordPage"), section: "settings" },
  { path: "/settings/second-factor", page: later("secondFactorPage"), section: "settings" },
  { path: "/settings/letters", page: later("lettersPage"), section: "settings" },
  { path: "/settings/sessions", page: later("sessionsPage"), section: "settings" },
  { path: "/settings/notifications", page: later("notificationsPage"), section: "settings" },
  { path: "/settings/tokens", page: later("tokensPage"), section: "settings" },
  { path: "/enquiry/:organisation/:id", page: notified },
  { path: "/o/:org", page: ({ params }) => forward(addressOf(params.org, "overview")) },
  { path: "/o/:org/overview", page: overviewPage, section: "overview" },
  { path: "/o/:org/enquiries", page: enquiriesPage, section: "enquiries", keep: "enquiries" },
  { path: "/o/:org/enquiries/:id", page: enquiriesPage, section: "enquiries", keep: "enquiries" },
  { path: "/o/:org/stock", page: stockPage, section: "stock" },
  { path: "/o/:org/stock/csv", page: later("stockCsvPage"), section: "stock" },
  { path: "/o/:org/stock/:id", page: stockItemPage, section: "stock" },
  { path: "/o/:org/stock/:id/sheet", page: later("sheetPage"), section: "stock" },
  { path: "/o/:org/jobs", page: jobsPage, section: "jobs" },
  { path: "/o/:org/jobs/:id", page: jobPage, section: "jobs" },
  { path: "/o/:org/events", page: eventsPage, section: "events" },
  { path: "/o/:org/events/:id", page: eventPage, section: "events" },
  { path: "/o/:org/posts", page: postsPage, section: "posts" },
  { path: "/o/:org/posts/:id", page: postPage, section: "posts" },
  { path: "/o/:org/integrations", page: later("integrationsPage"), section: "organisation" },
  { path: "/o/:org/examination", page: later("examinationPage"), section: "organisation" },
  { path: "/o/:org/failures", page: later("failuresPage"), section: "organisation" },
  { path: "/o/:org/limits", page: later("limitsPage"), section: "organisation" },
  { path: "/o/:org/team", page: later("teamPage"), section: "organisation" },
  { path: "/o/:org/webhooks", page: later("webhooksPage"), section: "organisation" },
  { path: "/o/:org/organisation", page: organisationPage, section: "organisation" },
  { path: "*", page: notFoundPage },
];

function forward(address) {
  go(address, { replace: true });
  return null;
}

// A notification knows ids alone.
function notified({ params }) {
  const organisation = session.user.organisations.find((each) => each.id === params.organisation);
  return organisation ? forward(addressOf(organisation.slug, "enquiries", params.id)) : notFoundPage();
}

function first() {
  const organisation = usualOrganisation();
  return organisation ? forward(addressOf(organisation.slug, "overview")) : noOrganisationPage();
}

// Only who is signed in sees the page, and only their organisations.
function guarded(route) {
  return {
    ...route,
    page(place) {
      silence();
      if (route.open) return route.page(place);
      if (!session.user) return forward(`/dashboard/sign-in?next=${encodeURIComponent(here())}`);
      if (!place.params.org) return route.page(place);
      const organisation = organisationBySlug(place.params.org);
      return organisation ? route.page({ ...place, organisation }) : notFoundPage();
    },
  };
}

async function leave() {
  if (isUnderWay()) return warn("A change of many is under way. Undo it, or wait until it is over, and sign out then.");
  if (!(await mayLeave())) return;
  try {
    await signOut();
  } catch (failure) {
    return warn(told(failure));
  }
  forgetOpened();
  clearDrafts();
  // Where the session had ended already, no answer has cleared them.
  if (supported()) await switchOff().catch(() => {});
  // A new document. If the browser keeps this one it loads it again before it shows it.
  location.assign("/dashboard/sign-in");
}

let renewed = null;  // for whom notifications were

function display(page, { route, params, moved, scroll }) {
  if (session.user && session.user.id !== renewed) {
    renewed = session.user.id;
    renew().catch(() => {});  // nobody waits for it, and the next document tries again
  }
  if (route.open || !session.user) {
    watch(null);
    return showAlone(page, moved);
  }
  const organisation = organisationBySlug(params.org);
  showInside(page, { organisation, section: route.section, moved, scroll, signOut: leave });
  watch((organisation ?? usualOrganisation())?.id ?? null);
  tellCutOff(organisation ?? usualOrganisation());
}

// A page that comes back from the browser's memory of pages may show what is no longer this user's.
addEventListener("pagehide", ({ persisted }) => (document.body.hidden = persisted));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});

takeLink();

const startPages = () => start(routes.map(guarded), display);

const signInAddress = "/dashboard/sign-in";

// Who comes to sign in is seldom signed in already, and need not wait for that answer. When it is late, another page may be shown by then.
async function beginSigningIn() {
  startPages();
  if ((await loadSession().catch(() => null)) && location.pathname === signInAddress) reload();
}

async function begin() {
  try {
    await loadSession();
  } catch (failure) {
    return showAlone(unreachablePage(failure, begin), false);
  }
  await turn();
  startPages();
}

setHooks({ signIn: signInAgain, renewToken, confirmPassword, signedIn: loadSession });
if (location.pathname === signInAddress) beginSigningIn();
else noteWork(begin());
renewDocument().catch(() => {});  // the next document tries again
