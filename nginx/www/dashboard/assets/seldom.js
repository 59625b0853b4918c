// Pages that are seldom opened: a script of their own, which comes when the first of them is.
export { emailPage } from "./pages/email.js";
export { examinationPage } from "./pages/examination.js";
export { failuresPage } from "./pages/failures.js";
export { integrationsPage } from "./pages/integrations.js";
export { invitationPage } from "./pages/invitation.js";
export { lettersPage } from "./pages/letters.js";
export { limitsPage } from "./pages/limits.js";
export { notificationsPage } from "./pages/notifications.js";
export { passwordPage } from "./pages/password.js";
export { profilePage } from "./pages/profile.js";
export { forgotPage, resetPage } from "./pages/reset.js";
export { secondFactorPage } from "./pages/second_factor.js";
export { sessionsPage } from "./pages/sessions.js";
export { sheetPage } from "./pages/sheet.js";
export { stockCsvPage } from "./pages/stock_csv.js";
export { teamPage } from "./pages/team.js";
export { tokensPage } from "./pages/tokens.js";
export { webhooksPage } from "./pages/webhooks.js";
