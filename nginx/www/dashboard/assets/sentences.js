// What people are told of the service's errors, whose texts are made for programs. A test goes through all texts of the service.
const number = (text) => new Intl.NumberFormat("en-GB").format(Number(text));
const plain = (text) => () => text;
// A form puts its own name of another field into quotation marks.
const named = (other) => (other.startsWith("“") ? other : "the other one");

const rules = [
  // Fields of forms.
  [/^(is required|must not be null|must not be empty)$/, plain("Fill this in.")],
  [/^is required to publish$/, plain("Fill this in to publish.")],
  [/^is required to publish unless (“.+”|isOnline) is true$/, (other) => `Fill this in to publish, or tick ${named(other)}.`],
  [/^is required (without|with) /, plain("Fill this in, too.")],
  [/^must be 1 to (\d+) characters long$/, (most) => `Use at most ${number(most)} characters.`],
  [/^must be (\d+) to (\d+) characters long$/, (least, most) => `Use ${number(least)} to ${number(most)} characters.`],
  [/^must have a visible character$/, plain("Type at least one character that can be seen.")],
  [/^must have names that differ$/, plain("Give each one a different name.")],
  [/^must be at most (\d+) characters long$/, (most) => `Use at most ${number(most)} characters.`],
  [/^must be an integer from (\d+) to (\d+)$/, (least, most) => `Type a whole number from ${least} to ${number(most).replaceAll(",", most.length > 4 ? "," : "")}.`],
  [/^must be an integer/, plain("Type a whole number.")],
  [/^must not contain :\/\/, www\. or @$/, plain("Leave out web addresses and @.")],
  [/^must be an email address$/, plain("Type an email address, such as name@example.com.")],
  [/^must be an http or https URL$/, plain("Type a web address, such as https://www.example.com.")],
  [/^must be an https URL$/, plain("Type a web address that begins with https://.")],
  [/^must be an ISO 4217 code$/, plain("Choose a currency, such as GBP.")],
  [/^must be an ISO 3166-1 alpha-2 code$/, plain("Choose a country.")],
  [/^must be an IANA time zone$/, plain("Choose a time zone.")],
  [/^must be an RFC 3339 time$/, plain("Type a date, such as 31/01/2027.")],
  [/^must not contain NUL$/, plain("This has a character that cannot be kept. Type it anew.")],
  [/^must not be below (.+)$/, (other) => `This is less than ${named(other)}.`],
  [/^must not be before (.+)$/, (other) => `This is before ${named(other)}.`],
  [/^must be (DRAFT or PUBLISHED|.* in a new)/, plain("What is new is a draft, or published.")],
  [/^must be (one of|true or false|a string|a list|an object|a UUID|the one|that of|64 hex|1 to 255|base64|the (number|hash) of)/, plain("This cannot be used. Load the page again, and choose anew.")],
  [/^a test organisation writes to its members only/, plain("A test organisation invites nobody. Ask whoever runs this service to add members.")],
  [/^only test organisations are examined$/, plain("Only the programs of a test organisation can be examined.")],
  [/^an examination is running$/, plain("An examination is running. Wait for its end.")],
  // Passwords, second steps and names.
  [/^is wrong$/, plain("This is not right.")],
  [/^must not be a common password$/, plain("Many people use this password. Choose another one.")],
  [/^must not be the (name|email)/, (what) => `Do not use your ${what === "email" ? "email address" : what} as the password.`],
  [/^must not be the old/, plain("Choose another one than before.")],
  [/^must name a scope/, plain("Choose what it may be used for.")],
  [/^must not name an event twice$/, plain("Choose each once.")],
  // Files.
  [/^must be a JPEG, PNG or WebP picture/, plain("Choose a JPEG, PNG or WebP picture, or a PDF.")],
  [/^must be a picture that can be decoded$/, plain("This picture is damaged. Choose another file.")],
  [/^must be a whole PDF$/, plain("This PDF is damaged. Choose another file.")],
  [/^must be a PDF that opens without a password$/, plain("This PDF asks for a password. Choose one without.")],
  [/^must be a PDF with pages that can be read$/, plain("This PDF has no page that can be read. Choose another file.")],
  [/^must be what the bytes are$/, plain("This file is not what its name says.")],
  [/^must be a file's name/, plain("Give the file another name.")],
  [/^must be at most 8 MiB/, plain("This file is too large.")],
  [/^must be at most /, plain("This is too large.")],
  [/^must have at most (\d+) megapixels/, (most) => `This picture is too large: it may have ${most} megapixels.`],
  [/^must be (a READY image|READY images|READY PDFs)/, plain("One of these files is not there any more. Remove it.")],
  [/^must (not hold an upload|not hold a sourceUrl|have an uploadId)/, plain("One of these files is there twice, or missing.")],
  // Lists and pairs.
  [/^must hold at most (\d*)/, (most) => `There may be ${most || "only so many"} of these.`],
  [/^must hold texts of/, plain("One of these is too long, or empty.")],
  [/^must have names of/, plain("Each needs a name of at most 50 characters.")],
  [/^must have only/, plain("One of these cannot be used.")],
  // What browsers send by themselves.
  [/^must (be the JSON of|have an https address as|have a public key|have 16 bytes)/, plain("Your browser cannot get these messages.")],
  [/^must not stand beside/, plain("This is about one thing only.")],
  [/^is not known to the server$/, plain("The server does not know this. Load the page again.")],
  // Conflicts.
  [/^(?:reference )?is (?:used by another|that of line) ?(item|job|event|post)?/, (what) => `Another ${what ?? "one"} of yours has this reference.`],
  [/^status cannot change from/, plain("It is in another state by now. Load the page again.")],
  [/^limit of (\d+) (.+) reached$/, (most, things) => `The limit of ${number(most)} ${things} is reached. Remove some first, or ask whoever runs this service for a higher limit.`],
  [/^upload quota reached$/, plain("Your organisation's space for files is full. Delete some first.")],
  [/^upload is attached$/, plain("This file is shown somewhere. Remove it there first.")],
  [/^ticket is spent$/, plain("This file could not be read three times. Choose it anew.")],
  [/^an organisation needs an ADMIN/, plain("An organisation needs an administrator. Make another member one first.")],
  [/^an organisation has at most (.*)/, (most) => `An organisation has at most ${most || "so many"}.`],
  [/^an integration gets no letters$/, plain("An integration gets no emails.")],
  [/^whoever has this address is a member already$/, plain("Whoever has this address is a member already.")],
  [/^this address has an account; sign in to accept$/, plain("This address has an account. Sign in to accept.")],
  [/^another user has this address$/, plain("Somebody else has this address by now.")],
  [/^too many changes of the address; wait an hour$/, plain("You asked for three emails in the last hour. Wait an hour, then ask for another one.")],
  [/^the invitation is for another address than yours$/, plain("This invitation is for another address than yours.")],
  [/^this service sends no mail; ask whoever runs it (.*)$/, (what) => `This service sends no mail. Ask whoever runs it ${what}.`],
  [/^too many (integrations|open invitations); (.*)$/, (what, first) => `There are too many ${what}: ${first}.`],
  [/^set up your own second factor first$/, plain("Set up your own two-step sign-in first.")],
  [/^there is a second factor already$/, plain("Two-step sign-in is on already.")],
  [/^there is no second factor$/, plain("Two-step sign-in is off already.")],
  [/^(.*) requires a second factor of its ADMINs$/, (name) => `Administrators of ${name} must use two steps.`],
  [/^the webhook is switched off$/, plain("This webhook is switched off. Switch it on first.")],
];

// A sentence; null for what is no text of the service.
export function forPeople(why) {
  for (const [pattern, say] of rules) {
    const found = pattern.exec(why);
    if (found) return say(...found.slice(1));
  }
  return null;
}
