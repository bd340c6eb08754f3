// Five agents that all want the change log, pairwise want the same file, and try the whole with the one test there is.

type Piece = { readonly path: string; readonly find: string; readonly replace: string };
type Sample = { readonly title: string; readonly note: string; readonly pieces: readonly Piece[] };

const samples: readonly Sample[] = [
  {
    title: "Sell cherries",
    note: "Cherries.",
    pieces: [
      {
        path: "src/prices.ts",
        find: "export const pricePlum = 20;\n",
        replace: "export const pricePlum = 20;\nexport const priceCherry = 60;\n",
      },
    ],
  },
  {
    title: "Pears are cheaper in autumn",
    note: "Pears cost 40.",
    pieces: [{ path: "src/prices.ts", find: "pricePear = 45;", replace: "pricePear = 40;" }],
  },
  {
    title: "Send overseas",
    note: "Parcels go overseas.",
    pieces: [
      {
        path: "src/shipping.ts",
        find: "export const shippingFar = 900;\n",
        replace: "export const shippingFar = 900;\nexport const shippingOverseas = 2500;\n",
      },
    ],
  },
  {
    title: "Free shipping next door",
    note: "Shipping next door is free.",
    pieces: [
      { path: "src/shipping.ts", find: "shippingNear = 300;", replace: "shippingNear = 0;" },
      { path: "src/tax.ts", find: "taxOther = 19;", replace: "taxOther = 20;" },
    ],
  },
  {
    title: "A tax on plums",
    note: "Plums are taxed.",
    pieces: [
      {
        path: "src/tax.ts",
        find: "export const taxFood = 7;\n",
        replace: "export const taxFood = 7;\nexport const taxPlum = 9;\n",
      },
      { path: "src/prices.ts", find: "priceApple = 30;", replace: "priceApple = 32;" },
    ],
  },
];

export type DemoScript = { readonly title: string; readonly script: string };

/** The scripts, as people write them: JSON is YAML. */
export function demoScripts(): DemoScript[] {
  return samples.map(({ title, note, pieces }) =>
    toScript(title, [
      ...pieces.map((piece) => ({ edit: piece })),
      { sleep: "400ms" },
      {
        edit: { path: "CHANGELOG.md", find: "## Unreleased\n\n", replace: `## Unreleased\n\n- ${note}\n` },
      },
      { process: "test" },
      { say: `${title}: tried and ready to land` },
    ]),
  );
}

/** Three that stay: one to be reviewed, because others execute what it changed, one that works on, and one that waits for it. */
export function stayingScripts(): DemoScript[] {
  const workflow = ".github/workflows/test.yml";
  return [
    toScript("Try pull requests, too", [
      { edit: { path: workflow, find: "on: [push]", replace: "on: [push, pull_request]" } },
      { edit: { path: workflow, find: "timeout-minutes: 30", replace: "timeout-minutes: 5" } },
      { say: "Two changes to the workflow: others execute it, so it waits for you" },
    ]),
    // It is let in with what it planned, so that the next one comes second however fast it starts.
    toScript(
      "Count the stock",
      [
        { edit: { path: "src/app.ts", find: "stockApple = 120;", replace: "stockApple = 96;" } },
        { say: "Counting the pears; this takes a while" },
        { sleep: "15m" },
      ],
      ["file:src/app.ts"],
    ),
    toScript("Sell out the plums", [
      { claim: "file:src/app.ts" },
      { edit: { path: "src/app.ts", find: "stockPlum = 300;", replace: "stockPlum = 0;" } },
      { process: "test" },
    ]),
  ];
}

function toScript(title: string, steps: readonly object[], plan: readonly string[] = []): DemoScript {
  return { title, script: JSON.stringify({ task: title, plan, steps }) };
}
