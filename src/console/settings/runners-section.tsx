import { type ReactNode, useMemo, useState } from "react";
import type { InputOf, OutputOf } from "../../protocol/operations.ts";
import type { Runner } from "../../protocol/wire/runner.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import type { Look } from "../model/agent-signals.ts";
import { toShell } from "../model/shell-text.ts";
import { toRunnerCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Facts } from "../parts/facts.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { Editor } from "./editor.tsx";
import { PastPanel } from "./past-panel.tsx";
import { RunnerPresets } from "./runner-presets.tsx";
import { RunnerPrices } from "./runner-prices.tsx";
import { RunnerSubscription } from "./runner-subscription.tsx";
import { SettingList } from "./setting-list.tsx";
import { useKnownFields } from "./use-known.ts";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

const nothing = {};

/** Who can do the work: what is installed, what pays for it, and whether its model answers. */
export function RunnersSection(): ReactNode {
  const { item } = useAddress();
  const newest = useNewest(({ type }) => type.startsWith("runner.") || type.startsWith("preset."));
  const { value, trouble, again } = useAsked({
    subject: "runners",
    stamp: newest,
    ask: async (client, signal) => (await client.call("runner.list", {}, { signal })).runners,
  });
  const rows = useMemo(
    () =>
      value?.map((runner) => ({ id: runner.name, name: runner.name, words: wordsOf(runner), look: lookOf(runner) })) ??
      null,
    [value],
  );
  const runner = value?.find(({ name }) => name === item);
  return (
    <>
      <SettingList title="Runners" rows={rows} trouble={trouble} again={again} one="runner" empty="" />
      <div className="setting-detail is-long">
        {item === newItem ? (
          <OwnRunner runner={undefined} />
        ) : runner === undefined ? (
          <Panel name={item === null ? "choose" : "setting"} title={item ?? "A runner"}>
            <Quiet
              title={item === null ? "Choose a runner, or define one by its command" : `There is no runner ${item}`}
            />
          </Panel>
        ) : (
          <>
            <OneRunner key={runner.name} runner={runner} />
            {runner.kind === "built-in" ? null : (
              <>
                <RunnerPresets key={`presets ${runner.name}`} runner={runner} onChange={again} />
                <RunnerSubscription key={`login ${runner.name}`} name={runner.name} onChange={again} />
                <RunnerPrices />
              </>
            )}
            {runner.own === null ? null : (
              <>
                <OwnRunner key={runner.name} runner={runner} />
                <PastPanel noun="runner" name={ownNameOf(runner)} />
              </>
            )}
          </>
        )}
      </div>
    </>
  );
}

function OneRunner({ runner }: { readonly runner: Runner }): ReactNode {
  const can = Object.entries(runner.can)
    .filter(([, yes]) => yes)
    .map(([name]) => name);
  const presets = Object.entries(runner.presets).map(([name, model]) => `${name}: ${model}`);
  return (
    <Panel
      name="runner"
      title={runner.name}
      meta={runner.kind}
      end={runner.kind === "built-in" ? undefined : <Probe runner={runner} />}
    >
      <Facts
        facts={[
          ["State", <LookWord key="look" look={lookOf(runner)} />],
          ...(runner.missing === null ? [] : [["Missing", runner.missing] as const]),
          ...(runner.warning === null ? [] : [["Warning", runner.warning] as const]),
          ["Version", runner.version ?? "–"],
          ...(runner.tried === null ? [] : [["Tried with", `${runner.tried.from} to ${runner.tried.to}`] as const]),
          ["Program", runner.path ?? (runner.kind === "built-in" ? "part of the daemon" : "not found")],
          [
            "Credential",
            runner.credential === null ? "none" : `${runner.credential.name}, from the ${runner.credential.from}`,
          ],
          ...(runner.way === null ? [] : [["Spoken to by", `${runner.name} ${runner.way}`] as const]),
          ["Can", can.length === 0 ? "–" : can.join(", ")],
          ...(presets.length === 0 ? [] : [["Presets", presets.join("; ")] as const]),
        ]}
      />
    </Panel>
  );
}

