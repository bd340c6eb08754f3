// `npm run bench`: each row compares us with what people would use instead, in one run, as a ratio.

import { parseArgs } from "node:util";
import { buildProgram } from "../scripts/build-program.ts";
import { Prng } from "../src/base/prng.ts";
import { hasChromium } from "../test/support/console-rig.ts";
import { missedAims, toConsoleText } from "./console/console-report.ts";
import { fullTrace, quickTrace, traceConsole } from "./console/console-trace.ts";
import { openProbes } from "./harness/probes.ts";
import { type RowResult, runRow } from "./harness/run-row.ts";
import { AssistantGround } from "./peers/assistant-ground.ts";
import { Peers } from "./peers/peers.ts";
import { fetchMissing } from "./peers/programs.ts";
import { toSummary, toText } from "./report.ts";
import { fullScale, type RowMaker, tinyScale } from "./rows/row-maker.ts";
import { allRows } from "./rows/rows.ts";

const help = `npm run bench [-- options]

  --only row,row   rows by name; the start of a name up to a dash picks several
  --rounds N       rounds per row (9; 3 with --quick)
  --quick          few rounds and small logs: to see that it works, not how fast
  --fetch          get missing peers as Debian packages, without asking
  --gate           exit with 1 when an aim is not met
  --json           print the results as JSON
  --console        instead of rows: the console over a thousand agents, in a browser; --trace FILE keeps what it recorded

rows: ${allRows.map((row) => row.name).join(", ")}`;

const sliceMs = 250;
/** A daemon lives for weeks; in its first seconds it is compiled while it works, and that is not what is asked here. */
const warmUpMs = 3000;
const closeMsMax = 8000;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: "" },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      fetch: { type: "boolean", default: false },
      gate: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      console: { type: "boolean", default: false },
      trace: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.console && !values.help) return benchConsole(values);
  await buildProgram();
  const wanted = values.only.split(",").filter(Boolean);
  const isWanted = ({ name }: RowMaker): boolean =>
    wanted.length === 0 || wanted.some((each) => name === each || name.startsWith(`${each}-`));
  const isMissing = ({ assistant }: RowMaker): boolean => assistant !== undefined && !AssistantGround.isThere();
  const chosen = allRows.filter(isWanted);
  const rows = chosen.filter((row) => !isMissing(row));
  for (const { name, assistant } of chosen.filter(isMissing))
    console.error(`left out: ${name}: there is no ${assistant}; node scripts/assistants.ts fetches it`);
  const rounds = Number(values.rounds ?? (values.quick ? 3 : 9));
  if (values.help || rows.length === 0 || !Number.isInteger(rounds) || rounds < 1) {
    console.log(help);
    return values.help ? 0 : 2;
  }

  await fetchMissing([...new Set(rows.flatMap((row) => row.programs))], values.fetch);
  const peers = new Peers();
  const probes = openProbes(peers.folder);
  const close = async (): Promise<void> => {
    probes.close();
    await peers.close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(130), closeMsMax);
      void close().then(() => process.exit(130));
    });
  }

  const world = { nowMs: () => performance.now(), prng: new Prng(Date.now()), probe: probes.read };
  const results: RowResult[] = [];
  try {
    for (const { make } of rows) {
      const row = await make(peers, values.quick ? tinyScale : fullScale);
      const result = await runRow(row, { rounds, sliceMs, ...(values.quick ? {} : { warmUpMs }) }, world);
      await row.close();
      results.push(result);
      if (!values.json) console.log(toText(result));
    }
  } finally {
    await close();
  }
  console.log(values.json ? JSON.stringify(results, null, 2) : toSummary(results));
  const isMissed = results.some((result) => result.compared.some((each) => each.verdict === "not met"));
  return values.gate && isMissed ? 1 : 0;
}

/** The console has aims of its own, and nobody beside it. */
async function benchConsole(wanted: {
  readonly quick: boolean;
  readonly json: boolean;
  readonly gate: boolean;
  readonly trace?: string;
}): Promise<number> {
  if (!hasChromium()) {
    console.error("there is no Chromium at /usr/bin/chromium; SIGNALBOX_CHROMIUM may name another");
    return 1;
  }
  const result = await traceConsole({ ...(wanted.quick ? quickTrace : fullTrace), traceFile: wanted.trace });
  console.log(wanted.json ? JSON.stringify(result, null, 2) : toConsoleText(result));
  return wanted.gate && missedAims(result).length > 0 ? 1 : 0;
}
