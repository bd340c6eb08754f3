import { type ReactNode, useMemo, useState } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { FilePast } from "../landing/file-past.tsx";
import { templatePath } from "../model/template-landing.ts";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { newItem, useAddress } from "../shell/address.ts";
import { CreateAgent } from "./create-agent.tsx";
import { LandTemplate } from "./land-template.tsx";
import { SettingList } from "./setting-list.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { useTemplateCheck } from "./use-template-check.ts";

type Template = OutputOf<"template.list">["templates"][number];

const blank =
  "template: mine\n\nservices:\n  web:\n    command: npm run dev -- --port ${self.port}\n    ports: [http]\n";

/** What agents are made from: looked at, tried out, and made into one. A template stays a file of its project. */
export function TemplatesSection(): ReactNode {
  const { item } = useAddress();
  const newest = useNewest(
    ({ type }) => type.startsWith("mainline.") || type === "run.landed" || type.startsWith("project."),
  );
  const projects = useLive((state) => state.projects);
  const { value, trouble, again } = useAsked({
    subject: "templates",
    stamp: newest,
    ask: async (client, signal) => (await client.call("template.list", {}, { signal })).templates,
  });
  const rows = useMemo(
    () => value?.map((template) => ({ id: idOf(template), name: template.name, words: template.about })) ?? null,
    [value],
  );
  const template = value?.find((each) => idOf(each) === item);
  const project = projects.find(({ id }) => id === template?.project)?.name;
  const taken = useMemo(() => {
    const ids = new Set(value?.flatMap((each) => (each.file === null ? [] : [each.project])));
    return new Set(projects.flatMap(({ id, name }) => (ids.has(id) ? [name] : [])));
  }, [value, projects]);
  return (
    <>
      <SettingList title="Templates" rows={rows} trouble={trouble} again={again} one="template" empty="" />
      <div className="setting-detail">
        {item === newItem ? (
          <OneTemplate
            key={newItem}
            title="A new template"
            about=""
            text={blank}
            file={null}
            of={undefined}
            taken={taken}
          />
        ) : template === undefined ? (
          <Panel name={item === null ? "choose" : "setting"} title={item ?? "A template"}>
            <Quiet title={item === null ? "Choose a template, or write one" : `There is no template ${item}`}>
              Change it here as you like: it is looked at while you write. Then an agent can be made of it at once, or
              it lands in its project.
            </Quiet>
          </Panel>
        ) : (
          <>
            <OneTemplate
              key={`${idOf(template)} ${template.text}`}
              title={template.name}
              about={template.about}
              text={template.text}
              file={template.file}
              of={project}
              taken={taken}
            />
            {template.file === null || project === undefined ? null : (
              <FilePast key={idOf(template)} project={project} path={template.file.path} stamp={newest} />
            )}
          </>
        )}
      </div>
    </>
  );
}

function idOf({ name, project }: Template): string {
  return project === null ? name : `${project}:${name}`;
}

function OneTemplate(props: {
  readonly title: string;
  readonly about: string;
  readonly text: string;
  readonly file: Template["file"];
  /** Name of the project whose template it is. */
  readonly of: string | undefined;
  /** Names of the projects that have one. */
  readonly taken: ReadonlySet<string>;
}): ReactNode {
  const { title, about, text: given, file, of, taken } = props;
  const [text, setText] = useState(given);
  const projects = useLive((state) => state.projects);
  const free = projects.find(({ name }) => !taken.has(name)) ?? projects[0];
  const [chosen, choose] = useState<string | null>(null);
  const project = of ?? chosen ?? free?.name ?? "";
  const checked = useTemplateCheck(text);
  return (
    <>
      <Panel
        name="template-text"
        title={title}
        meta={file === null || text === given ? about : "changed here alone"}
        end={
          <>
            <CopyButton text={text} label="Copy the template" />
            {of !== undefined || projects.length < 2 ? null : (
              <select
                className="small-pick"
                aria-label="The project that it lands in"
                value={project}
                onChange={({ target }) => choose(target.value)}
              >
                {projects.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
            <LandTemplate
              text={text}
              isChanged={file === null || text !== given}
              checked={checked}
              target={{ project, path: file?.path ?? templatePath, hash: file?.hash ?? null }}
              isTaken={file === null && taken.has(project)}
            />
          </>
        }
      >
        <TemplateEditor text={text} onChange={setText} checked={checked} />
      </Panel>
      <CreateAgent template={text} checked={checked} project={of} />
    </>
  );
}
