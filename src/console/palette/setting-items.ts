// What the settings have, in the palette: each section, each thing in it, and how another is made.

import type { OutputOf } from "../../protocol/operations.ts";
import { toShell } from "../model/shell-text.ts";
import type { IconName } from "../parts/icon-shapes.tsx";
import { newItem } from "../shell/address.ts";
import { newRunPage } from "../shell/link.tsx";
import { sections } from "../settings/sections.ts";
import type { PaletteItem } from "./palette-item.ts";

/** What has a name and is not kept up to date on the page: it is asked for when the palette opens. */
export type Catalogue = {
  readonly tasks: OutputOf<"task.list">["tasks"];
  readonly profiles: OutputOf<"profile.list">["profiles"];
  readonly policies: OutputOf<"policy.list">["policies"];
  readonly runners: OutputOf<"runner.list">["runners"];
  readonly templates: OutputOf<"template.list">["templates"];
  readonly terminals: OutputOf<"terminal.list">["terminals"];
};

type Section = (typeof sections)[number]["id"];

const lists: Readonly<Record<Section, string | undefined>> = {
  projects: "signalbox project list",
  tasks: "signalbox task list",
  profiles: "signalbox profile list",
  policies: "signalbox policy list",
  runners: "signalbox runners",
  templates: "signalbox template list",
  secrets: "signalbox secret list",
  you: undefined,
};

export function sectionItems(): PaletteItem[] {
  return sections.map(({ id, label, icon }) => ({
    ...{ id: `section ${id}`, kind: "Settings", icon, title: label, detail: "", command: lists[id] },
    deed: { is: "go", to: { place: "section", id, item: null } },
  }));
}

/** How something new is made: its form. */
export function makingItems(): PaletteItem[] {
  const making = [
    ["project", "projects"],
    ["task", "tasks"],
    ["profile", "profiles"],
    ["policy", "policies"],
    ["runner", "runners"],
    ["template", "templates"],
  ] as const;
  const agent: PaletteItem = {
    ...{ id: "new agent", kind: "Act", icon: "agents", title: "New agent", detail: "of a template" },
    command: "signalbox agent create",
    deed: { is: "go", to: { place: "section", id: "templates", item: null } },
  };
  const run: PaletteItem = {
    ...{ id: "new run", kind: "Act", icon: "running", title: "New run", detail: "from what is wanted" },
    command: "signalbox run",
    deed: { is: "go", to: newRunPage },
  };
  const others = making.map(([one, section]): PaletteItem => ({
    ...{ id: `new ${one}`, kind: "Act", icon: "next", title: `New ${one}`, detail: "" },
    deed: { is: "go", to: { place: "section", id: section, item: newItem } },
  }));
  return [run, agent, ...others];
}

type Named = {
  readonly section: Section;
  readonly kind: string;
  readonly icon: IconName;
  /** As the address of its section has it. */
  readonly item: string;
  readonly title: string;
  readonly detail: string;
  readonly command: string;
};

/** Everything that is set under a name. */
export function settingItems({ tasks, profiles, policies, runners, templates }: Catalogue): PaletteItem[] {
  const named: readonly Named[] = [
    ...tasks.map(({ id, title, projectName }) => ({
      ...({ section: "tasks", kind: "Task", icon: "check" } as const),
      ...{ item: id, title, detail: `${id} · ${projectName}`, command: `signalbox task show ${id}` },
    })),
    ...profiles.map(({ name, settings }) => ({
      ...({ section: "profiles", kind: "Profile", icon: "person" } as const),
      ...{ item: name, title: name, detail: settings.runner ?? "", command: `signalbox profile show ${toShell(name)}` },
    })),
    ...policies.map(({ name }) => ({
      ...({ section: "policies", kind: "Policy", icon: "guarded" } as const),
      ...{ item: name, title: name, detail: "", command: `signalbox policy show ${toShell(name)}` },
    })),
    ...runners.map(({ name }) => ({
      ...({ section: "runners", kind: "Runner", icon: "running" } as const),
      ...{ item: name, title: name, detail: "", command: `signalbox runners show ${toShell(name)}` },
    })),
    ...templates.map(({ name, about, project }) => ({
      ...({ section: "templates", kind: project === null ? "Stack" : "Template", icon: "file" } as const),
      ...{ item: project === null ? name : `${project}:${name}`, title: name, detail: about },
      command: "signalbox template list",
    })),
  ];
  return named.map(({ section, item, ...shown }) => ({
    ...{ id: `${section} ${item}`, ...shown },
    deed: { is: "go", to: { place: "section", id: section, item } },
  }));
}
