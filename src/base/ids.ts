const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Spells random bytes as a short id: `r_7k2m9…`. The letters leave out i, l, o and u, so that an id survives being
 * read aloud. The bytes come from outside, because chance is an input.
 */
export function spellId(prefix: string, bytes: Uint8Array): string {
  let spelled = "";
  for (const byte of bytes) spelled += alphabet[byte & 31];
  return `${prefix}_${spelled}`;
}

/** How many random bytes an id takes: 12 letters of 5 bits make a clash unthinkable within one log. */
export const idBytes = 12;
