import { expect, test } from "vitest";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { EgressInput } from "../../core/egress/egress-events.ts";
import { hostsApartMax, Ledger, toldSinglyMax } from "./ledger.ts";

function made(): { ledger: Ledger; told: EgressInput[]; clock: TestClock } {
  const told: EgressInput[] = [];
  const clock = new TestClock();
  const report = async (input: EgressInput): Promise<boolean> => told.push(input) > 0;
  return { ledger: new Ledger({ run: "r_1" }, report, clock), told, clock };
}

const target = { host: "example.org", port: 443 };

test("[EG9] a connection is told when it is made, and its bytes when it is over", async () => {
  const { ledger, told } = made();
  await ledger.tried(target, "93.184.216.34", null);
  await ledger.ended(target, 10, 20);
  await ledger.ended(target, 0, 0);
  expect(told).toEqual([
    { type: "egress.try", run: "r_1", ...target, address: "93.184.216.34", refused: null },
    { type: "egress.sum", run: "r_1", ...target, connections: 0, refusals: 0, bytesOut: 10, bytesIn: 20 },
  ]);
});

test("[FC16] what one run lets is told with it, apart from what another one or nobody did", async () => {
  const { ledger, told } = made();
  await ledger.tried(target, null, null, { tenant: "r_5" });
  await ledger.ended(target, 10, 20, { tenant: "r_5" });
  await ledger.tried(target, null, "not-listed");
  await ledger.close();
  expect(told.map((each) => [each.type, each.tenant])).toEqual([
    ["egress.try", "r_5"],
    ["egress.sum", "r_5"],
    ["egress.try", undefined],
  ]);
});

test("[FC16, EG10] however many runs were in an agent before, what the next one lets is told with it", async () => {
  const { ledger, told } = made();
  for (let at = 0; at < hostsApartMax + 10; at++) {
    const by = { tenant: `r_${at}` };
    await ledger.tried(target, null, null, by);
    // What the run before has begun is over by now.
    await ledger.ended(target, 1, 2, { tenant: `r_${at - 1}` });
  }
  await ledger.tried({ host: "other.example.org", port: 443 }, null, null);
  await ledger.close();
  expect(told.every(({ host, tenant }) => host !== "*" && (tenant !== undefined || host.startsWith("other")))).toBe(
    true,
  );
  expect(told.filter(({ type }) => type === "egress.try")).toHaveLength(hostsApartMax + 11);
});

test("[EG10] of many to one host the first are told one by one, the rest together after a while", async () => {
  const { ledger, told, clock } = made();
  for (let at = 0; at < toldSinglyMax + 1000; at++) await ledger.tried(target, null, "not-listed");
  expect(told).toHaveLength(toldSinglyMax);
  await ledger.tried(target, "93.184.216.34", null);
  await ledger.ended(target, 1, 2);
  clock.advance(30_000);
  expect(told.slice(toldSinglyMax)).toMatchObject([
    { type: "egress.sum", connections: 1, refusals: 1000, bytesOut: 1, bytesIn: 2 },
  ]);
});

test("[EG10] of many hosts the first are told apart, all others together", async () => {
  const { ledger, told } = made();
  for (let at = 0; at < hostsApartMax + 500; at++) {
    await ledger.tried({ host: `h${at}.example.org`, port: 443 }, null, "not-listed");
  }
  expect(told).toHaveLength(hostsApartMax);
  await ledger.close();
  expect(told.slice(hostsApartMax)).toMatchObject([{ type: "egress.sum", host: "*", port: 0, refusals: 500 }]);
});
