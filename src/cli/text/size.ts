// Bytes as people read them: 900 B, 1.5 KiB, 20 MiB.

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

export function toSize(bytes: number): string {
  let value = bytes;
  let at = 0;
  // What would be shown as 1024 is one of the next unit.
  while (value >= 1023.5 && at < units.length - 1) {
    value /= 1024;
    at++;
  }
  const text = at > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return `${text} ${units[at]}`;
}
