import type { ReactNode } from "react";
import { splitUnit } from "../model/units.ts";
import { Icon } from "./icon.tsx";

const kinds = { file: "file", dir: "folder", process: "process" } as const;

/** Dims the folder and keeps the name: a long path loses its beginning, never its end. */
export function UnitName({ unit, wanted = false }: { readonly unit: string; readonly wanted?: boolean }): ReactNode {
  const { kind, folder, name } = splitUnit(unit);
  return (
    <span className={wanted ? "unit want" : "unit"} title={unit}>
      <Icon name={kind} />
      <span className="sr">{kinds[kind]} </span>
      {folder === "" ? null : <span className="unit-folder">{folder}</span>}
      <span className="unit-name">{name}</span>
    </span>
  );
}
