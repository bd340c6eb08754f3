import type { ReactNode } from "react";
import type { Look } from "../model/agent-signals.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { LookWord } from "../parts/look-word.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";

export type SettingRow = {
  /** As the address has it. */
  readonly id: string;
  readonly name: string;
  /** What it says, in short. */
  readonly words: string;
  readonly look?: Look | undefined;
};

const rowPx = { wide: 36, narrow: 60 } as const;
const columns = ["Name", "What it says", ""] as const;

/** All of one kind. The one that is chosen is in the address. */
export function SettingList(props: {
  readonly title: string;
  readonly rows: readonly SettingRow[] | null;
  readonly trouble: string | null;
  readonly again?: () => void;
  /** What one of them is called, where another can be made. */
  readonly one?: string;
  readonly empty: string;
}): ReactNode {
  const { title, rows, trouble, again, one, empty } = props;
  const { item } = useAddress();
  const make = (): void => goTo({ item: newItem });
  useKeys(one === undefined ? {} : { N: make });
  return (
    <Panel
      name="setting-list"
      title={title}
      meta={rows === null ? undefined : String(rows.length)}
      end={
        one === undefined ? undefined : (
          <Button size="small" hotkey="N" onClick={make}>
            {`New ${one}`}
          </Button>
        )
      }
    >
      {trouble === null ? null : (
        <p className="review-note" role="alert">
          {trouble}{" "}
          <button type="button" className="text-button" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {rows === null && trouble === null ? (
        <Awaited what="Reading" rows={5} />
      ) : rows === null ? (
        <Quiet title="It could not be read" />
      ) : rows.length === 0 ? (
        <Quiet title="There is none yet">{empty}</Quiet>
      ) : (
        <VirtualTable
          label={title}
          look="setting-row"
          columns={columns}
          rows={rows}
          rowPx={rowPx}
          cells={SettingCells}
          idOf={idOf}
          dataOf={dataOf}
          selected={item}
          onSelect={select}
        />
      )}
    </Panel>
  );
}

function idOf({ id }: SettingRow): string {
  return id;
}

function dataOf({ name }: SettingRow): { readonly "data-setting": string } {
  return { "data-setting": name };
}

function select(item: string): void {
  goTo({ item }, "replace");
}

function SettingCells({ row }: { readonly row: SettingRow }): ReactNode {
  return (
    <>
      <span role="cell" className="set-name">
        {row.name}
      </span>
      <span role="cell" className={row.words.startsWith("/") ? "set-words is-path" : "set-words"} title={row.words}>
        <bdi>{row.words}</bdi>
      </span>
      <span role="cell" className="set-look">
        {row.look === undefined ? null : <LookWord look={row.look} />}
      </span>
    </>
  );
}
