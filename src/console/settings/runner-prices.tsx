import { type ReactNode, type SubmitEvent, useState } from "react";
import { parseDollars, showDollars } from "../../protocol/dollars.ts";
import type { Price } from "../../protocol/wire/model.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toShell } from "../model/shell-text.ts";
import { toPlainDollars, toPriceCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Finding } from "../parts/form.tsx";
import { Panel } from "../parts/panel.tsx";
import { useSettingActs } from "./use-setting-acts.ts";

type Draft = {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  /** Empty: as for what is not from the cache. */
  readonly cacheRead: string;
  readonly cacheWrite: string;
};
const nothing: Draft = { model: "", input: "", output: "", cacheRead: "", cacheWrite: "" };

/** What models cost, what people have set first; another can be set, and one of theirs be taken away. */
export function RunnerPrices(): ReactNode {
  const newest = useNewest(({ type }) => type.startsWith("price."));
  const [draft, setDraft] = useState<Draft>(nothing);
  const { value, trouble, again } = useAsked({
    subject: "prices",
    stamp: newest,
    ask: async (client, signal) => (await client.call("price.list", {}, { signal })).prices,
  });
  const prices = value?.toSorted((a, b) => Number(a.from === "built-in") - Number(b.from === "built-in"));
  return (
    <Panel name="prices" title="Prices" meta="for a million tokens">
      {prices === undefined ? (
        <Awaited what="Reading the prices" trouble={trouble} again={again} />
      ) : (
        <ul className="setting-lines prices" tabIndex={0} aria-label="Prices">
          {prices.map((price) => (
            <PriceRow key={`${price.model} ${price.from}`} price={price} onChoose={() => setDraft(toDraft(price))} />
          ))}
        </ul>
      )}
      <PriceForm draft={draft} onDraft={setDraft} prices={value ?? []} />
    </Panel>
  );
}

function PriceRow({ price, onChoose }: { readonly price: Price; readonly onChoose: () => void }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { say, attempt } = useSettingActs();
  const { model, inputMicros, outputMicros, from } = price;
  const remove = (): void =>
    attempt(`take away the price of ${model}`, async () => {
      await client.call("price.remove", { model });
      say({
        title: `the price of ${model} is taken away`,
        command: `signalbox price remove ${toShell(model)}`,
        undo: () => client.call("price.set", toSet(price)),
      });
    });
  return (
    <li className="setting-line" data-price={model} data-from={from}>
      <span className="price-model">{model}</span>
      <span className="num">
        {showDollars(inputMicros)} in, {showDollars(outputMicros)} out
      </span>
      <span className="dim">{from === "person" ? "set here" : "built in"}</span>
      <Button size="small" onClick={onChoose}>
        Change
      </Button>
      {from === "person" ? (
        <Button size="small" look="danger" disabled={!isLive} onClick={remove}>
          Remove
        </Button>
      ) : null}
    </li>
  );
}

function PriceForm(props: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly prices: readonly Price[];
}): ReactNode {
  const { draft, onDraft, prices } = props;
  const { client } = useBox();
  const isLive = useIsLive();
  const { say } = useSettingActs();
  const [refused, setRefused] = useState<string | null>(null);
  const model = draft.model.trim();
  const inputMicros = parseDollars(draft.input);
  const outputMicros = parseDollars(draft.output);
  const cacheReadMicros = parseDollars(draft.cacheRead);
  const cacheWriteMicros = parseDollars(draft.cacheWrite);
  const isRight = (text: string, micros: number | undefined): boolean => text.trim() === "" || micros !== undefined;
  const isReady =
    isLive &&
    model !== "" &&
    inputMicros !== undefined &&
    outputMicros !== undefined &&
    isRight(draft.cacheRead, cacheReadMicros) &&
    isRight(draft.cacheWrite, cacheWriteMicros);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    setRefused(null);
    const before = prices.find((price) => price.model === model && price.from === "person");
    const price = {
      ...{ model, inputMicros, outputMicros },
      ...(cacheReadMicros === undefined ? {} : { cacheReadMicros }),
      ...(cacheWriteMicros === undefined ? {} : { cacheWriteMicros }),
    };
    client
      .call("price.set", price)
      .then(() => {
        say({
          title: `${model} costs ${showDollars(inputMicros)} in and ${showDollars(outputMicros)} out`,
          command: toPriceCommand(price),
          undo: () =>
            before === undefined ? client.call("price.remove", { model }) : client.call("price.set", toSet(before)),
        });
        onDraft(nothing);
      })
      .catch((error: unknown) => setRefused(error instanceof Error ? error.message : String(error)));
  };
  const field = (name: keyof Draft, label: string, placeholder: string): ReactNode => (
    <label>
      <span>{label}</span>
      <input
        value={draft[name]}
        placeholder={placeholder}
        maxLength={128}
        spellCheck={false}
        inputMode={name === "model" ? "text" : "decimal"}
        onChange={({ target }) => onDraft({ ...draft, [name]: target.value })}
      />
    </label>
  );
  return (
    <form className="setting-line price-form" onSubmit={save} aria-label="What a model costs">
      {field("model", "Model", "gpt-5")}
      {field("input", "Dollars in", "1.25")}
      {field("output", "Dollars out", "10")}
      {field("cacheRead", "Cache read", "as in")}
      {field("cacheWrite", "Cache write", "as in")}
      <Button submits size="small" disabled={!isReady}>
        Set the price
      </Button>
      {refused === null ? null : <Finding text={refused} />}
    </form>
  );
}

/** All of it: what is left out of a price is not what it was before. */
function toDraft({ model, inputMicros, outputMicros, cacheReadMicros, cacheWriteMicros }: Price): Draft {
  return {
    ...{ model, input: toPlainDollars(inputMicros), output: toPlainDollars(outputMicros) },
    ...{ cacheRead: toPlainDollars(cacheReadMicros), cacheWrite: toPlainDollars(cacheWriteMicros) },
  };
}

function toSet({ from: _, ...price }: Price): Omit<Price, "from"> {
  return price;
}
