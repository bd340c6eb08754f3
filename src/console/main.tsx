// The console starts here: one client, one live store, one page.

import "./style/order.ts";
import { createRoot } from "react-dom/client";
import { connectHttp } from "../client/client.ts";
import { LiveProvider } from "./live/live-context.tsx";
import { LiveStore } from "./live/live-store.ts";
import { App } from "./shell/app.tsx";
import { keepPlaces } from "./shell/kept-places.ts";
import { pressOnce } from "./shell/keys.ts";
import { reloadForNewRelease } from "./shell/new-release.ts";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
reloadForNewRelease();
keepPlaces();
pressOnce();
const client = connectHttp({ url: "" });
const store = new LiveStore(client);
store.start();

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the console");
createRoot(root).render(
  <LiveProvider box={{ store, client }}>
    <App />
  </LiveProvider>,
);
