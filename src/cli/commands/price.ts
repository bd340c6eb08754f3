// What models cost: listing it, and saying otherwise.

import { showDollars } from "../../protocol/dollars.ts";
import type { Price } from "../../protocol/wire/model.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { parseDollarAmount, parseNonEmpty } from "../parse-args.ts";
import { toSafeLine } from "../text/safe-text.ts";

const model = {
  parse: parseNonEmpty,
  placeholder: "MODEL",
  brief: "How names of models begin, such as gpt-5.",
} as const;
const dollars = { kind: "parsed", parse: parseDollarAmount, placeholder: "DOLLARS" } as const;

export const priceList = defineCommand({
  usage: "",
  about: `In dollars for a million tokens. A price speaks of every model whose name begins so, up to a dash; the longest name
decides. What you set goes before what is built in. A model without a price is said to have an unknown cost.`,
  examples: [["price list", "See what is reckoned with."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("price.list", {});
    if (json) return cli.out.json(answer);
    cli.out.table(
      [
        { title: "MODEL" },
        { title: "INPUT", align: "right" },
        { title: "OUTPUT", align: "right" },
        { title: "CACHE READ", align: "right" },
        { title: "CACHE WRITE", align: "right" },
        { title: "FROM" },
      ],
      answer.prices.map((price) => [toSafeLine(price.model), ...amountsOf(price), price.from]),
    );
  },
});

type SetFlags = CommonFlags & {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

export const priceSet = defineCommand<SetFlags, [string]>({
  usage: "MODEL --input DOLLARS --output DOLLARS [--cache-read DOLLARS] [--cache-write DOLLARS]",
  about: "In dollars for a million tokens. It counts from now on; what was spent stays as it was.",
  examples: [
    ["price set gpt-5 --input 1.25 --output 10 --cache-read 0.125", "All models whose names begin so."],
    ["price set qwen3-coder --input 0 --output 0", "A model of your own that costs nothing."],
  ],
  parameters: {
    flags: {
      input: { ...dollars, brief: "For the prompt." },
      output: { ...dollars, brief: "For the answer." },
      cacheRead: {
        ...dollars,
        optional: true,
        brief: "For the part of the prompt from the cache. Left out: as --input.",
      },
      cacheWrite: { ...dollars, optional: true, brief: "For the part written to the cache. Left out: as --input." },
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [model] },
  },
  async run(cli, { input, output, cacheRead, cacheWrite, json }, name) {
    const price = {
      model: name,
      inputMicros: input,
      outputMicros: output,
      cacheReadMicros: cacheRead ?? input,
      cacheWriteMicros: cacheWrite ?? input,
    };
    await cli.link.call("price.set", price);
    if (json) return cli.out.json(price);
    cli.out.print(`${toSafeLine(name)}: ${showDollars(input)} in, ${showDollars(output)} out, for a million tokens.`);
  },
});

export const priceRemove = defineCommand<CommonFlags, string[]>({
  usage: "MODEL…",
  about: "Where there is a built-in price, that counts again.",
  examples: [["price remove qwen3-coder", "Forget what you said of it."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", minimum: 1, parameter: model } },
  run: (cli, { json }, ...names) =>
    forEach(
      cli,
      names,
      json,
      async (name) => {
        await cli.link.call("price.remove", { model: name });
        return `The price of ${toSafeLine(name)} is removed.`;
      },
      "prices",
    ),
});

function amountsOf(price: Price): string[] {
  const { inputMicros, outputMicros, cacheReadMicros, cacheWriteMicros } = price;
  return [inputMicros, outputMicros, cacheReadMicros, cacheWriteMicros].map(showDollars);
}
