import { type ReactNode, useId, useState } from "react";
import { Finding } from "../parts/form.tsx";
import { Panel } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { Button } from "../parts/button.tsx";
import { openKeySheet } from "../shell/key-sheet.tsx";
import { useLetters } from "../shell/keys.ts";
import { keepOwnName, ownName } from "../shell/own-name.ts";
import { keepPreference, readPreference } from "../shell/preferences.ts";
import { chooseDensity, chooseTheme, chooseTimeWay, useIsByClock, useIsDense, useTheme } from "../shell/theme.ts";

/** What this person likes. It is kept in this browser alone. */
export function YouSection(): ReactNode {
  const theme = useTheme();
  const isDense = useIsDense();
  const isByClock = useIsByClock();
  const [letters, setLetters] = useLetters();
  const [diff, setDiff] = useState(readPreference("diff") === "split" ? "split" : "unified");
  return (
    <div className="setting-you">
      <Panel name="you" title="You" meta="kept in this browser">
        <div className="form">
          <Choice name="Theme" help="The system's choice follows the time of day, where the system does.">
            <Segmented
              label="Theme"
              value={theme}
              options={[
                ["system", "System"],
                ["dark", "Dark"],
                ["light", "Light"],
              ]}
              onChange={chooseTheme}
            />
          </Choice>
          <Choice name="Density" help="How much room the rows of tables have.">
            <Segmented
              label="Density"
              value={isDense ? "dense" : "roomy"}
              options={[
                ["roomy", "Roomy"],
                ["dense", "Dense"],
              ]}
              onChange={chooseDensity}
            />
          </Choice>
          <Choice name="Times" help="How long ago, or the time of day. The exact one is there when you point at it.">
            <Segmented
              label="Times"
              value={isByClock ? "clock" : "ago"}
              options={[
                ["ago", "Ago"],
                ["clock", "Clock"],
              ]}
              onChange={chooseTimeWay}
            />
          </Choice>
          <Choice name="Changes" help="One column, or both sides beside each other.">
            <Segmented
              label="How changes are shown"
              value={diff}
              options={[
                ["unified", "Unified"],
                ["split", "Split"],
              ]}
              onChange={(mode) => {
                keepPreference("diff", mode);
                setDiff(mode);
              }}
            />
          </Choice>
          <Choice
            name="Keys"
            help="Single letters act. Switch this off if you speak to your computer, or if keys are pressed by accident."
          >
            <Segmented
              label="Single letters"
              value={letters ? "on" : "off"}
              options={[
                ["on", "On"],
                ["off", "Off"],
              ]}
              onChange={(on) => setLetters(on === "on")}
            />
            <Button size="small" hotkey="?" onClick={openKeySheet}>
              All keys
            </Button>
          </Choice>
          <OwnName />
        </div>
      </Panel>
    </div>
  );
}

function OwnName(): ReactNode {
  const id = useId();
  const [name, setName] = useState(ownName);
  const [isBad, setBad] = useState(false);
  return (
    <div className="form-field">
      <label htmlFor={id}>Your name as a holder</label>
      <input
        id={id}
        value={name}
        maxLength={64}
        spellCheck={false}
        aria-invalid={isBad}
        onChange={({ target }) => {
          setName(target.value);
          setBad(!keepOwnName(target.value));
        }}
      />
      <p className="form-help">Units that you hold from the console are held under it.</p>
      {isBad ? (
        <Finding text="A name begins with a letter; then letters, digits, dots, dashes or @. It is not kept." />
      ) : null}
    </div>
  );
}

function Choice(props: { readonly name: string; readonly help: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="you-choice">
      <b>{props.name}</b>
      <span className="you-pick">{props.children}</span>
      <p className="form-help">{props.help}</p>
    </div>
  );
}
