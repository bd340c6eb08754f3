// The moments that one goes back to without looking for them.

const minuteMs = 60_000;

export type SpanAgo = { readonly label: string; readonly ms: number; /** As commands take it. */ readonly at: string };

export const spansAgo: readonly SpanAgo[] = [
  { label: "1 minute ago", ms: minuteMs, at: "1m" },
  { label: "5 minutes ago", ms: 5 * minuteMs, at: "5m" },
  { label: "15 minutes ago", ms: 15 * minuteMs, at: "15m" },
  { label: "1 hour ago", ms: 60 * minuteMs, at: "1h" },
  { label: "1 day ago", ms: 24 * 60 * minuteMs, at: "1d" },
];
