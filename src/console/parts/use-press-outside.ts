import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";

type PressOutside = {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
};

/** Of a press beside what a dialog shows. Whoever selects text may let go of it there: only a press that began there, too, is meant. */
export function usePressOutside(dialog: RefObject<HTMLDialogElement | null>, onPress: () => void): PressOutside {
  const isDownOutside = useRef(false);
  return {
    onPointerDown: ({ target }) => {
      isDownOutside.current = target === dialog.current;
    },
    onClick: ({ target }) => {
      if (target === dialog.current && isDownOutside.current) onPress();
    },
  };
}
