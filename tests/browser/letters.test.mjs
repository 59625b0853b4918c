// Settings: which letters a user gets. That they come is tested with the letters (tests/mail).
import assert from "node:assert/strict";
import { addMember, makeDealer, makeOrganisation, test } from "./testing.mjs";

test("a user chooses for each organisation, and the choice stays", async ({ page, signIn }) => {
  const dealer = await makeDealer();
  const second = await makeOrganisation("Bexhill Tractors");
  await addMember(second, dealer, "MEMBER");
  await signIn(dealer, { to: "/dashboard/settings/letters" });
  const own = page.getByLabel(`New enquiries to ${dealer.organisation.name}`), other = page.getByLabel("New enquiries to Bexhill Tractors");
  await own.waitFor();
  assert.equal(await own.inputValue(), "AT_ONCE");
  assert.equal(await other.inputValue(), "NONE");
  await other.selectOption("Once a day, one email that lists them");
  await page.getByText("Saved for Bexhill Tractors.").waitFor();
  await page.reload();
  await other.waitFor();
  assert.equal(await other.inputValue(), "DAILY");
  assert.equal(await own.inputValue(), "AT_ONCE");
});
