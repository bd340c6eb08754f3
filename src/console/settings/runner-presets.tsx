import { type ReactNode, type SubmitEvent, useState } from "react";
import { presetNames, type Runner } from "../../protocol/wire/runner.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { toShell } from "../model/shell-text.ts";
import { Button } from "../parts/button.tsx";
import { Finding } from "../parts/form.tsx";
import { Panel } from "../parts/panel.tsx";
import { useSettingActs } from "./use-setting-acts.ts";

type PresetName = (typeof presetNames)[number];

/** Which model each preset of profiles means to a runner. */
export function RunnerPresets({
  runner,
  onChange,
}: {
  readonly runner: Runner;
  readonly onChange: () => void;
}): ReactNode {
  return (
    <Panel name="presets" title="Presets" meta="the model that a profile gets with each">
      <ul className="setting-lines" aria-label="Presets">
        {presetNames.map((preset) => (
          <Preset
            key={`${preset} ${runner.presets[preset] ?? ""}`}
            runner={runner.name}
            preset={preset}
            model={runner.presets[preset]}
            onChange={onChange}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Preset(props: {
  readonly runner: string;
  readonly preset: PresetName;
  readonly model: string | undefined;
  readonly onChange: () => void;
}): ReactNode {
  const { runner, preset, model, onChange } = props;
  const { client } = useBox();
  const isLive = useIsLive();
  const { say, attempt } = useSettingActs();
  const [text, setText] = useState(model ?? "");
  const [refused, setRefused] = useState<string | null>(null);
  const set = async (to: string | null): Promise<void> => {
    await client.call("runner.preset", { runner, preset, model: to });
    onChange();
  };
  const choose = async (to: string | null): Promise<void> => {
    await set(to);
    say({
      title: to === null ? `${preset} is what is built in for ${runner}` : `${preset} is ${to} for ${runner}`,
      command: `signalbox runners preset ${toShell(runner)} ${preset}${to === null ? "" : ` ${toShell(to)}`}`,
      undo: () => set(model ?? null),
    });
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    setRefused(null);
    choose(text.trim()).catch((error: unknown) => setRefused(error instanceof Error ? error.message : String(error)));
  };
  return (
    <li data-preset={preset}>
      <form onSubmit={save} className="setting-line">
        <label>
          <span>{preset}</span>
          <input
            value={text}
            maxLength={128}
            placeholder="none"
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Button submits size="small" disabled={!isLive || text.trim() === "" || text.trim() === model}>
          Save
        </Button>
        <Button
          size="small"
          disabled={!isLive}
          onClick={() => attempt(`take ${preset} back to what is built in`, () => choose(null))}
        >
          As built in
        </Button>
      </form>
      {refused === null ? null : <Finding text={refused} />}
    </li>
  );
}
