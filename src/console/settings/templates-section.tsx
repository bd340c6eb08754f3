import { type ReactNode, useMemo, useState } from "react";
import type { OutputOf } from "../../protocol/operations.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { newItem, useAddress } from "../shell/address.ts";
import { CreateAgent } from "./create-agent.tsx";
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
  const { value, trouble } = useAsked({
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
  return (
    <>
      <SettingList title="Templates" rows={rows} trouble={trouble} one="template" empty="" />
      <div className="setting-detail">
        {item === newItem ? (
          <OneTemplate key={newItem} title="A new template" text={blank} project={undefined} />
        ) : template === undefined ? (
          <Panel name="setting" title={item ?? "A template"}>
            <Quiet title={item === null ? "Choose a template, or write one" : `There is no template ${item}`}>
              Change it here as you like: it is looked at while you write, and an agent can be made of it at once.
            </Quiet>
          </Panel>
        ) : (
          <OneTemplate
            key={`${idOf(template)} ${template.text}`}
            title={template.about}
            text={template.text}
            project={project}
          />
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
  readonly text: string;
  readonly project: string | undefined;
}): ReactNode {
  const { title, text: given, project } = props;
  const [text, setText] = useState(given);
  const checked = useTemplateCheck(text);
  return (
    <>
      <Panel
        name="template-text"
        title={title}
        meta={text === given ? undefined : "changed here alone; save it as signalbox.yaml"}
        end={<CopyButton text={text} label="Copy the template" />}
      >
        <TemplateEditor text={text} onChange={setText} checked={checked} />
      </Panel>
      <CreateAgent template={text} checked={checked} project={project} />
    </>
  );
}
