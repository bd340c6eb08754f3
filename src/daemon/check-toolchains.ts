// What of the person's PATH agents do not see, and why, as the doctor says it.

import { chmod } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { agentUser, groundOutside, sightOf } from "../node/keepers/agent-ground.ts";
import { findPlace } from "../node/keepers/probe-cage.ts";
import { findToolchains, type Toolchains, toolchainsVariable } from "../node/keepers/toolchains.ts";
import { inTrialFolder } from "../node/trial-folder.ts";
import { homeFrom } from "../protocol/home.ts";
import type { DoctorReport } from "../protocol/wire/status.ts";
import { mustBeApart } from "./own-folders.ts";

type Check = DoctorReport["checks"][number];

const shownMax = 8;

/** Agents have the system's programs all the same, so nothing here is needed. */
export async function checkToolchains(home: string, ground: readonly string[]): Promise<Check> {
  const places = [...ground, await findPlace(agentUser())];
  return inTrialFolder(places, (place) => lookFrom(place, home));
}

async function lookFrom(place: string, home: string): Promise<Check> {
  try {
    await chmod(place, 0o711);
    const own = [home, dirname(groundOutside(home)), homeFrom({ ...process.env, SIGNALBOX_HOME: "" })];
    const check = (folder: string): Promise<void> => mustBeApart(folder, own);
    const found = await findToolchains({ env: process.env, home: homedir(), ...sightOf(place), check });
    return toCheck(found);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name: "toolchains", ok: false, needed: true, detail, fix: `mend ${toolchainsVariable}` };
  }
}

function toCheck({ left }: Toolchains): Check {
  const check = { name: "toolchains", needed: false };
  if (left.length === 0) return { ...check, ok: true, detail: "agents see everything on your PATH", fix: null };
  const said = left.slice(0, shownMax).map(({ folder, why }) => `${folder} (${why})`);
  const more = left.length > shownMax ? `, and ${left.length - shownMax} more` : "";
  const detail = `on your PATH, not seen inside: ${said.join(", ")}${more}`;
  const fix = `agents have the system's programs; ${toolchainsVariable}=FOLDER:… in the daemon's environment shows more`;
  return { ...check, ok: false, detail, fix };
}
