// The one selected run or agent: the letters act on it, wherever it is shown.

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

type Selection = { readonly selected: string | null; readonly select: (id: string | null) => void };

const SelectionContext = createContext<Selection>({ selected: null, select: () => undefined });

export function SelectionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [selected, select] = useState<string | null>(null);
  const value = useMemo(() => ({ selected, select }), [selected]);
  return <SelectionContext value={value}>{children}</SelectionContext>;
}

export function useSelection(): Selection {
  return useContext(SelectionContext);
}
