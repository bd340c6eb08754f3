// A small chart of what was measured over time, as the outline of an area.

export type Area = {
  readonly line: string;
  readonly area: string;
  readonly last: number | null;
  readonly most: number;
};

/** In a box of this width and height; the tallest is `top`, or the most that there is. Nothing where there is less than two. */
export function toArea(
  values: readonly (number | null)[],
  { width, height, top }: { readonly width: number; readonly height: number; readonly top?: number | null },
): Area {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const most = Math.max(0, ...known.map(({ value }) => value));
  const scale = Math.max(top ?? 0, most) || 1;
  const last = known.at(-1)?.value ?? null;
  if (known.length < 2) return { line: "", area: "", last, most };
  const step = width / (values.length - 1);
  const points = known.map(({ at, value }) => `${round(at * step)} ${round(height - (value / scale) * height)}`);
  const line = `M${points.join("L")}`;
  const [first] = known;
  return { line, area: `${line}V${height}H${round((first?.at ?? 0) * step)}Z`, last, most };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
