import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { ActProvider } from "../acts/act-context.tsx";
import { ToastList } from "../acts/toast-list.tsx";
import { AgentPage } from "../agent/agent-page.tsx";
import { AgentsPage } from "../agents/agents-page.tsx";
import { EventsPage } from "../events/events-page.tsx";
import { InboxProvider } from "../inbox/inbox-context.tsx";
import { InboxPage } from "../inbox/inbox-page.tsx";
import { LandingPage } from "../landing/landing-page.tsx";
import { LocksPage } from "../locks/locks-page.tsx";
import { Board } from "../overview/board.tsx";
import { Empty } from "../overview/empty.tsx";
import { Skeleton } from "../overview/skeleton.tsx";
import { useBox, useLive } from "../live/live-context.tsx";
import { PaletteHost } from "../palette/palette-host.tsx";
import { PastBar } from "../past/past-bar.tsx";
import { PastProvider, usePast } from "../past/past-provider.tsx";
import { RunPage } from "../review/run-page.tsx";
import { RunSheet } from "../run/run-sheet.tsx";
import { RunsPage } from "../runs/runs-page.tsx";
import { Awaited } from "../parts/awaited.tsx";
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

// Forms, and what they are made of: not needed by whoever watches.
const SettingsPage = lazy(async () => {
  const { SettingsPage: page } = await import("../settings/settings-page.tsx");
  return { default: page };
});

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
    (state) => state.runs.size === 0 && state.locks.leases.length + state.locks.queue.length === 0,
  );
  if (!loaded) return link === "failed" ? <Failed /> : <Skeleton />;
  if (link === "failed") return <Failed />;
  if (isNowhere(location.pathname)) return <Nowhere path={location.pathname} />;
  if (place === "run" && id !== null) return <RunPage key={id} id={id} />;
  if (place === "agent" && id !== null) return <AgentPage key={id} at={id} />;
  if (place === "inbox") return <InboxPage />;
  if (place === "agents") return <AgentsPage />;
  if (place === "events") return <EventsPage />;
  if (place === "landing" && hasProject) return <LandingPage />;
  if (place === "settings" || place === "section") {
    return (
      <Suspense fallback={<Awaited what="Reading the settings" />}>
        <SettingsPage section={id ?? "projects"} />
      </Suspense>
    );
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
