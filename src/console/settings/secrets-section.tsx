import { type ReactNode, type SubmitEvent, useId, useMemo, useState } from "react";
import type { Secret } from "../../protocol/wire/model.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useTicks } from "../live/use-ticks.ts";
import { toShell } from "../model/shell-text.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { Finding } from "../parts/form.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { SettingList } from "./setting-list.tsx";
import { useSettingActs } from "./use-setting-acts.ts";

/** No event tells of them: who sets one elsewhere is seen after a while. */
const againMs = 30_000;
const words = { store: "kept here", file: "from a file", environment: "from the environment" } as const;

/** What the daemon keeps for models and servers, by name. Nothing ever shows a value: one can only be written. */
export function SecretsSection(): ReactNode {
  const { item } = useAddress();
  const ticks = useTicks(againMs);
  const { value, trouble, again } = useAsked({
    subject: "secrets",
    stamp: ticks,
    ask: async (client, signal) => (await client.call("secret.list", {}, { signal })).secrets,
  });
  const rows = useMemo(
    () => value?.map((secret) => ({ id: secret.name, name: secret.name, words: wordsOf(secret) })) ?? null,
    [value],
  );
  const secret = value?.find(({ name }) => name === item);
  return (
    <>
      <SettingList
        title="Secrets"
        rows={rows}
        trouble={trouble}
        again={again}
        one="secret"
        empty="A secret pays for models, or lets a server of tools in. Agents never see one."
      />
      <div className="setting-detail">
        {item === newItem || secret !== undefined ? (
          <OneSecret key={secret?.name ?? newItem} secret={secret} onChange={again} />
        ) : (
          <Panel name={item === null ? "choose" : "setting"} title={item ?? "A secret"}>
            <Quiet title={item === null ? "Choose a secret, or keep one" : `There is no secret ${item}`}>
              Names are shown, and where each comes from; values never are.
            </Quiet>
          </Panel>
        )}
      </div>
    </>
  );
}

function OneSecret({
  secret,
  onChange,
}: {
  readonly secret: Secret | undefined;
  readonly onChange: () => void;
}): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { say, attempt } = useSettingActs();
  const [written, setWritten] = useState("");
  const [value, setValue] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const id = useId();
  const name = secret?.name ?? written.trim();
  const command = `signalbox secret set ${toShell(name === "" ? "NAME" : name)}`;
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    setRefused(null);
    client
      .call("secret.set", { name, value })
      .then(() => {
        // It is nowhere on this page any more.
        setValue("");
        // No undo: the value that it had is known to nobody but the daemon.
        say({ title: `${name} is ${secret === undefined ? "kept" : "replaced"}`, command });
        onChange();
        goTo({ item: name }, "replace");
      })
      .catch((error: unknown) => setRefused(error instanceof Error ? error.message : String(error)));
  };
  const remove = (): void => {
    setAsked(false);
    attempt(`remove ${name}`, async () => {
      await client.call("secret.remove", { name });
      say({ title: `${name} is removed`, command: `signalbox secret remove ${toShell(name)}` });
      onChange();
      goTo({ item: null }, "replace");
    });
  };
  return (
    <Panel name="setting" title={secret?.name ?? "A new secret"} meta="its value is only ever written">
      {secret === undefined ? null : <SecretFacts secret={secret} />}
      <form className="form" onSubmit={save} aria-label="What it is">
        <div className="form-fields">
          {secret === undefined ? (
            <div className="form-field">
              <label htmlFor={`${id}-name`}>Name</label>
              <input
                id={`${id}-name`}
                value={written}
                maxLength={64}
                spellCheck={false}
                autoComplete="off"
                onChange={({ target }) => setWritten(target.value)}
              />
              <p className="form-help">In capitals, such as ANTHROPIC_API_KEY.</p>
            </div>
          ) : null}
          <div className="form-field wide">
            <label htmlFor={`${id}-value`}>{secret === undefined ? "Value" : "New value"}</label>
            <input
              id={`${id}-value`}
              type="password"
              value={value}
              maxLength={16_384}
              autoComplete="new-password"
              onChange={({ target }) => setValue(target.value)}
            />
            <p className="form-help">It is kept encrypted in the daemon's home and shown to nobody, not even here.</p>
          </div>
        </div>
        {refused === null ? null : <Finding text={refused} />}
        <Command text={command} />
        <div className="form-acts">
          <Button submits look="primary" disabled={!isLive || name === "" || value === ""}>
            {secret === undefined ? "Keep it" : "Replace it"}
          </Button>
          <span className="end">
            {secret?.from === "store" ? (
              <Button look="danger" disabled={!isLive} onClick={() => setAsked(true)}>
                Remove…
              </Button>
            ) : null}
          </span>
        </div>
      </form>
      {isAsked ? (
        <ConfirmDialog
          title={`Remove ${name}?`}
          command={`signalbox secret remove ${toShell(name)}`}
          keep="Keep it"
          go={`Remove ${name}`}
          onClose={() => setAsked(false)}
          onGo={remove}
        >
          <p>
            Nobody can read what it was: whoever wants it back has to have it elsewhere. What is paid for with it is not
            paid for any more.
          </p>
        </ConfirmDialog>
      ) : null}
    </Panel>
  );
}

function SecretFacts({ secret }: { readonly secret: Secret }): ReactNode {
  const { from, setAt, usedAtMs } = secret;
  return (
    <Facts
      facts={[
        ["Comes", words[from]],
        ...(setAt === null ? [] : [["Set", setAt.slice(0, 10)] as const]),
        ["Last used", usedAtMs === null ? "by no model request" : <Ago key="used" atMs={usedAtMs} />],
      ]}
    />
  );
}

function wordsOf({ from, setAt }: Secret): string {
  return setAt === null ? words[from] : `${words[from]}, set ${setAt.slice(0, 10)}`;
}
