// The sections of the settings, each with its own address.

import type { IconName } from "../parts/icon-shapes.tsx";

export const sections = [
  { id: "projects", label: "Projects", icon: "project" },
  { id: "tasks", label: "Tasks", icon: "check" },
  { id: "profiles", label: "Profiles", icon: "person" },
  { id: "policies", label: "Policies", icon: "guarded" },
  { id: "runners", label: "Runners", icon: "running" },
  { id: "templates", label: "Templates", icon: "file" },
  { id: "secrets", label: "Secrets", icon: "held" },
  { id: "you", label: "You", icon: "keys" },
] as const satisfies readonly { readonly id: string; readonly label: string; readonly icon: IconName }[];
