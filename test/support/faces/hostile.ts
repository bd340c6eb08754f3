// What nobody decent sends: wrong types, hostile names and paths, too much, too deep, twice.

import fc from "fast-check";
import { inputSchemaOf } from "../../../src/protocol/openapi.ts";
import { type OperationName, operationNames, operations } from "../../../src/protocol/operations.ts";

const hostileTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\u202egnp.exe",
  "..",
  "../../etc/passwd",
  "/etc/passwd",
  "..\\..\\windows",
  "file:",
  "file:/etc/passwd",
  "file:a/../../b",
  "dir:..",
  "dir:",
  "process:",
  "process:-rf",
  "process:a b",
  "socket:x",
  "file:\u0000",
  "file:a\nb",
  `file:${"a/".repeat(500)}`,
  `file:${"x".repeat(5000)}`,
  "__proto__",
  "constructor",
  "toString",
  "p_1",
  "r_1",
  "r_zzzzzzzzzzzzzzzzzzzz",
  "c_1",
  "$(reboot)",
  "; rm -rf /",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "%00%2e%2e%2f",
  "1e999",
  "NaN",
  "true",
  "null",
  "x".repeat(70_000),
  "\u0130\u0131\u00df\ufb03",
  "{}",
  "[]",
];
const hostileNumbers = [
  0,
  -1,
  -0,
  1.5,
  1e21,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  2 ** 53,
];

/** Anything that JSON can say, and preferably something nasty. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...hostileNumbers) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: 1 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...hostileTexts), { maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 50 }) },
);

/** Values that exist in the world of the test, so that requests get past the first check. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  project: ["demo", "nobody"],
  run: ["r_zz"],
  task: ["t_zz"],
  claim: ["c_zz"],
  units: [["file:held"], ["dir:"], ["process:test"]],
  unit: ["process:test", "file:held"],
  name: ["careful", "another"],
  as: ["ann", "bob"],
  root: ["/", "/tmp", "/nowhere/at/all"],
  script: ["task: x\nsteps: []\n", "steps: &a [*a]", "task: [", "a: &a [x]\nb: [*a,*a,*a]"],
  message: ["no"],
  text: ["yes"],
  rules: [{}],
  tag: ["blue"],
  waitMs: [0],
  mode: ["try"],
};

export type HostileCall = { readonly op: OperationName; readonly input: Record<string, unknown> };

/** A call in which at least something is not as it should be; now and then it is right by chance. */
export const hostileCall: fc.Arbitrary<HostileCall> = fc.constantFrom(...operationNames).chain((op) => {
  const fields = Object.keys(inputSchemaOf(operations[op])["properties"] ?? {});
  const entries = fields.map((name) =>
    fc
      .oneof(
        { weight: 6, arbitrary: fc.constantFrom(...(known[name] ?? [undefined])) },
        { weight: 3, arbitrary: junk },
        { weight: 2, arbitrary: fc.constant(undefined) },
      )
      .map((value) => [name, value] as const),
  );
  const extra = fc.option(fc.tuple(fc.constantFrom("nonsense", "__proto__", "constructor", "id"), junk), { freq: 5 });
  return fc.tuple(fc.tuple(...entries), extra).map(([pairs, more]) => {
    const given = pairs.filter(([, value]) => value !== undefined);
    // A wait would only make the test slow.
    const input = Object.fromEntries(more === null ? given : [...given, more]) as Record<string, unknown>;
    if (typeof input["waitMs"] === "number" && input["waitMs"] > 0) input["waitMs"] = 1;
    else if (op === "run.wait") input["waitMs"] = 0;
    return { op, input };
  });
});

/** Text that looks like JSON from afar. */
export const almostJson: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.json().map((text) => text.slice(0, Math.max(0, text.length - 1))),
  fc.json().map((text) => `${text}${text}`),
  fc.constantFrom(
    "",
    "{",
    "[",
    '"',
    "nul",
    "{]",
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":{}}',
    "[1,]",
    "01",
    "'x'",
    "\ufeff{}",
    '{"a":"\\ud800"}',
  ),
  fc.integer({ min: 33, max: 200_000 }).map((depth) => "[".repeat(depth)),
  fc.integer({ min: 33, max: 50_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`),
  fc.constant(`"${"x".repeat(1_100_000)}"`),
);
