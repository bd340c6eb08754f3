import { type ReactNode, useState } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { type TemplateTarget, toTemplateCommand, toTemplateScript, whyNotLand } from "../model/template-landing.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { goTo } from "../shell/address.ts";
import { toRunPage } from "../shell/link.tsx";
import type { CheckedTemplate } from "./use-template-check.ts";

/** Has a run write the template to its file. The run goes by lease, review and landing, as every change does. */
export function LandTemplate(props: {
  readonly text: string;
  readonly isChanged: boolean;
  readonly checked: CheckedTemplate;
  readonly target: TemplateTarget;
  readonly isTaken: boolean;
}): ReactNode {
  const { text, isChanged, checked, target, isTaken } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const [isBusy, setBusy] = useState(false);
  const { project } = target;
  const isRight = checked.isFresh ? (checked.found?.ok ?? null) : null;
  const why = whyNotLand({ isChanged, isRight, isLive, project, isTaken });
  const land = (): void => {
    setBusy(true);
    client
      .call("run.submit", { project, runner: "script", script: toTemplateScript(target, text) })
      .then(({ run }) => {
        toasts.did({
          tone: "go",
          title: `${run} writes ${target.path} of ${project}, and lands as every change does`,
          about: run,
          command: toTemplateCommand(target, text),
        });
        goTo(toRunPage(run));
      })
      .catch((error: unknown) => {
        showRefusal(toasts, `land ${target.path}`, error);
        setBusy(false);
      });
  };
  return (
    <>
      {why === null ? (
        <CopyButton text={toTemplateCommand(target, text)} label="Copy the command that lands it" />
      ) : (
        <span className="dim land-why">{why}</span>
      )}
      <Button size="small" disabled={why !== null || isBusy} title={why ?? undefined} onClick={land}>
        {project === "" ? "Land it" : `Land it in ${project}`}
      </Button>
    </>
  );
}
