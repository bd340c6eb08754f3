import { type ReactNode, useMemo, useState } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import type { Project } from "../../protocol/wire/project.ts";
import { useBox, useIsLive, useLive } from "../live/live-context.tsx";
import { toShell } from "../model/shell-text.ts";
import { toProjectAddCommand, toProjectChangeCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo, newItem, useAddress } from "../shell/address.ts";
import { Editor } from "./editor.tsx";
import { PastPanel } from "./past-panel.tsx";
import { SettingList } from "./setting-list.tsx";
import { useFields } from "./use-schema.ts";
import { useSettingActs } from "./use-setting-acts.ts";

const nothing = {};
const published = { word: "Published", icon: "done", tone: "rest" } as const;
const notPublished = { word: "Not published", icon: "blocked", tone: "wait" } as const;

export function ProjectsSection(): ReactNode {
  const { item } = useAddress();
  const projects = useLive((state) => state.projects);
  const rows = useMemo(
    () =>
      projects.map(({ name, root, notPublished: why }) => ({
        id: name,
        name,
        words: root,
        look: why === null ? published : notPublished,
      })),
    [projects],
  );
  const project = projects.find(({ name }) => name === item);
  return (
    <>
      <SettingList
        title="Projects"
        rows={rows}
        trouble={null}
        one="project"
        empty="A project is a folder that agents work on, most often a git repository."
      />
      <div className="setting-detail">
        {item === newItem ? (
          <AddProject />
        ) : project === undefined ? (
          <Panel name={item === null ? "choose" : "setting"} title={item ?? "A project"}>
            <Quiet title={item === null ? "Choose a project, or add one by its path" : `There is no project ${item}`} />
          </Panel>
        ) : (
          <>
            <OneProject key={project.id} project={project} />
            <PastPanel noun="project" name={project.id} />
          </>
        )}
      </div>
    </>
  );
}

function AddProject(): ReactNode {
  const { client } = useBox();
  const { fields, trouble, again } = useFields("project.add");
  const { say } = useSettingActs();
  const add = async (value: Record<string, unknown>): Promise<void> => {
    const { name } = await client.call("project.add", value as InputOf<"project.add">);
    say({ title: `${name} is added`, command: toProjectAddCommand(value) });
    goTo({ item: name }, "replace");
  };
  return (
    <Panel name="setting" title="A new project" meta="its folder stays as it is">
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="What the project is">
        {fields === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <Editor fields={fields} value={nothing} save="Add the project" onSave={add} />
        )}
      </div>
    </Panel>
  );
}

function OneProject({ project }: { readonly project: Project }): ReactNode {
  const { client } = useBox();
  const isLive = useIsLive();
  const { fields, trouble, again } = useFields("project.change");
  const { say, attempt } = useSettingActs();
  const [isAsked, setAsked] = useState(false);
  const own = useMemo(() => fields?.filter(({ path }) => path !== "project") ?? null, [fields]);
  const change = async (value: Record<string, unknown>): Promise<void> => {
    const before = Object.fromEntries(Object.keys(value).map((key) => [key, project[key as keyof Project]]));
    const set = (changes: object): Promise<unknown> =>
      client.call("project.change", { ...changes, project: project.id });
    await set(value);
    say({
      title: `${project.name}: ${Object.keys(value).join(", ")} changed`,
      command: toProjectChangeCommand(project, value),
      undo: () => set(before),
    });
  };
  const remove = (): void => {
    setAsked(false);
    attempt(`remove ${project.name}`, async () => {
      await client.call("project.remove", { project: project.id });
      say({ title: `${project.name} is forgotten`, command: `signalbox project rm ${toShell(project.name)}` });
      goTo({ item: null }, "replace");
    });
  };
  return (
    <Panel
      name="setting"
      title={project.name}
      end={
        <CopyButton text={`signalbox project show ${toShell(project.name)}`} label="Copy the command that shows it" />
      }
    >
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="What the project says">
        <Facts
          facts={[
            ["Folder", project.root],
            ["Branch", `${project.branch}${project.kind === "folder" ? ", versioned by us alone" : ""}`],
            ["Mainline", project.mainline.slice(0, 12)],
            [
              "Published",
              project.notPublished === null ? "yes" : `${project.notPublished.why} ${project.notPublished.how}`,
            ],
          ]}
        />
        {own === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <Editor
            fields={own}
            value={project}
            isChange
            save="Save"
            onSave={change}
            end={
              <Button look="danger" disabled={!isLive} onClick={() => setAsked(true)}>
                Remove…
              </Button>
            }
          />
        )}
      </div>
      {isAsked ? (
        <ConfirmDialog
          title={`Forget ${project.name}?`}
          what={project.root}
          command={`signalbox project rm ${toShell(project.name)}`}
          keep="Keep it"
          go={`Forget ${project.name}`}
          onClose={() => setAsked(false)}
          onGo={remove}
        >
          <p>
            Its folder is not touched. Its runs go off the lists, and its settings are gone; the log keeps what
            happened.
          </p>
        </ConfirmDialog>
      ) : null}
    </Panel>
  );
}
