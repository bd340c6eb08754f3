/** Why somebody was not reached, in words. */
const reasons: Readonly<Record<string, string>> = {
  "no-network": "it has no network",
  "not-listed": "not on the allow-list",
  "private-address": "not a public address",
  "unknown-host": "the name has no address",
  unreachable: "did not answer",
  "other-name": "TLS asked for another name",
  "too-many": "too many at once",
};

export function egressReason(refused: string): string {
  return reasons[refused] ?? refused;
}
