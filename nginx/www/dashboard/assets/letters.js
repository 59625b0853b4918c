// Links of letters: #/reset/TOKEN, #/invitation/TOKEN and #/email/TOKEN. What stands behind # reaches no server and no log; it leaves the address bar at once,
// so that it does not stay in the history of a browser that others use.
import { beforeReload } from "./reloading.js";

const link = { kind: null, token: null };

export function takeLink() {
  const found = /^#\/(reset|invitation|email)\/([0-9a-f]{64})$/.exec(location.hash);
  if (!found) return;
  [, link.kind, link.token] = found;
  const page = `/dashboard/${link.kind}`, whole = location.href;
  history.replaceState(history.state, "", page);
  beforeReload(() => location.pathname === page && history.replaceState(history.state, "", whole));
}

// The token of a letter of that kind with which this document was opened, or null.
export const tokenOf = (kind) => (link.kind === kind ? link.token : null);
