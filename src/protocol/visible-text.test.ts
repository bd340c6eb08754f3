import { expect, test } from "vitest";
import { nameHidden } from "./visible-text.ts";

test.each([
  ["turns what follows", "May I run \u202efr mr ?", "May I run ⟨U+202E⟩fr mr ?"],
  ["isolates", "a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"],
  ["marks of direction", "a\u200eb\u200fc\u061cd", "a⟨U+200E⟩b⟨U+200F⟩c⟨U+061C⟩d"],
  ["has no width", "rm\u200b -rf\u2060 \ufeff/\u00ad", "rm⟨U+200B⟩ -rf⟨U+2060⟩ ⟨U+FEFF⟩/⟨U+00AD⟩"],
  ["controls", "a\u001b[31mb\u0000\u0007\u009b\r", "a⟨ESC⟩[31mb⟨U+0000⟩⟨U+0007⟩⟨U+009B⟩⟨CR⟩"],
  ["ends a line where none ends", "a\u2028b\u2029c\u0085", "a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩"],
  ["says something only to a machine", "ok\u{e0072}\u{e006d}", "ok⟨U+E0072⟩⟨U+E006D⟩"],
  ["chooses a form where there is none", "a\ufe0f b\u{e0101}", "a⟨U+FE0F⟩ b⟨U+E0101⟩"],
  ["is a letter that is not drawn", "a\u3164b\u115fc\u034fd", "a⟨U+3164⟩b⟨U+115F⟩c⟨U+034F⟩d"],
  ["a joiner where nothing is joined", "a\u200db\u200c \u200d👍\u200d", "a⟨U+200D⟩b⟨U+200C⟩ ⟨U+200D⟩👍⟨U+200D⟩"],
  [
    "a break of lines where words have spaces, or two of them",
    "rm\u200brf ก\u200b\u200bข",
    "rm⟨U+200B⟩rf ก⟨U+200B⟩⟨U+200B⟩ข",
  ],
  [
    "a form of a letter that has none, or two of them",
    "a\u180b 葛\u{e0100}\u{e0101}",
    "a⟨U+180B⟩ 葛\u{e0100}⟨U+E0101⟩",
  ],
  ["more than one picture needs", "👍\ufe0f\ufe0f", "👍\ufe0f⟨U+FE0F⟩"],
])("what %s is named", (_, text, shown) => {
  expect(nameHidden(text)).toBe(shown);
  expect(nameHidden(shown), "a name is not named again").toBe(shown);
});

test.each([
  ["\tüñ\n<b> 日本語 한국어"],
  ["שלום, עולם: 3 קבצים"],
  ["هل أشغّل rm -rf؟ \u0600١٢"],
  ["می\u200cخواهم کتاب\u200cها"],
  ["क्\u200dष न्\u200cदे"],
  ["കിതാബ് അവന്\u200d"],
  ["کتابِ\u200cها"],
  ["ភាសា\u200bខ្មែរ ภาษา\u200bไทย"],
  ["ᠠ\u180b 葛\u{e0100}飾"],
  ["👩\u200d💻 👩🏽\u200d🚒 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 👨\u200d👩\u200d👧\u200d👦 ⚠\ufe0f 1\ufe0f\u20e3"],
  ["🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 🇩🇪"],
])("ordinary text stays: %s", (text) => {
  expect(nameHidden(text)).toBe(text);
});
