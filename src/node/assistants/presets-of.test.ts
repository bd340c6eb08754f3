import { expect, test } from "vitest";
import { builtInPrices } from "../../core/budget/built-in-prices.ts";
import { providers } from "../relay/providers.ts";
import { presetsOf } from "./presets-of.ts";

const own = { name: "acp:mine", command: ["mine"], format: "openai-chat", credential: null, auth: null } as const;
const nowhere = { said: undefined, own: undefined, paid: [] } as const;

test("[PF15] a preset means a model of the maker that a runner asks, or what a person said", () => {
  expect(presetsOf({ provider: "openai" }, nowhere)).toEqual(providers.openai.presets);
  const said = { cheap: "house-model" };
  expect(presetsOf({ provider: "openai" }, { ...nowhere, said })).toEqual({ ...providers.openai.presets, ...said });
});

test("[PF15] one that asks several makers asks the first that is paid; of models elsewhere nobody knows the names", () => {
  expect(presetsOf({ provider: null }, { ...nowhere, paid: ["gemini", "openai"] })).toMatchObject({
    cheap: `gemini/${providers.gemini.presets.cheap}`,
  });
  expect(presetsOf({ provider: null }, nowhere)).toEqual({});
  const elsewhere = { ...own, baseUrl: "https://models.example", env: {}, files: [] };
  expect(presetsOf({ provider: "openai" }, { ...nowhere, own: elsewhere })).toEqual({});
  expect(presetsOf({ provider: "openai" }, { ...nowhere, own: { ...elsewhere, baseUrl: null } })).toEqual(
    providers.openai.presets,
  );
});

test("[PF15] each of them has a price that is built in", () => {
  const priced = new Set(builtInPrices.map(({ model }) => model));
  const meant = Object.values(providers).flatMap(({ presets }) => Object.values(presets));
  expect(meant.filter((model) => !priced.has(model))).toEqual([]);
});
