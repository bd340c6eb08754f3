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

/** The scripts, as people write them: JSON is YAML. */
export function demoScripts(): { readonly title: string; readonly script: string }[] {
  return samples.map(({ title, note, pieces }) => {
    const steps = [
      ...pieces.map((piece) => ({ edit: piece })),
      { sleep: "400ms" },
      {
        edit: { path: "CHANGELOG.md", find: "## Unreleased\n\n", replace: `## Unreleased\n\n- ${note}\n` },
      },
      { process: "test" },
      { say: `${title}: tried and ready to land` },
    ];
    return { title, script: JSON.stringify({ task: title, steps }) };
  });
}