/** Asks its model for one token. It costs next to nothing, and says what is in the way. */
function Probe({ runner }: { readonly runner: Runner }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const [answer, setAnswer] = useState<OutputOf<"runner.probe"> | "asking" | null>(null);
  const probe = (): void => {
    setAnswer("asking");
    client
      .call("runner.probe", { runner: runner.name })
      .then(setAnswer)
      .catch((error: unknown) =>
        setAnswer({
          ok: false,
          model: null,
          status: null,
          why: error instanceof Error ? error.message : String(error),
        }),
      );
  };
  return (
    <>
      <span
        role="status"
        className={answer !== null && answer !== "asking" && !answer.ok ? "a-stop" : "dim"}
        title={answer === null || answer === "asking" ? undefined : (answer.why ?? undefined)}
      >
        {answer === null
          ? ""
          : answer === "asking"
            ? "Asking …"
            : answer.ok
              ? `${answer.model ?? "It"} answers`
              : (answer.why ?? "no answer")}
      </span>
      <Button size="small" disabled={!isLive || answer === "asking"} onClick={probe}>
        Probe
      </Button>
    </>
  );
}

function OwnRunner({ runner }: { readonly runner: Runner | undefined }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { fields: described, trouble, again } = useFields("runner.set");
  const fields = useKnownFields(described);
  const { say, attempt } = useSettingActs();
  const own = runner?.own ?? null;
  const name = runner === undefined ? "" : ownNameOf(runner);
  const set = (value: object): Promise<unknown> => client.call("runner.set", value as InputOf<"runner.set">);
  const save = async (value: Record<string, unknown>): Promise<void> => {
    await set(value);
    const made = String(value["name"]);
    say({
      title: `runner acp:${made} is ${own === null ? "defined" : "changed"}`,
      command: toRunnerCommand(value),
      undo: () => (own === null ? client.call("runner.remove", { name: made }) : set({ name, ...own })),
    });
    goTo({ item: `acp:${made}` }, "replace");
  };
  const remove = (): void =>
    attempt(`remove acp:${name}`, async () => {
      await client.call("runner.remove", { name });
      say({
        title: `runner acp:${name} is removed`,
        command: `signalbox runners remove ${toShell(name)}`,
        undo: () => set({ name, ...own }),
      });
      goTo({ item: null }, "replace");
    });
  return (
    <Panel
      name="setting"
      title={own === null ? "A new runner" : "How it is defined"}
      meta="any program that speaks ACP"
    >
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="How the runner is defined">
        {fields === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <Editor
            fields={own === null ? fields : fields.filter(({ path }) => path !== "name")}
            value={own ?? nothing}
            save={own === null ? "Define the runner" : "Save"}
            onSave={(value) => save(own === null ? value : { name, ...value })}
            end={
              own === null ? undefined : (
                <Button look="danger" disabled={!isLive} onClick={remove}>
                  Remove
                </Button>
              )
            }
          />
        )}
      </div>
    </Panel>
  );
}

function ownNameOf({ name }: Runner): string {
  return name.replace(/^acp:/, "");
}

function lookOf({ kind, missing, warning, credential }: Runner): Look {
  if (missing !== null) return { word: "Missing", icon: "stopped", tone: "rest" };
  if (kind === "assistant" && credential === null) return { word: "No credential", icon: "blocked", tone: "wait" };
  if (warning !== null) return { word: "Look at it", icon: "blocked", tone: "wait" };
  return { word: "Ready", icon: "done", tone: "go" };
}

function wordsOf({ kind, version, credential, missing }: Runner): string {
  if (kind === "built-in") return "built in";
  const paid = credential === null ? "no credential" : `credential from the ${credential.from}`;
  return missing === null ? `${version ?? "version unknown"}, ${paid}` : "not on this machine";
}
