// Sign-in: a page of its own, and the same form over a page whose session has ended.
import { Failure, told } from "../api.js";
import { focusFirst, h } from "../dom.js";
import { dialog } from "../dialog.js";
import { textField } from "../fields.js";
import { makeForm } from "../form.js";
import { two } from "../format.js";
import { go } from "../router.js";
import { session, signIn } from "../session.js";
import { lookNow } from "../watch.js";

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;

// Counts down to when the next attempt is taken. Only its beginning and its end are read aloud.
function countdown(box, button, seconds) {
  const until = Date.now() + seconds * 1000;
  const clock = h("strong", { "aria-live": "off", class: "clock" });
  box.replaceChildren(h("p", {}, "Too many attempts. You can try again in ", clock, "."));
  const timer = setInterval(tick, 250);
  function tick() {
    const left = Math.ceil((until - Date.now()) / 1000);
    clock.textContent = minutes(Math.max(0, left));
    if (left > 0 && button.isConnected) return;
    clearInterval(timer);
    button.disabled = false;
    box.replaceChildren(h("p", {}, "You can try again now."));
  }
  button.disabled = true;
  tick();
}

// The form; calls done(own) when a user is signed in: not `own` when it is another than the one whose document this is.
function signInForm(done, email = "") {
  const emailField = textField({ name: "email", label: "Email", type: "email", autocomplete: "username", required: true, obvious: true });
  const passwordField = textField({ name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, obvious: true });
  const codeField = textField({ name: "code", label: "Code", autocomplete: "one-time-code", required: true, obvious: true, hint: "Of your authenticator app, or a recovery code." });
  const form = makeForm([emailField, passwordField]);
  const second = h("div", { hidden: true }, codeField.node);
  form.set({ email });
  const box = h("div", { class: "form-error", role: "alert" });
  const button = h("button", { type: "submit", class: "btn btn-main btn-wide" }, "Sign in");

  async function submit(event) {
    event.preventDefault();
    if (button.disabled || form.missing().length > 0) return;
    if (!second.hidden && !codeField.check()) return codeField.focus();
    button.disabled = true;
    box.replaceChildren();
    try {
      done(await signIn(emailField.get(), passwordField.get(), second.hidden ? null : codeField.get()));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      button.disabled = false;
      if (failure.status === 429) return countdown(box, button, failure.wait ?? 60);
      if (failure.message === "Code required") return askForCode();
      if (failure.message === "Invalid code") {
        codeField.set("");
        codeField.error("Is wrong, or was used before. Take the next one");
        return codeField.focus();
      }
      if (failure.status !== 401) return box.replaceChildren(h("p", {}, told(failure)));
      second.hidden = true;
      box.replaceChildren(h("p", {}, "Email or password is wrong."));
      passwordField.set("");
      passwordField.focus();
    }
  }
  function askForCode() {
    second.hidden = false;
    codeField.set("");
    codeField.focus();
  }
  return h("form", { class: "stack", novalidate: true, onsubmit: submit }, emailField.node, passwordField.node, second, box, button);
}

// Where to go on: a page of the dashboard and nothing else.
function nextAddress(query) {
  const next = query.next ?? "";
  return /^\/dashboard\/(?!sign-in|api\/)[^\\]*$/.test(next) ? next : "/dashboard/";
}

export function signInPage({ query }) {
  const onwards = (own) => own && go(nextAddress(query), { replace: true });
  if (session.user) {
    onwards(true);
    return null;
  }
  const node = h("section", { class: "sign-in panel" }, h("h1", {}, "Sign in"),
    h("p", { class: "muted" }, "Your stock, jobs and enquiries on the marketplace."), signInForm(onwards),
    h("p", {}, h("a", { href: "/dashboard/forgot" }, "Forgot your password?")));
  return { title: "Sign in", node, focus: () => focusFirst(node) };
}

let asking = null;
// Over the page that is shown, whose text stays. True when the same user is signed in again.
export function signInAgain() {
  asking ??= dialog("Sign in again", (close) => [
    h("p", {}, "Your session has ended. What you typed is still here."),
    signInForm(close, session.owner?.email),
    h("button", { type: "button", class: "btn btn-quiet btn-wide", onclick: () => close(false) }, "Not now"),
  ]).then((done) => {
    asking = null;
    if (done) lookNow();
    return Boolean(done);
  });
  return asking;
}
