import type { ReactNode } from "react";
import { Icon } from "../parts/icon.tsx";
import { Link } from "../shell/link.tsx";
import { PoliciesSection } from "./policies-section.tsx";
import { ProfilesSection } from "./profiles-section.tsx";
import { ProjectsSection } from "./projects-section.tsx";
import { RunnersSection } from "./runners-section.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { sections } from "./sections.ts";
import { TasksSection } from "./tasks-section.tsx";
import { TemplatesSection } from "./templates-section.tsx";
import { YouSection } from "./you-section.tsx";
import "./settings.css";

/** What is set: projects, tasks, profiles, policies, runners, and what this person likes. */
export function SettingsPage({ section }: { readonly section: string }): ReactNode {
  return (
    <div className="board settings-place">
      <nav className="settings-nav" aria-label="Settings">
        {sections.map(({ id, label, icon }) => (
          <Link
            key={id}
            to={{ place: "section", id, item: null }}
            className="rail-link"
            {...(id === section ? { current: "page" } : {})}
          >
            <Icon name={icon} />
            <span>{label}</span>
          </Link>
        ))}
      </nav>
      <Section section={section} />
    </div>
  );
}

function Section({ section }: { readonly section: string }): ReactNode {
  if (section === "tasks") return <TasksSection />;
  if (section === "profiles") return <ProfilesSection />;
  if (section === "policies") return <PoliciesSection />;
  if (section === "templates") return <TemplatesSection />;
  if (section === "secrets") return <SecretsSection />;
  if (section === "runners") return <RunnersSection />;
  return section === "you" ? <YouSection /> : <ProjectsSection />;
}
