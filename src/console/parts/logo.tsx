import type { ReactNode } from "react";

export function Logo(): ReactNode {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path className="logo-track" d="M2 17h20M5.5 17l7-10H17" />
      <circle className="logo-lamp" cx="19.4" cy="7" r="2.6" />
    </svg>
  );
}
