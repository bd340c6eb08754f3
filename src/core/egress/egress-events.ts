// What is written down of the connections that a run makes or tries to make.

import type { Target } from "./egress.ts";

/** Why a connection was not made. */
export type EgressRefusal =
  /** The run has no network any more. */
  | "no-network"
  | "not-listed"
  /** The name leads to an address that is not public. */
  | "private-address"
  | "unknown-host"
  | "unreachable"
  /** What was asked for inside TLS is not what was asked for outside. */
  | "other-name"
  | "too-many";

/** Whose connection it is: a run's in a cage of its own, or an agent's, whoever is in it. */
export type EgressOwner = { readonly run: string } | { readonly agent: string };

/** In an agent: the run at work in it by whose profile a face of an agent is called (FC16). Left out for everything else. */
export type EgressTenant = { readonly tenant?: string };

/** Somebody tried to reach something. It is in the log before the first byte passes. */
export type EgressTried = Target &
  EgressOwner &
  EgressTenant & {
    readonly type: "egress.tried";
    readonly v: 1;
    /** What it is connected to, null where there was no address to connect to. */
    readonly address: string | null;
    readonly refused: EgressRefusal | null;
  };

/** What has passed since the last time, and how many further tries were not told one by one. */
export type EgressSummed = Target &
  EgressOwner &
  EgressTenant & {
    readonly type: "egress.summed";
    readonly v: 1;
    readonly connections: number;
    readonly refusals: number;
    readonly bytesOut: number;
    readonly bytesIn: number;
  };

export type EgressEvent = EgressTried | EgressSummed;

type Reported<E extends EgressEvent> = Omit<E, "v" | "type" | "run" | "agent"> & EgressOwner;
export type EgressInput =
  | ({ readonly type: "egress.try" } & Reported<EgressTried>)
  | ({ readonly type: "egress.sum" } & Reported<EgressSummed>);

/** What a run had to do with one host and port. */
export type Reached = Target & {
  connections: number;
  refusals: number;
  bytesOut: number;
  bytesIn: number;
  /** The last address that it led to. */
  address: string | null;
  /** Why the last connection that was not made was not. */
  refused: EgressRefusal | null;
  lastAtMs: number;
};

/** Stands for all hosts beyond those that are told apart. */
export const otherHosts: Target = { host: "*", port: 0 };
