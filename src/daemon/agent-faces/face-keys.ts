// What opens a face, and nothing but that face. A person comes by a link that works once and leaves a cookie; a program
// sends a token of the face, or the daemon's own. An agent that is made anew under an old name is another agent: keys are
// bound to its id.

import type { Clock } from "../../ports/clock.ts";
import { isSame } from "../http/guards.ts";
import { OnceLinks } from "../http/once-links.ts";
import { cookieValues, SignedClaims } from "../http/signed-claims.ts";

/** Which face: the id of its agent, and its name. */
export type FaceKey = { readonly agent: string; readonly face: string };

export const faceKeyLifeMs = 12 * 3_600_000;
/** As long as browsers keep a cookie. */
const ownerLifeMs = 400 * 24 * 3_600_000;
/** By this a token is known as ours whatever it opens, and is never shown to a service. */
const tokenPrefix = "signalbox_face_";

/** Whether whoever has the code was told to forget what the pages of others left. Only we know: no page can say so. */
type Opens = FaceKey & { readonly isCleared: boolean };

export class FaceKeys {
  readonly #cookie: string;
  /** Says whose pages the browser has kept things of. */
  readonly #ownerCookie: string;
  readonly #token: string;
  readonly #claims: SignedClaims;
  readonly #links: OnceLinks<Opens>;

  constructor(clock: Clock, port: number, token: string) {
    this.#cookie = `signalbox_face_${port}`;
    this.#ownerCookie = `signalbox_owner_${port}`;
    this.#token = token;
    this.#claims = new SignedClaims(clock, token);
    this.#links = new OnceLinks(clock);
  }

  makeLink(key: FaceKey): string {
    return this.#links.make({ ...key, isCleared: false });
  }

  /** For a browser that is told to forget first: the code to come again with. The one that it came with is used up. */
  clear(code: string, key: FaceKey): string | undefined {
    const opens = this.#links.look(code);
    if (!isSameFace(opens, key) || opens?.isCleared === true) return undefined;
    return this.#links.renew(code, { ...key, isCleared: true });
  }

  /** Uses a code up, also one of another face. The answer are the cookies to set. */
  open(code: string, key: FaceKey): string[] | undefined {
    if (!isSameFace(this.#links.use(code), key)) return undefined;
    const claim = this.#claims.make(this.#scopeOf(key), faceKeyLifeMs);
    return [
      `${this.#cookie}=${claim}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${faceKeyLifeMs / 1000}`,
      `${this.#ownerCookie}=${this.#claims.make(this.#ownerScopeOf(key), ownerLifeMs)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${ownerLifeMs / 1000}`,
    ];
  }

  hasCookie(cookies: string | undefined, key: FaceKey): boolean {
    return cookieValues(cookies, this.#cookie).some((value) => this.#claims.isGood(this.#scopeOf(key), value));
  }

  /** Whether what the browser has kept for this host is certainly of this agent's pages. */
  isOwner(cookies: string | undefined, key: FaceKey): boolean {
    const owners = cookieValues(cookies, this.#ownerCookie);
    return owners.some((owner) => this.#claims.isGood(this.#ownerScopeOf(key), owner));
  }

  makeToken(key: FaceKey): string {
    return `${tokenPrefix}${this.#claims.make(this.#scopeOf(key), faceKeyLifeMs)}`;
  }

  /** Whether a bearer token opens this face. */
  admits(token: string, key: FaceKey): boolean {
    if (isSame(token, this.#token)) return true;
    return token.startsWith(tokenPrefix) && this.#claims.isGood(this.#scopeOf(key), token.slice(tokenPrefix.length));
  }

  /** Whether a token is one of ours, good or not: no service may see it. */
  isOurs(token: string): boolean {
    return token.startsWith(tokenPrefix) || isSame(token, this.#token);
  }

  #ownerScopeOf({ agent }: FaceKey): string {
    return `${this.#ownerCookie} ${agent}`;
  }

  #scopeOf({ agent, face }: FaceKey): string {
    return `${this.#cookie} ${agent} ${face}`;
  }
}

function isSameFace(one: FaceKey | undefined, other: FaceKey): boolean {
  return one?.agent === other.agent && one.face === other.face;
}
