import { type ReactNode, type SubmitEvent, useMemo, useState } from "react";
import { ProtocolError } from "../../protocol/errors.ts";
import { useBox, useIsLive, useLive } from "../live/live-context.tsx";
import { useActs } from "../acts/act-context.tsx";
import { type Draft, fieldAt, type Field } from "../model/form-fields.ts";
import { toCreateAgentCommand } from "../model/told-commands.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Finding, FormFields } from "../parts/form.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { goTo } from "../shell/address.ts";
import { toAgentPage } from "../shell/link.tsx";
import { useFields } from "./use-schema.ts";
import type { CheckedTemplate } from "./use-template-check.ts";

/** Makes an agent of a template: the fields of the operation, and one for each variable of the template. */
export function CreateAgent(props: {
  readonly template: string;
  readonly checked: CheckedTemplate;
  /** Name of the project whose template it is. */
  readonly project: string | undefined;
}): ReactNode {
  const { template, checked, project } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const projects = useLive((state) => state.projects);
  const { fields: own, trouble, again } = useFields("agent.create");
  const [draft, setDraft] = useState<Draft>({});
  const [refused, setRefused] = useState<{ readonly path: string | null; readonly why: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const values = checked.found?.values;
  const fields = useMemo(
    () =>
      toFields(
        own ?? [],
        projects.map(({ name }) => name),
        values ?? [],
      ),
    [own, projects, values],
  );
  if (checked.found?.ok !== true) {
    return (
      <Panel name="create" title="Make an agent of it">
        <Quiet title="The template has to be right first" />
      </Panel>
    );
  }
  const said = checked.found.project;
  const named = projects.find(({ id, name }) => said === id || said === name)?.name;
  const usual: Draft = { project: named ?? project ?? projects[0]?.name ?? "" };
  const filled = { ...usual, ...draft };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = Object.entries(filled).flatMap(([path, text]) =>
      path.startsWith("values.") && text !== "" ? [[path.slice("values.".length), text] as const] : [],
    );
    const { project: into = "", name = "" } = filled;
    setBusy(true);
    setRefused(null);
    client
      .call("agent.create", {
        project: into,
        template,
        values: Object.fromEntries(given),
        ...(name === "" ? {} : { name }),
      })
      .then(({ agent }) => {
        toasts.did({
          tone: "go",
          title: `${agent.name} is coming up`,
          command: toCreateAgentCommand({ template, project: into, name: agent.name, values: given }),
        });
        goTo({ ...toAgentPage(agent.id), at: null });
      })
      .catch((error: unknown) => {
        const where = error instanceof ProtocolError ? error.data["where"] : undefined;
        const path = typeof where === "string" ? fieldAt(fields, where) : null;
        const message = error instanceof Error ? error.message : String(error);
        setRefused({ path, why: error instanceof ProtocolError ? [message, ...error.ways].join(" ") : message });
        setBusy(false);
      });
  };
  const findings = new Map(refused === null || refused.path === null ? [] : [[refused.path, refused.why]]);
  return (
    <Panel name="create" title="Make an agent of it" meta={checked.found.name ?? undefined}>
      <div className="setting-scroll" tabIndex={0} role="group" aria-label="Make an agent">
        {own === null ? (
          <Awaited what="Reading which fields there are" trouble={trouble} again={again} />
        ) : (
          <form className="form" onSubmit={submit}>
            <FormFields fields={fields} draft={filled} findings={findings} onChange={setDraft} />
            {refused !== null && refused.path === null ? <Finding text={refused.why} /> : null}
            <div className="form-acts">
              <Button submits look="primary" disabled={!isLive || isBusy || !checked.isFresh}>
                Make the agent
              </Button>
              <span className="dim">{checked.found.services.map(({ name }) => name).join(", ")}</span>
            </div>
          </form>
        )}
      </div>
    </Panel>
  );
}

/** Of the operation those that a person fills in; its values as the variables that the template has. */
function toFields(
  own: readonly Field[],
  projects: readonly string[],
  values: readonly { readonly name: string; readonly value: string | null }[],
): Field[] {
  return own.flatMap((field): Field[] => {
    if (field.path === "project") return [{ ...field, kind: "choice", options: projects }];
    if (field.path === "name") return [field];
    if (field.path !== "values" || values.length === 0) return [];
    const inner = values.map(({ name, value }): Field => {
      const help = value === null ? "Left empty: made up, as the template says." : `Left empty: ${value}`;
      return { ...field, path: `values.${name}`, label: name, help, kind: "text", isRequired: false, fields: [] };
    });
    return [{ ...field, kind: "group", fields: inner }];
  });
}
