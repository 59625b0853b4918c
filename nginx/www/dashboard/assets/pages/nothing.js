// Pages for what is not there.
import { told } from "../api.js";
import { h } from "../dom.js";

const plain = (title, ...content) => ({ title, node: h("section", { class: "empty page" }, h("h1", {}, title), content) });

export const notFoundPage = () =>
  plain("Page not found", h("p", {}, "There is nothing at this address, or it belongs to an organisation that you are not a member of."),
    h("a", { class: "btn btn-main", href: "/dashboard/" }, "To the dashboard"));

export const noOrganisationPage = () =>
  plain("No organisation yet", h("p", {}, "You are not a member of any organisation. An administrator of yours can have you added."),
    h("a", { class: "btn btn-quiet", href: "/dashboard/settings/profile" }, "Your profile"));

export const unreachablePage = (failure, again) =>
  plain("The dashboard cannot start", h("p", { role: "alert" }, told(failure)),
    h("button", { type: "button", class: "btn btn-main", onclick: again }, "Try again"));
