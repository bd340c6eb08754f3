import { type ReactNode, useMemo } from "react";
import type { Client } from "../../client/client.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toShell } from "../model/shell-text.ts";
import { toSetCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { Editor } from "./editor.tsx";
import { PastPanel } from "./past-panel.tsx";
import { SettingList } from "./setting-list.tsx";
import { useKnownFields } from "./use-known.ts";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

const nothing = {};

/** What is set under a name and replaced as a whole: policies and profiles. */
export function NamedSection<T extends { readonly name: string }>(props: {
  readonly noun: "policy" | "profile";
  readonly title: string;
  readonly empty: string;
  readonly set: "policy.set" | "profile.set";
  readonly read: (client: Client, signal: AbortSignal) => Promise<readonly T[]>;
  readonly wordsOf: (one: T) => string;
  readonly onSet: (client: Client, value: Record<string, unknown>) => Promise<unknown>;
  readonly onRemove: (client: Client, name: string) => Promise<unknown>;
}): ReactNode {
  const { noun, title, empty, set, read, wordsOf, onSet, onRemove } = props;
  const { client } = useBox();
  const { item } = useAddress();
  const isLive = useIsLive();
  const { say, attempt } = useSettingActs();
  const { fields: described, trouble: noFields, again: readFields } = useFields(set);
  const fields = useKnownFields(described);
  const newest = useNewest(({ type }) => type.startsWith(`${noun}.`));
  const { value: all, trouble, again } = useAsked({ subject: noun, stamp: newest, ask: read });
  const rows = useMemo(
    () => all?.map((one) => ({ id: one.name, name: one.name, words: wordsOf(one) })) ?? null,
    [all, wordsOf],
  );
  const one = all?.find(({ name }) => name === item);

  const save = async (value: Record<string, unknown>): Promise<void> => {
    await onSet(client, value);
    const name = String(value["name"]);
    const before = all?.find((each) => each.name === name);
    say({
      title: `${noun} ${name} is ${before === undefined ? "made" : "changed"}`,
      command: toSetCommand(noun, value),
      undo: () => (before === undefined ? onRemove(client, name) : onSet(client, { ...before })),
    });
    goTo({ item: name }, "replace");
  };
  const remove = (gone: T): void =>
    attempt(`remove ${gone.name}`, async () => {
      await onRemove(client, gone.name);
      say({
        title: `${noun} ${gone.name} is removed`,
        command: `signalbox ${noun} rm ${toShell(gone.name)}`,
        undo: () => onSet(client, { ...gone }),
      });
      goTo({ item: null }, "replace");
    });

  return (
    <>
      <SettingList title={title} rows={rows} trouble={trouble} again={again} one={noun} empty={empty} />
      <div className="setting-detail">
        {item === null || (one === undefined && item !== newItem) ? (
          <Panel name={item === null ? "choose" : "setting"} title={item ?? `A ${noun}`}>
            <Quiet title={item === null ? `Choose a ${noun}, or make one` : `There is no ${noun} ${item}`}>
              {item === null ? undefined : "It was removed. What happened to it is below."}
            </Quiet>
          </Panel>
        ) : (
          <Panel
            name="setting"
            title={one?.name ?? `A new ${noun}`}
            end={
              one === undefined ? undefined : (
                <CopyButton
                  text={`signalbox ${noun} show ${toShell(one.name)}`}
                  label="Copy the command that shows it"
                />
              )
            }
          >
            <div className="setting-scroll" tabIndex={0} role="group" aria-label={`What the ${noun} says`}>
              {fields === null ? (
                <Awaited what="Reading which fields there are" trouble={noFields} again={readFields} />
              ) : (
                <Editor
                  key={one?.name ?? newItem}
                  fields={one === undefined ? fields : fields.filter(({ path }) => path !== "name")}
                  value={one ?? nothing}
                  save={one === undefined ? `Make the ${noun}` : "Save"}
                  onSave={(value) => save(one === undefined ? value : { name: one.name, ...value })}
                  end={
                    one === undefined ? undefined : (
                      <Button look="danger" disabled={!isLive} onClick={() => remove(one)}>
                        Remove
                      </Button>
                    )
                  }
                />
              )}
            </div>
          </Panel>
        )}
        {item === null || item === newItem ? null : <PastPanel noun={noun} name={item} />}
      </div>
    </>
  );
}
