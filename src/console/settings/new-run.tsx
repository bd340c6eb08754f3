import { type ReactNode, useMemo, useState } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import type { Draft, Field } from "../model/form-fields.ts";
import { toRunCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { Link, toRunPage } from "../shell/link.tsx";
import { Editor } from "./editor.tsx";
import { useKnownFields } from "./use-known.ts";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";
import "./settings.css";

/** What nobody says of a run that they begin by hand. */
const others: ReadonlySet<string> = new Set(["task", "node", "parent", "sub", "key", "image"]);
/** What is asked at first, in this order; all else can be added. */
const first: readonly string[] = ["project", "title", "description", "runner", "profile", "agent", "script", "command"];
const labels: Readonly<Record<string, string>> = { title: "What is wanted", description: "Prompt", agent: "In agent" };

/** Begins a run from nothing but what is wanted: its form is that of the contract. */
export function NewRun(): ReactNode {
  const { client } = useBox();
  const { project } = useAddress();
  const projects = useLive((state) => state.projects);
  const { fields, trouble, again } = useFields("run.submit");
  const { say } = useSettingActs();
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const ordered = useMemo(
    () =>
      fields === null
        ? null
        : toRunFields(
            fields,
            projects.map(({ name }) => name),
          ),
    [fields, projects],
  );
  const own = useKnownFields(ordered);
  // Where there is one project, or one is looked at, it is meant.
  const meant = project ?? (projects.length === 1 ? projects[0]?.name : undefined);
  const value = useMemo(() => ({ project: meant }), [meant]);
  const begin = async (words: Record<string, unknown>): Promise<void> => {
    const { run, warnings } = await client.call("run.submit", words as InputOf<"run.submit">);
    const detail = warnings.map(({ message }) => message).join(" ");
    say({
      title: `${run} is submitted`,
      command: toRunCommand(words),
      ...(detail === "" ? {} : { detail }),
    });
    goTo({ ...toRunPage(run), project: null, at: null });
  };
  if (projects.length === 0)
    return (
      <div className="board">
        <Quiet title="There is no project yet">
          A run works on a project. <Link to={{ place: "section", id: "projects", item: "+" }}>Add one first.</Link>
        </Quiet>
      </div>
    );
  const hidden = own?.filter(({ path }) => !first.includes(path) && !added.has(path)) ?? [];
  return (
    <div className="board new-run-place">
      <Panel name="new-run" title="A new run" meta="it begins as soon as its plan and a slot are free">
        <div role="group" aria-label="What is wanted, and who does it">
          {own === null ? (
            <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
          ) : (
            <Editor
              fields={own}
              value={value}
              save="Run it"
              isShown={(field, draft) => isAsked(field, draft, added)}
              onSave={begin}
              end={
                hidden.length === 0 ? undefined : (
                  <label className="form-add">
                    <span className="sr">Say more of it</span>
                    <select value="" onChange={({ target }) => setAdded(new Set(added).add(target.value))}>
                      <option value="">Say more …</option>
                      {hidden.map(({ path, label, help }) => (
                        <option key={path} value={path} title={help}>
                          {label}
                        </option>
                      ))}
                    </select>
                  </label>
                )
              }
            />
          )}
        </div>
      </Panel>
    </div>
  );
}

function toRunFields(fields: readonly Field[], projects: readonly string[]): Field[] {
  const rank = ({ path }: Field): number => (first.includes(path) ? first.indexOf(path) : first.length);
  return fields
    .filter(({ path }) => !others.has(path))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((field) => {
      const named = { ...field, label: labels[field.path] ?? field.label };
      return field.path === "project" ? { ...named, kind: "choice", options: projects, help: "" } : named;
    });
}

/** A script is read by the runner of that name, and a command run by its own; both are in the way of all others. */
function isAsked({ path }: Field, draft: Draft, added: ReadonlySet<string>): boolean {
  const { runner = "", profile = "" } = draft;
  if (path === "script") return runner === "script" || (runner === "" && profile === "") || (draft[path] ?? "") !== "";
  if (path === "command") return runner === "command" || (draft[path] ?? "") !== "";
  return first.includes(path) || added.has(path);
}
