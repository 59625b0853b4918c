// Settings: two-step sign-in.
import { get, post, put, remove } from "../api.js";
import { attempt, oneAtATime, wish } from "../attempt.js";
import { confirm } from "../dialog.js";
import { focusFirst, h, icon, replace } from "../dom.js";
import { textField } from "../fields.js";
import { formDialog } from "../form_dialog.js";
import { many, momentOf } from "../format.js";
import { fill, outline, refill } from "../loading.js";
import { copied, onceDialog } from "../minting.js";
import { say, warn } from "../messages.js";
import { qrCode } from "../qr_code.js";
import { loadSession } from "../session.js";
import { settingsPage } from "../settings.js";

const address = "/dashboard/api/second-factor";

const recoveryDialog = (codes) => onceDialog("Your recovery codes",
  "Keep them where you find them without your phone: they are shown this once. Each lets you sign in once in place of a code of your app.",
  (done) => copied("codes", "Recovery codes", codes.join("\n"), { rows: codes.length, done }), "I have kept them");

// Resolves to the recovery codes, or null.
function enrolDialog({ secret, uri, qrCode: rows }) {
  const code = textField({ name: "code", label: "The code that your app shows", required: true, obvious: true, autocomplete: "one-time-code" });
  code.input.inputMode = "numeric";
  const enrolled = formDialog("Set up your app", {
    before: [
      h("p", {}, "Scan this with an authenticator app, such as the one of your password manager. On this device, ", h("a", { href: uri }, "open it in the app"), "."),
      qrCode(rows, "QR code for an authenticator app"), copied("secret", "Or type this key", secret, { rows: 1 })],
    fields: [code], yes: "Switch it on", wide: true, send: async () => (await put(address, { code: code.get() })).data.recoveryCodes,
  });
  focusFirst(code.node);
  return enrolled;
}

export function secondFactorPage() {
  const box = h("div", { class: "stack" });
  const load = async () => (await get(address)).data;
  const show = () => fill(box, load, draw, outline(3, "row"));

  async function after(text) {
    say(text);
    await refill(box, async () => {
      await loadSession();  // the role may be another one now
      return load();
    }, draw);
    node.querySelector("h2").focus();
  }

  async function enrol() {
    const begun = await attempt(() => post(address));
    if (!begun) return;
    const codes = await enrolDialog(begun.data);
    if (!codes) {
      // The answer of the request that switched it on may have been lost.
      const now = await attempt(load);
      if (!now?.enabledAt) return;
      replace(box, draw(now));
      warn("It is on, but its recovery codes did not arrive. Make new ones.");
      return node.querySelector("h2").focus();
    }
    await recoveryDialog(codes);
    await after("From now on signing in takes a code of your app.");
  }

  async function renew() {
    const made = await attempt(() => post(`${address}/recovery-codes`));
    if (!made) return;
    await recoveryDialog(made.data.recoveryCodes);
    await after("The old recovery codes no longer work.");
  }

  async function switchOff() {
    const yes = await confirm("Switch it off?", "Your password alone lets anybody in who knows it.", { yes: "Switch it off" });
    if (yes && (await attempt(() => remove(address)))) await after("Signing in takes your password only.");
  }

  function require(organisation, input) {
    const path = `/dashboard/api/organisations/${encodeURIComponent(organisation.id)}/second-factor`, required = input.checked;
    wish(path, organisation, { required }, async () => {
      if (await attempt(() => put(path, { required }))) {
        organisation.required = required;
        say(required ? `Administrators of ${organisation.name} must use two steps now.` : `Administrators of ${organisation.name} need not use two steps.`);
      }
      if (input.checked === required) input.checked = organisation.required;
    });
  }

  function requirement(organisation) {
    const id = `required-${organisation.id}`;
    const input = h("input", { type: "checkbox", class: "form-check-input", id, checked: organisation.required, onchange: () => require(organisation, input) });
    return h("div", { class: "form-check" }, input, h("label", { class: "form-check-label", htmlFor: id }, `Administrators of ${organisation.name} must use two steps`));
  }

  function draw({ enabledAt, recoveryCodes, organisations }) {
    const missing = !enabledAt && organisations.filter((each) => each.required);
    const few = recoveryCodes < 3;
    return [
      missing && missing.length > 0 && h("div", { class: "notice notice-warn" }, icon("warning"), h("p", {}, `Administrators of ${missing.map((each) => each.name).join(", ")} must use two steps. Until you set this up, you have the rights of a member there.`)),
      enabledAt
        ? [h("p", {}, h("span", { class: "mark mark-good" }, "On"), ` since ${momentOf(enabledAt)}.`),
           h("p", { class: few ? "notice notice-warn" : "muted" }, `${many(recoveryCodes, "recovery code")} left.`),
           h("p", {}, h("button", { type: "button", class: "btn btn-quiet", onclick: oneAtATime(renew) }, "Make new recovery codes"), " ",
             h("button", { type: "button", class: "btn btn-text-danger", onclick: switchOff }, "Switch it off"))]
        : h("p", {}, h("button", { type: "button", class: "btn btn-main", onclick: oneAtATime(enrol) }, icon("key"), "Set it up")),
      organisations.length > 0 && [h("h2", { class: "part-title" }, "Your organisations"),
        h("p", { class: "muted lead-in" }, "Where two steps are required, an administrator without them has the rights of a member, here and through the API."),
        organisations.map(requirement)],
    ];
  }

  show();
  const node = settingsPage("Two-step sign-in", "second-factor",
    h("div", { class: "page-head" }, h("p", { class: "muted lead-in" }, "Signing in also asks for a code from an app on your phone. Then nobody gets in with your password alone, here or through the API.")),
    box);
  return { title: "Two-step sign-in", node };
}
