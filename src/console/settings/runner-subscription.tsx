import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import type { Subscription } from "../../protocol/wire/subscription.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useTicks } from "../live/use-ticks.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { Finding } from "../parts/form.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { useSettingActs } from "./use-setting-acts.ts";

const againMs = 30_000;
/** Whose makers sell such. */
const sold: readonly Subscription["runner"][] = ["claude", "codex"];

/** The login that pays for a runner's models, where its maker sells such. It can be given and forgotten, and never read. */
export function RunnerSubscription({
  name,
  onChange,
}: {
  readonly name: string;
  readonly onChange: () => void;
}): ReactNode {
  const runner = sold.find((each) => each === name);
  return runner === undefined ? null : <OfRunner runner={runner} onChange={onChange} />;
}

function OfRunner(props: { readonly runner: Subscription["runner"]; readonly onChange: () => void }): ReactNode {
  const { runner, onChange } = props;
  const { client } = useBox();
  const isLive = useIsLive();
  const { say, attempt } = useSettingActs();
  const [login, setLogin] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const id = useId();
  const ticks = useTicks(againMs);
  const { value, trouble, again } = useAsked({
    subject: "subscriptions",
    stamp: ticks,
    ask: async (asked, signal) => (await asked.call("subscription.list", {}, { signal })).subscriptions,
  });
  const own = value?.find((each) => each.runner === runner);
  const readAgain = (): void => {
    again();
    onChange();
  };
  const give = (event: SubmitEvent): void => {
    event.preventDefault();
    setRefused(null);
    client
      .call("subscription.set", { runner, file: login })
      .then(() => {
        setLogin("");
        say({
          title: `The login pays for runs of ${runner} from now on`,
          detail: "The daemon renews it: do not use its file for anything else any more.",
          command: `signalbox subscription add ${runner} --from FILE`,
        });
        readAgain();
      })
      .catch((error: unknown) => setRefused(error instanceof Error ? error.message : String(error)));
  };
  const forget = (): void => {
    setAsked(false);
    attempt(`forget the login of ${runner}`, async () => {
      await client.call("subscription.remove", { runner });
      say({ title: `The login of ${runner} is forgotten`, command: `signalbox subscription remove ${runner}` });
      readAgain();
    });
  };
  return (
    <Panel name="subscription" title="Subscription" meta={own === undefined ? "none" : "pays for its models"}>
      {value === null ? (
        <Awaited what="Reading which logins there are" trouble={trouble} again={again} />
      ) : own === undefined ? null : (
        <Facts
          facts={[
            ["Given", own.setAt.slice(0, 10)],
            ["Good until", own.expiresAt?.slice(0, 16).replace("T", " ") ?? "it does not say"],
            ["Renewed", own.renews ? (own.renewedAt?.slice(0, 16).replace("T", " ") ?? "not yet") : "cannot be"],
            ["Last used", own.usedAtMs === null ? "never" : <Ago key="used" atMs={own.usedAtMs} />],
            ...(own.refused === null
              ? []
              : [["Refused", `${own.refused}; log in again, and give that login`] as const]),
          ]}
        />
      )}
      <form className="form" onSubmit={give} aria-label="A login that pays">
        <div className="form-field wide">
          <label htmlFor={id}>{own === undefined ? "A login" : "Another login"}</label>
          <input
            id={id}
            type="password"
            value={login}
            maxLength={65_536}
            autoComplete="new-password"
            onChange={({ target }) => setLogin(target.value)}
          />
          <p className="form-help">
            What is in the file in which its program keeps a login, pasted. It is kept encrypted, and shown to nobody.
          </p>
        </div>
        {refused === null ? null : <Finding text={refused} />}
        <Command text={`signalbox subscription add ${runner} --from FILE`} />
        <div className="form-acts">
          <Button submits look="primary" disabled={!isLive || login === ""}>
            Give the login
          </Button>
          <span className="end">
            {own === undefined ? null : (
              <Button look="danger" disabled={!isLive} onClick={() => setAsked(true)}>
                Forget it…
              </Button>
            )}
          </span>
        </div>
      </form>
      {isAsked ? (
        <ConfirmDialog
          title={`Forget the login of ${runner}?`}
          command={`signalbox subscription remove ${runner}`}
          keep="Keep it"
          go="Forget it"
          onClose={() => setAsked(false)}
          onGo={forget}
        >
          <p>
            Nothing here has it any more then. Its runs are paid for with a key, if there is one. The login itself stays
            good at its provider.
          </p>
        </ConfirmDialog>
      ) : null}
    </Panel>
  );
}
