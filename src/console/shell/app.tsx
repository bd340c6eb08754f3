import { type ReactNode, useEffect } from "react";
import { ActProvider } from "../acts/act-context.tsx";
import { ToastList } from "../acts/toast-list.tsx";
import { AgentsPage } from "../agents/agents-page.tsx";
import { InboxProvider } from "../inbox/inbox-context.tsx";
import { InboxPage } from "../inbox/inbox-page.tsx";
import { Board } from "../overview/board.tsx";
import { Empty } from "../overview/empty.tsx";
import { Skeleton } from "../overview/skeleton.tsx";
import { useBox, useLive } from "../live/live-context.tsx";
import { PaletteHost } from "../palette/palette-host.tsx";
import { PastBar } from "../past/past-bar.tsx";
import { PastProvider, usePast } from "../past/past-provider.tsx";
import { RunSheet } from "../run/run-sheet.tsx";
import { RunsPage } from "../runs/runs-page.tsx";
import { fetchSoon, later } from "../parts/later.tsx";
import { isNowhere, useAddress } from "./address.ts";
import { Banner } from "./banner.tsx";
import { Failed } from "./failed.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { Link } from "./link.tsx";
import { Rail } from "./rail.tsx";
import { SelectionProvider } from "./selection.tsx";
import { SignedOut } from "./signed-out.tsx";
import { Tabs } from "./tabs.tsx";
import { Title } from "./title.ts";
import { TopBar } from "./top-bar.tsx";
import "./app.css";

// Whoever opens the console looks at the overview, the inbox or a list first.
const RunPage = later("Reading the run", async () => (await import("../review/run-page.tsx")).RunPage, { soon: true });
const AgentPage = later("Reading the agent", async () => (await import("../agent/agent-page.tsx")).AgentPage, {
  soon: true,
});
const LocksPage = later("Reading the locks", async () => (await import("../locks/locks-page.tsx")).LocksPage, {
  soon: true,
});
const LandingPage = later(
  "Reading the landings",
  async () => (await import("../landing/landing-page.tsx")).LandingPage,
  {
    soon: true,
  },
);
const EventsPage = later("Reading the events", async () => (await import("../events/events-page.tsx")).EventsPage, {
  soon: true,
});
// Forms, and what they are made of: not needed by whoever watches.
const NewRun = later("Reading the form", async () => (await import("../settings/new-run.tsx")).NewRun);
const SettingsPage = later(
  "Reading the settings",
  async () => (await import("../settings/settings-page.tsx")).SettingsPage,
);

export function App(): ReactNode {
  const link = useLive((state) => state.link.is);
  useProjectOfAddress();
  if (link === "signed-out") return <SignedOut />;
  return (
    <PastProvider>
      <Page />
    </PastProvider>
  );
}

function Page(): ReactNode {
  const link = useLive((state) => state.link.is);
  const isLoaded = useLive((state) => state.status !== null);
  useEffect(() => {
    if (isLoaded) fetchSoon();
  }, [isLoaded]);
  const { isThere } = usePast();
  const { run } = useAddress();
  return (
    <SelectionProvider>
      <ActProvider>
        <InboxProvider>
          <Title />
          <a className="skip" href="#main">
            Skip to content
          </a>
          <div className="app" data-link={link} data-old={isThere ? undefined : ""}>
            <Rail />
            <TopBar />
            <main id="main" tabIndex={-1}>
              <Banner />
              <PastBar />
              <Content />
            </main>
            {run === null ? null : <RunSheet key={run} id={run} />}
            <Tabs />
          </div>
          <KeySheet />
          <PaletteHost />
          <ToastList />
        </InboxProvider>
      </ActProvider>
    </SelectionProvider>
  );
}

function Content(): ReactNode {
  const { place, id } = useAddress();
  const hasProject = useLive((state) => state.projects.length > 0);
  const link = useLive((state) => state.link.is);
  const loaded = useLive((state) => state.status !== null);
  const isEmpty = useLive(
    ({ runs, agents, locks }) => runs.size + agents.size + locks.leases.length + locks.queue.length === 0,
  );
  if (!loaded) return link === "failed" ? <Failed /> : <Skeleton />;
  if (link === "failed") return <Failed />;
  if (isNowhere(location.pathname)) return <Nowhere path={location.pathname} />;
  if (place === "new-run") return <NewRun />;
  if (place === "run" && id !== null) return <RunPage key={id} id={id} />;
  if (place === "agent" && id !== null) return <AgentPage key={id} at={id} />;
  if (place === "inbox") return <InboxPage />;
  if (place === "agents") return <AgentsPage />;
  if (place === "events") return <EventsPage />;
  if (place === "landing" && hasProject) return <LandingPage />;
  if (place === "settings" || place === "section") {
    return <SettingsPage section={id ?? "projects"} />;
  }
  if (place === "locks" && hasProject) return <LocksPage />;
  if (isEmpty && link !== "past") return <Empty />;
  return place === "runs" ? <RunsPage /> : <Board />;
}

function Nowhere({ path }: { readonly path: string }): ReactNode {
  return (
    <div className="page-note" role="alert">
      <h2>There is no page {path}</h2>
      <p className="dim">The address is wrong, or of another release.</p>
      <Link to={{ place: "overview" }} className="btn plain">
        Overview
      </Link>
    </div>
  );
}

/** The store fetches the ended runs of the project that the address names. */
function useProjectOfAddress(): void {
  const { store } = useBox();
  const { project } = useAddress();
  const id = useLive((state) => state.projects.find(({ name }) => name === project)?.id ?? null);
  useEffect(() => store.showProject(id), [store, id]);
}
