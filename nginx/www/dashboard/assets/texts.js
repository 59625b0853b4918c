// Texts as the service stores them (core::one_line() and core::many_lines() of its source).
const invisible = String.raw`[\p{White_Space}\u0001-\u001f\u007f-\u009f\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]`;
const start = new RegExp(`^${invisible}+`, "u"), end = new RegExp(`${invisible}+$`, "u");
// What belongs to the character before it: variation selectors, and the tags of a flag.
const completing = /^[\ufe00-\ufe0f\u180b-\u180d\u180f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}]*/u;
const broken = /[\p{White_Space}\u0001-\u001f\u007f-\u009f]*[\u0001-\u001f\u007f-\u009f\u2028\u2029][\p{White_Space}\u0001-\u001f\u007f-\u009f]*/gu;

// In Unicode's composed form, without white space and invisible characters at both ends.
export const manyLines = (text) => text.normalize("NFC").replace(start, "").replace(end, (run) => completing.exec(run)[0]);

// The same with a space for each line break, tab or other control character and the white space around it.
export const oneLine = (text) => manyLines(text).replace(broken, " ");
