// Text that others wrote, made fit for a terminal. A title or a command's output may hold escape sequences that move the
// cursor, retitle the window or turn the reading direction round; here they become visible signs and do nothing.

// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- the colours of our own output, in the form that programs write them
const ansi = /\u001b\[[0-9;:]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** One line, whatever it was: controls become signs. */
export function toSafeLine(text: string): string {
  return text.replace(controls, toSign);
}

/** Several lines: colours of programs are dropped, line breaks stay, tabs become spaces, other controls become signs. */
export function toSafeLines(text: string): string[] {
  return text
    .replace(ansi, "")
    .replaceAll("\t", "    ")
    .split(/\r?\n/)
    .map((line) => toSafeLine(line.slice(line.lastIndexOf("\r") + 1)));
}

function toSign(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
