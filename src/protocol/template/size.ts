// Sizes in a template: `512MiB`, `1.5GiB`, `20MB`. Never a bare number: some would read bytes and others megabytes.

export const sizePattern = /^\d+(?:\.\d+)?(?:B|[KMGT]i?B)$/;

const unitsBytes = {
  ...{ TiB: 1024 ** 4, GiB: 1024 ** 3, MiB: 1024 ** 2, KiB: 1024, B: 1 },
  ...{ TB: 1e12, GB: 1e9, MB: 1e6, KB: 1e3 },
} as const;

/** Of a text that has the form; in whole bytes. */
export function toBytes(text: string): number {
  const [, amount = "0", unit = "B"] = /^([\d.]+)(.*)$/.exec(text) ?? [];
  return Math.round(Number(amount) * unitsBytes[unit as keyof typeof unitsBytes]);
}

/** In the largest unit that has no fraction: read again, it is the same number. */
export function spellBytes(bytes: number): string {
  const unit =
    (["TiB", "GiB", "MiB", "KiB"] as const).find(
      (each) => bytes >= unitsBytes[each] && bytes % unitsBytes[each] === 0,
    ) ?? "B";
  return `${bytes / unitsBytes[unit]}${unit}`;
}
