// Five agents that all want the change log, pairwise want the same file, and try the whole with the one test there is.

type Piece = { readonly path: string; readonly find: string; readonly replace: string };
type Sample = { readonly title: string; readonly note: string; readonly pieces: readonly Piece[] };

const samples: readonly Sample[] = [
  {
    title: "Sell cherries",
    note: "Cherries.",
    pieces: [{ path: "lib/prices.sh", find: "price_plum=20\n", replace: "price_plum=20\nprice_cherry=60\n" }],
  },
  {
    title: "Pears are cheaper in autumn",
    note: "Pears cost 40.",
    pieces: [{ path: "lib/prices.sh", find: "price_pear=45", replace: "price_pear=40" }],
  },
  {
    title: "Send overseas",
    note: "Parcels go overseas.",
    pieces: [
      { path: "lib/shipping.sh", find: "shipping_far=900\n", replace: "shipping_far=900\nshipping_overseas=2500\n" },
    ],
  },
  {
    title: "Free shipping next door",
    note: "Shipping next door is free.",
    pieces: [
      { path: "lib/shipping.sh", find: "shipping_near=300", replace: "shipping_near=0" },
      { path: "lib/tax.sh", find: "tax_other=19", replace: "tax_other=20" },
    ],
  },
  {
    title: "A tax on plums",
    note: "Plums are taxed.",
    pieces: [
      { path: "lib/tax.sh", find: "tax_food=7\n", replace: "tax_food=7\ntax_plum=9\n" },
      { path: "lib/prices.sh", find: "price_apple=30", replace: "price_apple=32" },
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
        { edit: { path: "lib/stock.sh", find: "stock_apple=120", replace: "stock_apple=96" } },
        { say: "Counting the pears; this takes a while" },
        { sleep: "15m" },
      ],
      ["file:lib/stock.sh"],
    ),
    toScript("Sell out the plums", [
      { claim: "file:lib/stock.sh" },
      { edit: { path: "lib/stock.sh", find: "stock_plum=300", replace: "stock_plum=0" } },
      { process: "test" },
    ]),
  ];
}

function toScript(title: string, steps: readonly object[], plan: readonly string[] = []): DemoScript {
  return { title, script: JSON.stringify({ task: title, plan, steps }) };
}
