import { type ReactNode, useRef } from "react";
import { useLive } from "../live/live-context.tsx";
import { findAgent } from "../model/agent-rows.ts";
import { toCount } from "../model/format.ts";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Key } from "../parts/key.tsx";
import { Logo } from "../parts/logo.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { openPalette } from "../palette/palette-host.tsx";
import { LookBack } from "../past/look-back.tsx";
import { goTo, hasPast, momentOf, type Place, useAddress } from "./address.ts";
import { openKeySheet } from "./key-sheet.tsx";
import { useKeys } from "./keys.ts";
import { Link, toWorldAt } from "./link.tsx";
import { sections } from "../settings/sections.ts";
import { linkOf, placeLinks } from "./places.ts";
import { toggleTheme } from "./theme.ts";
import "./top-bar.css";

export function TopBar(): ReactNode {
  const { place, project, id } = useAddress();
  const label = placeLinks.find(({ to }) => to === linkOf(place))?.label;
  return (
    <header className="top">
      <div className="top-start">
        <Link to={{ place: "overview", run: null }} className="brand brand-small" label="Signalbox, overview">
          <Logo />
        </Link>
        {place === "run" || place === "new-run" || place === "agent" || place === "section" ? (
          <span className="crumbs">
            <Link to={{ place: linkOf(place) }} className="crumb">
              {label}
            </Link>
            <Icon name="next" />
            {place === "section" ? (
              <h1>{sections.find((section) => section.id === id)?.label}</h1>
            ) : place === "new-run" ? (
              <h1>New</h1>
            ) : (
              <h1 className="rid">{place === "agent" ? <AgentName at={id ?? ""} /> : id}</h1>
            )}
          </span>
        ) : (
          <h1>{label}</h1>
        )}
        {linkOf(place) === "settings" ? null : <ProjectPick />}
        {project === null ? null : <span className="sr">of the project {project}</span>}
      </div>
      <Find />
      <div className="top-end">
        <Live />
        <LookBack />
        <IconButton icon="command" label="Find anything, or say what to do" hotkey="Ctrl K" onClick={openPalette} />
        <IconButton icon="keys" label="Keys" hotkey="?" onClick={openKeySheet} />
        <IconButton icon="theme" label="Switch between dark and light" hotkey="D" onClick={toggleTheme} />
      </div>
    </header>
  );
}

function ProjectPick(): ReactNode {
  const { project } = useAddress();
  const projects = useLive((state) => state.projects);
  const isKnown = project === null || projects.some(({ name }) => name === project);
  return (
    <select
      className="project-pick"
      aria-label="Project"
      value={project ?? ""}
      onChange={(event) => goTo({ project: event.target.value === "" ? null : event.target.value })}
    >
      <option value="">All projects</option>
      {projects.map(({ id, name }) => (
        <option key={id} value={name}>
          {name}
        </option>
      ))}
      {isKnown ? null : <option value={project}>{project} (not here)</option>}
    </select>
  );
}

/** What is looked for at a place, in short and at length. */
type FindWords = { readonly label: string; readonly placeholder: string };

const findRun: FindWords = { label: "Find a run by title, id, tag or unit", placeholder: "Find a run" };
const findWords: Readonly<Partial<Record<Place, FindWords>>> = {
  agents: { label: "Find an agent by name, service or port", placeholder: "Find an agent" },
  events: { label: "Find a text in events", placeholder: "Find in events" },
  locks: { label: "Find a unit by its path or its holder", placeholder: "Find a unit" },
};

function Find(): ReactNode {
  const { find, place } = useAddress();
  const seek = (text: string): void => {
    const list = listOf(place);
    if (list === null) goTo({ find: text }, "replace");
    else goTo({ place: list, find: text });
  };
  const { label, placeholder } = findWords[linkOf(place)] ?? findRun;
  const isNarrow = useIsNarrow();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.focus() });
  return (
    <label className="find">
      <Icon name="search" />
      <span className="sr">{label}</span>
      <input
        ref={input}
        type="search"
        placeholder={isNarrow ? "Find" : placeholder}
        value={find}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => seek(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (find !== "") goTo({ find: "" }, "replace");
          input.current?.blur();
        }}
      />
      <Key>/</Key>
    </label>
  );
}

/** A page that has nothing to find in leads to a list. */
function listOf(place: Place): Place | null {
  if (place === "agent") return "agents";
  return ["run", "new-run", "landing", "inbox", "settings", "section"].includes(place) ? "runs" : null;
}

function AgentName({ at }: { readonly at: string }): ReactNode {
  return <>{useLive((state) => findAgent(state.agents, at)?.name ?? at)}</>;
}

const linkWords = {
  loading: "Connecting",
  live: "Live",
  away: "Not live",
  failed: "Not live",
  past: "The past",
  "signed-out": "Signed out",
} as const;

/** How the page stands with the daemon; pressed, it looks back from here, or comes back to now. */
function Live(): ReactNode {
  const address = useAddress();
  const { place, at } = address;
  const moment = momentOf(address);
  const link = useLive((state) => state.link.is);
  const seq = useLive((state) => state.seq);
  const turn = (): void => {
    if (at !== null) goTo(moment === null ? toWorldAt(at) : { at: null });
    else if (seq > 0) goTo(hasPast(place) ? { at: seq } : toWorldAt(seq));
  };
  useKeys({ Z: turn });
  return (
    <button
      type="button"
      className={link === "live" ? "live" : "live off"}
      title={
        moment !== null
          ? "Back to now (Z)"
          : at === null
            ? `Look back: the newest event here is number ${seq} (Z)`
            : `Back to event ${at} (Z)`
      }
      aria-keyshortcuts="Z"
      onClick={turn}
    >
      <span className="lamp" aria-hidden="true" />
      <span>{linkWords[moment === null ? link : "past"]}</span>
      <span className="live-seq">#{toCount(seq)}</span>
    </button>
  );
}
