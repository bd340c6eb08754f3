import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";

type Done = {
  readonly title: string;
  readonly detail?: string;
  /** What does the same in a terminal. */
  readonly command: string;
  /** What takes it back. */
  readonly undo?: () => Promise<unknown>;
};

/** Says what was set, with the way back. */
export function useSettingActs(): {
  readonly say: (done: Done) => void;
  readonly attempt: (what: string, act: () => Promise<void>) => void;
} {
  const { toasts } = useActs();
  return {
    say: ({ title, detail, command, undo }) =>
      toasts.did({
        tone: "go",
        title,
        detail,
        command,
        undo:
          undo === undefined
            ? undefined
            : () => void undo().catch((error: unknown) => showRefusal(toasts, `undo of: ${title}`, error)),
      }),
    attempt: (what, act) => void act().catch((error: unknown) => showRefusal(toasts, what, error)),
  };
}
