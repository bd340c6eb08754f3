// Every icon, on a grid of 16. Shapes of states differ from each other without their colour. A part of class `knock`
// takes the colour of the ground, so that it looks cut out.

import type { ReactNode } from "react";

const ring = <circle cx="8" cy="8" r="5.75" className="line" />;
const faintRing = <circle cx="8" cy="8" r="5.75" className="line" opacity=".35" />;

export const iconShapes = {
  more: <path className="fill" d="M2 6.75h2.5v2.5H2ZM6.75 6.75h2.5v2.5h-2.5ZM11.5 6.75H14v2.5h-2.5Z" />,
  queued: <circle cx="8" cy="8" r="5.75" className="line" strokeDasharray="2.4 2.12" />,
  starting: (
    <>
      {faintRing}
      <path className="line" strokeWidth="2" d="M8 2.25A5.75 5.75 0 0 1 13.75 8" />
    </>
  ),
  running: <path className="fill" d="M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13ZM6.3 4.9 11.4 8l-5.1 3.1Z" />,
  blocked: <path className="fill" d="M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13ZM4 6.9h8v2.2H4Z" />,
  parked: (
    <>
      {ring}
      <path className="line" strokeWidth="2" d="M5.2 8h5.6" />
    </>
  ),
  awaiting: (
    <>
      <path
        className="fill"
        d="M3.5 1.5h9a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9L5.5 15v-3.5h-2a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2Z"
      />
      <path className="line knock" d="M6.3 5.3A1.7 1.7 0 1 1 8.6 7c-.45.2-.6.4-.6.8" />
      <circle className="fill knock" cx="8" cy="9.6" r=".85" />
    </>
  ),
  paused: (
    <>
      {ring}
      <path className="line" d="M6.5 5.75v4.5M9.5 5.75v4.5" />
    </>
  ),
  validating: (
    <path
      className="line"
      d="M5.75 2h4.5M6.75 2v4L3.2 12.3A1.15 1.15 0 0 0 4.2 14h7.6a1.15 1.15 0 0 0 1-1.7L9.25 6V2M5 10.5h6"
    />
  ),
  review: (
    <>
      <path
        className="fill"
        d="M4 1.5h8A2.5 2.5 0 0 1 14.5 4v8a2.5 2.5 0 0 1-2.5 2.5H4A2.5 2.5 0 0 1 1.5 12V4A2.5 2.5 0 0 1 4 1.5Z"
      />
      <path className="line knock" d="M8 4v4.2M5.9 6.1h4.2M5.9 11h4.2" />
    </>
  ),
  landing: (
    <>
      <path className="line" strokeWidth="1.7" d="M8 1.75v7M4.75 6 8 9.25 11.25 6" />
      <path className="line" strokeWidth="2" d="M1.75 13h12.5" />
    </>
  ),
  done: (
    <>
      {ring}
      <path className="line" d="M5.4 8.2 7.2 10l3.4-3.8" />
    </>
  ),
  failed: (
    <>
      <path className="fill" d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3Z" />
      <path className="line knock" strokeWidth="1.7" d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" />
    </>
  ),
  rejected: (
    <>
      {ring}
      <path className="line" d="M6 6l4 4M10 6l-4 4" />
    </>
  ),
  terminated: (
    <>
      {ring}
      <rect className="fill" x="5.75" y="5.75" width="4.5" height="4.5" rx=".8" />
    </>
  ),
  ready: (
    <>
      {ring}
      <circle className="fill" cx="8" cy="8" r="2.2" />
    </>
  ),
  stopping: (
    <>
      {faintRing}
      <path className="line" strokeWidth="2" d="M8 2.25A5.75 5.75 0 0 1 13.75 8" />
      <path className="fill" d="M6 6h4v4H6Z" />
    </>
  ),
  stopped: <path className="line" d="M3.5 3.5h9v9h-9Z" />,
  file: <path className="line" d="M3.5 1.8h6l3 3v9.4h-9ZM9.5 1.8v3h3" />,
  dir: <path className="line" d="M1.8 3.5h4.4l1.5 1.7h6.5v7.8H1.8Z" />,
  process: <path className="line" d="M2 3h12v10H2ZM4.5 6l2 2-2 2M8.5 10h3" />,
  held: <path className="fill" d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2h1v7h-9V7Zm1.6 0h3.8V5a1.9 1.9 0 0 0-3.8 0Z" />,
  clock: (
    <>
      {ring}
      <path className="line" d="M8 4.8V8l2.2 1.6" />
    </>
  ),
  overview: <path className="line" d="M1.5 5h13M1.5 11h5l3-6" />,
  project: <path className="line" d="M1.5 10.5h13M4 10.5 8 5h3.5" />,
  runs: <path className="line" d="M2 4h2M2 8h2M2 12h2M6.5 4H14M6.5 8H14M6.5 12H14" />,
  locks: <path className="line" d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9Z" />,
  events: <path className="line" d="M1.5 8H4l2-5 3.5 10 2-5h3" />,
  stuck: <path className="line" d="M4 2h8M4 14h8M5 2v3l3 3 3-3V2M5 14v-3l3-3 3 3v3" />,
  budget: (
    <>
      {ring}
      <path className="line" d="M9.8 6.2C9.3 5.4 6.2 5.2 6.2 6.8c0 1.8 3.7.7 3.7 2.5 0 1.6-3.1 1.5-3.8.5M8 4.2v7.6" />
    </>
  ),
  agents: <path className="line" d="M8 1.8 13.5 5v6L8 14.2 2.5 11V5ZM2.5 5 8 8.2 13.5 5M8 8.2v6" />,
  inbox: <path className="line" d="M2 9.5 3.8 3h8.4L14 9.5V13H2ZM2 9.5h3.5l1 2h3l1-2H14" />,
  settings: (
    <>
      <path className="line" d="M1.8 4.5h6M11.2 4.5h3M1.8 11.5h3M8.2 11.5h6" />
      <circle cx="9.5" cy="4.5" r="1.7" className="line" />
      <circle cx="6.5" cy="11.5" r="1.7" className="line" />
    </>
  ),
  out: <path className="line" d="M9 2.5h4.5V7M13.5 2.5 7.5 8.5M6 4H2.5v9.5H12V10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" className="line" />
      <path className="line" d="M10.5 10.5 14 14" />
    </>
  ),
  theme: (
    <>
      {ring}
      <path className="fill" d="M8 2.5a5.5 5.5 0 0 1 0 11Z" />
    </>
  ),
  keys: <path className="line" d="M1.5 4.5h13v7h-13ZM4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 9.3h6" />,
  command: <path className="line" d="M2.5 3.5 7 8l-4.5 4.5M8.5 12.5h5" />,
  copy: <path className="line" d="M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3" />,
  next: <path className="line" d="M6 3.5 10.5 8 6 12.5" />,
  back: <path className="line" d="M10 3.5 5.5 8 10 12.5" />,
  guarded: (
    <path className="line" d="M8 1.8 13.5 4v4c0 3.2-2.3 5.4-5.5 6.3C4.8 13.4 2.5 11.2 2.5 8V4ZM8 5v3.4M8 10.8h.01" />
  ),
  permission: (
    <>
      <path className="fill" d="M8 1 14 3.4v4.3c0 3.6-2.6 6-6 7.1-3.4-1.1-6-3.5-6-7.1V3.4Z" />
      <path className="line knock" strokeWidth="1.6" d="M5.2 7.8 7.2 9.9 10.9 6" />
    </>
  ),
  trash: <path className="line" d="M2.5 4h11M6 4V2.3h4V4M4 4l.7 10h6.6L12 4M6.6 6.8l.2 4.6M9.4 6.8l-.2 4.6" />,
  save: <path className="line" d="M8 2v7M5 6.5 8 9.5l3-3M2.5 11v2.8h11V11" />,
  message: <path className="line" d="M2 2.5h12v8.5H8.5L5 14v-3H2Z" />,
  check: <path className="line" strokeWidth="1.8" d="M3 8.5 6.5 12 13 4.5" />,
  close: <path className="line" d="M4 4l8 8M12 4l-8 8" />,
  off: (
    <path
      className="line"
      d="M2 2l12 12M4.2 7.3A6 6 0 0 1 6 6.2M8.6 5.5c1.6.2 3 .9 4 2M8 12.2h.01M6.2 9.8A3 3 0 0 1 8 9.2"
    />
  ),
  person: (
    <>
      <circle cx="8" cy="5.2" r="2.7" className="line" />
      <path className="line" d="M2.8 14c.4-2.9 2.5-4.6 5.2-4.6s4.8 1.7 5.2 4.6" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof iconShapes;
