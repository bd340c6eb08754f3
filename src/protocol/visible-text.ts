// Text that agents and programs wrote, with what would hide or turn it made visible: a person allows, answers and approves what is
// there, and not what a trick of the script makes of it. Whatever shows text to people uses this, a page as well as a terminal.
//
// Ordinary text stays as it is. Arabic and Hebrew letters turn no others round; the joiners that Persian and the scripts of India need
// between two of their letters stay, and so do the places where Thai and Khmer may break a line, the forms of Mongolian and Chinese
// letters, and what makes one picture out of several. The same characters anywhere else do nothing but hide, and are named. So are
// marks of direction and soft hyphens, which text can do without.

/** What is one picture, or one letter with its form, though it has a character without width in it. */
const picture = String.raw`\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}])?`;
const pictures = String.raw`${picture}(?:\u200d${picture})*`;
const flags = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
const keycaps = String.raw`[0-9#*]\ufe0f\u20e3`;
const joinedScripts = ["Arab", "Syrc", "Nkoo", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda"];
const moreJoined = ["Mlym", "Sinh", "Mymr", "Khmr", "Tibt"];
const joined = `[${[...joinedScripts, ...moreJoined].map((script) => String.raw`\p{Script=${script}}`).join("")}]`;
/** Of the format characters those that are drawn: signs that stand before numbers. */
const drawn = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;

/** Controls, marks that turn the direction of writing, and characters that are not drawn. Tabs and line breaks are neither. */
const hidden = String.raw`(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

/** With what stands on it: vowels, and signs that it is spoken without one. */
const letter = `${joined}(?:(?!${hidden})\\p{M})*`;
/** After such a sign a joiner chooses the form of a letter also where none follows, as in Malayalam. */
const halved = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]\u200d`;
const joints = String.raw`${letter}[\u200c\u200d](?=${joined})|${halved}`;
const unspaced = String.raw`[\p{Script=Thai}\p{Script=Laoo}\p{Script=Khmr}\p{Script=Mymr}\p{Script=Tibt}]`;
const breaks = String.raw`${unspaced}\u200b(?=${unspaced})`;
const forms = String.raw`\p{Script=Mong}[\u180b-\u180f]|\p{Script=Han}[\u{e0100}-\u{e01ef}]`;

const kept = [flags, keycaps, pictures, joints, breaks, forms, drawn].join("|");
const tokens = new RegExp(`(${kept})|${hidden}`, "gu");
const maybeHidden = new RegExp(hidden, "u");
/** Nearly every text of a page, and known ten times as fast. */
const plain = /^[\t\n\x20-\x7e]*$/;

/** The text with a name in the place of each character that could not be seen. */
export function nameHidden(text: string, toName: (char: string) => string = toSign): string {
  // Most text has none, and that is known fast.
  if (plain.test(text) || !maybeHidden.test(text)) return text;
  return text.replace(tokens, (found: string, kept: string | undefined) => kept ?? toName(found));
}

function toSign(char: string): string {
  if (char === "\r") return "⟨CR⟩";
  if (char === "\u001b") return "⟨ESC⟩";
  return toCodePoint(char);
}

/** As `⟨U+202E⟩`. */
export function toCodePoint(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
