import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { TerminalLine } from "../../client/terminal-line.ts";
import { copyText } from "../parts/command.tsx";
import { emptyView, evolveView, type TerminalView } from "../model/terminal-view.ts";
import { Screen } from "./screen.ts";
import { nameOfWindow, viewerOfWindow } from "./viewer.ts";

const scrollback = 1000;

export type TerminalHands = {
  readonly view: TerminalView;
  readonly line: RefObject<TerminalLine | null>;
  readonly screen: RefObject<Screen | null>;
};

type TerminalWish = {
  readonly id: string;
  readonly readOnly: boolean;
  readonly onLeaveKey: () => void;
  /** Another one stands in for it now. */
  readonly onMoved?: (terminal: string) => void;
  readonly takesFocus?: boolean;
};

/** Joins a terminal and shows it in the box, until the component goes; the terminal goes on then. */
export function useTerminal(
  box: RefObject<HTMLDivElement | null>,
  { id, readOnly, onLeaveKey, onMoved = () => undefined, takesFocus = true }: TerminalWish,
): TerminalHands {
  const [view, setView] = useState(emptyView);
  // One that stands in for another comes over the same connection, and the page may come to know it later than we do.
  const [begun, setBegun] = useState<{ readonly id: string; readonly known: readonly string[] }>({ id, known: [id] });
  if (!begun.known.includes(id)) setBegun({ id, known: [id] });
  const line = useRef<TerminalLine | null>(null);
  const screen = useRef<Screen | null>(null);
  const leaveKey = useEffectEvent(onLeaveKey);
  const moved = useEffectEvent(onMoved);
  const isFocused = useEffectEvent(() => takesFocus);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const shown = new Screen(element, {
      readOnly,
      onType: (bytes) => line.current?.type(bytes),
      onLeaveKey: () => leaveKey(),
      onCopy: (text) => void copyText(text),
      onOverrun: () => line.current?.refresh(),
    });
    const room = shown.room();
    const own = new TerminalLine({
      open: openSocket,
      wish: {
        terminal: begun.id,
        viewer: viewerOfWindow(),
        name: nameOfWindow(),
        readOnly,
        scrollback,
        ...(room === undefined ? {} : { size: room }),
      },
      onShow: (bytes, size) => shown.show(bytes, size),
      onNews: (news) => {
        if ("size" in news) shown.resize(news.size);
        if ("moved" in news) {
          const { terminal } = news.moved;
          setBegun((before) => ({ ...before, known: [...before.known, terminal] }));
          moved(terminal);
        }
        setView((before) => evolveView(before, news));
      },
      onConnection: (isConnected) => {
        if (!isConnected) setView((before) => ({ ...before, link: "broken" }));
      },
    });
    line.current = own;
    screen.current = shown;
    if (!readOnly && isFocused()) shown.focus();
    own.done.catch((error: unknown) => {
      const trouble = error instanceof Error ? error.message : String(error);
      setView((before) => ({ ...before, trouble }));
    });
    let last = room;
    const observer = new ResizeObserver(() => {
      const now = shown.room();
      if (now === undefined || (now.cols === last?.cols && now.rows === last.rows)) return;
      last = now;
      own.resize(now.cols, now.rows);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      own.leave();
      shown.dispose();
      line.current = null;
      screen.current = null;
    };
  }, [box, begun.id, readOnly]);
  return { view, line, screen };
}

/** The session's cookie says who this is, and the daemon compares where the page comes from. */
function openSocket(path: string): WebSocket {
  return new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}`, ["signalbox"]);
}
