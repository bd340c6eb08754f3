// Takes pictures of every place of the console, in every state, on a desk and on a phone, in dark and in light: with a daemon and
// sample runs of its own, in a real browser (`npm run pictures`). They go into .cache/pictures, which nobody keeps. `--only NAME` takes
// those with NAME in their name, `--variant phone-light` one variant alone, and `--docs` those that the documents show, and gives them
// to the documents.

import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { ConsoleRig, hasChromium, launchChromium } from "../test/support/console-rig.ts";
import { removeAgents } from "../test/support/living-agents.ts";
import { buildProgram } from "./build-program.ts";
import { Camera } from "./pictures/camera.ts";
import { conflictNames, openConflict } from "./pictures/conflict.ts";
import { copyChosen, isChosen } from "./pictures/chosen.ts";
import { startCrowd } from "./pictures/crowd.ts";
import { toPlaces, troubledPlaces } from "./pictures/places.ts";
import { crowdedPlaces, emptyPlaces, onePlaces, signedOut, toErrors, toLoading, toLong } from "./pictures/states.ts";
import { holdMany, makeTroubles, makeWorld, submitLong } from "./pictures/world.ts";
import { root } from "./run.ts";

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      docs: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      variant: { type: "string", default: "" },
      folder: { type: "string", default: path.join(root, ".cache/pictures") },
    },
  });
  if (!hasChromium()) {
    console.error("signalbox: there is no Chromium at /usr/bin/chromium; SIGNALBOX_CHROMIUM may name another.");
    return 1;
  }
  await buildProgram();
  const browser = await launchChromium(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
  const { only, variant, docs } = values;
  const isWanted = (picture: string): boolean =>
    picture.includes(only) && picture.endsWith(variant) && (!docs || isChosen(picture));
  const camera = new Camera(browser, { folder: values.folder, isWanted });
  try {
    await takeSmall(browser, camera);
    await takeWorld(camera);
    await takeConflict(camera);
    await takeCrowd(camera);
  } finally {
    await browser.close();
  }
  const troubles = [...camera.missed];
  if (docs) troubles.push(...copyChosen({ from: values.folder, to: path.join(root, "docs/images") }));
  for (const trouble of troubles) console.error(`signalbox: ${trouble}`);
  return troubles.length === 0 ? 0 : 1;
}

/** Nobody is signed in, nothing is there, one of everything is there. */
async function takeSmall(browser: Browser, camera: Camera): Promise<void> {
  if (!camera.wants([signedOut, ...emptyPlaces, ...onePlaces])) return;
  const rig = await ConsoleRig.start();
  try {
    const nobody = await browser.newContext();
    await camera.take({ url: rig.url, state: await nobody.storageState() }, [signedOut]);
    await nobody.close();
    const session = await camera.signIn(rig.loginUrl);
    await camera.take(session, emptyPlaces);
    const client = await rig.connect();
    await client.call("project.add", { root: await rig.makeFolder("track"), name: "track" });
    const script = JSON.stringify({ task: "one", steps: [{ claim: "file:src/one.ts" }, { ask: "Go on?" }] });
    const { run } = await client.call("run.submit", { project: "track", title: "The only one", script });
    await client.waitForRun(run, { states: ["awaiting-input"] });
    await camera.take(session, onePlaces);
  } finally {
    await rig.remove();
  }
}

/** A morning: every place, every state, and at last a daemon that is gone. */
async function takeWorld(camera: Camera): Promise<void> {
  const rig = await ConsoleRig.start();
  try {
    const client = await rig.connect();
    const world = await makeWorld(rig, client);
    const session = await camera.signIn(rig.loginUrl);
    await camera.take(session, [...toPlaces(world), ...toLoading(world), ...toErrors(world)]);
    const away = { name: "disconnected", at: "/", ready: ".app[data-link=live] [data-lane]" };
    let back = session;
    if (camera.wants([away])) {
      await camera.takeTogether(
        session,
        {
          ...away,
          after: async (page) => {
            await page.getByText(/Disconnected for (?:[3-9]|\d\d)s/).waitFor();
          },
        },
        () => rig.kill(),
      );
      await rig.up();
      back = await camera.signIn(rig.loginUrl);
    }
    const again = await rig.connect();
    if (camera.wants(troubledPlaces)) {
      await makeTroubles(again);
      await camera.take(back, troubledPlaces);
    }
    const long = await submitLong(again);
    await holdMany(again);
    await camera.take(back, toLong(long));
    await removeAgents(again);
  } finally {
    await rig.remove();
  }
}

async function takeConflict(camera: Camera): Promise<void> {
  if (!conflictNames.some((name) => camera.wants([{ name, at: "", ready: "" }]))) return;
  const conflict = await openConflict();
  try {
    await camera.take(await camera.signIn(conflict.loginUrl), conflict.shots);
  } finally {
    await conflict.close();
  }
}

async function takeCrowd(camera: Camera): Promise<void> {
  if (!camera.wants(crowdedPlaces)) return;
  const crowd = await startCrowd();
  try {
    await camera.take(await camera.signIn(crowd.loginUrl), crowdedPlaces);
  } finally {
    crowd.stop();
  }
}
