// A dev server as people have it, in a living agent: Vite with React, seen through its face by a real browser, which gets what is
// changed in the files without loading the page again.

import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { FaceRig } from "../support/face-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { packOwnPackages } from "../support/own-packages.ts";
import { SampleProject } from "../support/sample-project.ts";

const counter = (title: string): string => `
import { useState } from "react";
export function Counter() {
  const [count, setCount] = useState(0);
  return <><h1>${title}</h1><button onClick={() => setCount(count + 1)}>{count}</button></>;
}
`;

/** What `npm create vite` leaves, but for its pictures. */
const files = {
  ".gitignore": "node_modules\n",
  "package.json": JSON.stringify({ name: "shop", private: true, type: "module", scripts: { dev: "vite" } }),
  "vite.config.js": `
import { defineConfig } from "vite";
import react from "@vitejs/plugin-react";
export default defineConfig({ plugins: [react()] });
`,
  "index.html":
    '<!doctype html><title>shop</title><div id="root"></div><script type="module" src="/src/main.jsx"></script>',
  "src/main.jsx": `
import { createRoot } from "react-dom/client";
import { Counter } from "./Counter.jsx";
createRoot(document.getElementById("root")).render(<Counter />);
`,
  "src/Counter.jsx": counter("old"),
};

/** What a project brings along is there before the first service starts, as it is after `npm ci`. */
const template = `
template: shop
hooks:
  setup: tar -xf packages.tar
services:
  web:
    command: node_modules/.bin/vite --port \${self.port} --strictPort
    ports: [http]
    health: { http: /, interval: 2s, timeout: 2s, start_period: 60s }
faces:
  web: { service: web }
`;

describe.skipIf(noCages || !hasChromium())("a dev server behind a face", () => {
  let rig: FaceRig;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    const sample = new SampleProject(files);
    packOwnPackages(["vite", "@vitejs/plugin-react", "react", "react-dom"], join(sample.root, "packages.tar"));
    sample.commit("what npm ci would bring");
    rig = await FaceRig.start(sample);
    await rig.make(template);
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  const showsTitle = (title: string): Promise<unknown> =>
    page.waitForFunction((text) => document.querySelector("h1")?.textContent === text, title);
  /** How often the button was pressed since the page was loaded. */
  const presses = (): Promise<string | null> => page.textContent("button");
  const changeTitle = async (from: string, to: string): Promise<void> => {
    const argv = ["sed", "-i", `s/${from}/${to}/`, "src/Counter.jsx"];
    await rig.client.call("agent.exec", { agent: "shop-1", argv });
  };

  test("[FC8, FC12] what is changed arrives in the page, which keeps what it has: from a command, and from a run", async () => {
    await page.goto((await rig.client.call("face.open", { agent: "shop-1", face: "web" })).url);
    await showsTitle("old");
    await page.click("button");
    await changeTitle("old", "newer");
    await showsTitle("newer");
    expect(await presses()).toBe("1");
    // A run begins with what is committed. What is changed twice within milliseconds, Vite may hear of once.
    const step = { edit: { path: "src/Counter.jsx", find: "<h1>old</h1>", replace: "<h1>newest</h1>" } };
    const script = JSON.stringify({ task: "another title", steps: [{ ask: "now?" }, step, { ask: "seen?" }] });
    const { run } = await rig.client.call("run.submit", { project: "shop", agent: "shop-1", script });
    await showsTitle("old");
    await expect.poll(async () => (await rig.client.call("run.get", { run })).run.state).toBe("awaiting-input");
    await rig.client.call("run.answer", { run, text: "yes" });
    await showsTitle("newest");
    expect(await presses()).toBe("1");
  });

  test("[FC13] a page whose daemon was killed comes back by itself, and hears of changes again", async () => {
    await rig.again();
    // Its dev server is the same one. The page has only lost its connection, and loads itself again when there is one.
    await page.waitForFunction(() => document.querySelector("button")?.textContent === "0");
    await page.click("button");
    await changeTitle("newest", "again");
    await showsTitle("again");
    expect(await presses()).toBe("1");
  });
});
