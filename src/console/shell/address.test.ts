import { expect, test } from "vitest";
import { sections } from "../settings/sections.ts";
import { isNowhere, momentOf, parseAddress, toHref } from "./address.ts";

const at = (path: string) => parseAddress(new URL(path, "http://127.0.0.1:4180"));

test.each([
  ["/?project=track&signal=wait&find=a%26b&run=r_1", { place: "overview", find: "a&b", run: "r_1", tone: "wait" }],
  [
    "/locks?project=track&find=a%26b&unit=track%3Afile%3Aa.ts&run=r_1",
    { place: "locks", find: "a&b", unit: "track:file:a.ts" },
  ],
  ["/runs?state=running%2Cblocked&runner=script&tag=api&find=x", { place: "runs", states: ["running", "blocked"] }],
  ["/runs/r_1a?step=3&file=src%2Fa+b.ts&show=call", { place: "run", id: "r_1a", step: 3, file: "src/a b.ts" }],
  ["/runs/r_1a?terminal=te_2b&look=only", { place: "run", terminal: "te_2b", look: "only" }],
  ["/inbox?project=track&kind=review", { place: "inbox", need: "review" }],
  ["/agents?state=error&find=shop", { place: "agents", agentState: "error", find: "shop" }],
  ["/agents/a_1a?service=web&said=GET+%2F", { place: "agent", id: "a_1a", service: "web", said: "GET /" }],
  ["/agents/a_1a?windows=side%7Ete_1a%2Cv.web", { place: "agent", panes: "side~te_1a,v.web" }],
  ["/landing?project=track&file=src%2Fa.ts", { place: "landing", project: "track", file: "src/a.ts" }],
  ["/?units=contended&waits=order", { place: "overview", units: "contended", waits: "order" }],
  [
    "/locks?units=held&waits=tree&span=12h&folded=shop%3Adir%3Asrc%2Ca&folded=shop%3A",
    { units: "held", waits: "tree", span: "12h", folded: ["shop:dir:src,a", "shop:"] },
  ],
  ["/agents?as=cards", { place: "agents", list: "cards" }],
  ["/agents/a_1a?span=day", { place: "agent", span: "day" }],
  ["/?signal=wait&at=812", { place: "overview", at: 812 }],
  ["/events", { place: "events", types: [], event: null }],
  ["/events?type=run.%2Clease.granted&of=r_1a&unit=dir%3Asrc&find=x&event=812", { of: "r_1a", event: 812 }],
])("%s says what is seen, and back again", (href, seen) => {
  expect(at(href)).toMatchObject(seen);
  expect(toHref(at(href))).toBe(href);
});

test.each(sections.map(({ id }) => id))("the section %s of the settings has an address", (id) => {
  const href = `/settings/${id}?name=x`;
  expect(at(href)).toMatchObject({ place: "section", id, item: "x" });
  expect(toHref(at(href))).toBe(href);
});

test.each([
  ["/nowhere?signal=purple", "/"],
  ["/run", "/"],
  ["/runs/r_1a?terminal=<b>&look=twice", "/runs/r_1a"],
  ["/agent", "/"],
  ["/agents/<b>?state=flying", "/agents"],
  ["/agents/a_1a?windows=side~<b>", "/agents/a_1a"],
  ["/runs/<b>?step=1e9&show=all", "/runs"],
  ["/locks?units=all&waits=twice&span=1h&folded=", "/locks?folded="],
  ["/agents?as=pie&folded=x", "/agents"],
  ["/runs?state=running,flying", "/runs?state=running"],
  ["/events?type=run.,<b>&of=<b>&event=-1&signal=wait", "/events?type=run."],
])("of %s it leaves out what it does not know", (path, href) => {
  expect(toHref(at(path))).toBe(href);
});

test("what belongs to one place stays behind when one goes to another", () => {
  const page = at("/runs/r_1?project=track&step=2&file=a");
  expect(toHref({ ...page, place: "locks" })).toBe("/locks?project=track");
});

test("the moment stays when one goes elsewhere, also to a place that has no past and shows now", () => {
  const locks = at("/locks?at=3");
  for (const place of ["landing", "inbox", "events"] as const) {
    expect(toHref({ ...locks, place })).toBe(`/${place}?at=3`);
    expect(momentOf(at(`/${place}?at=3`))).toBe(place === "events" ? null : 3);
  }
  expect(toHref(at("/settings/policies?name=ask&at=3"))).toBe("/settings/policies?name=ask&at=3");
});

test("a path that leads to no place is told from those that do", () => {
  for (const path of [
    "/",
    "/runs",
    "/runs/",
    "/runs/r_1a",
    "/inbox",
    "/agents",
    "/agents/",
    "/agents/shop-1",
    "/locks",
    "/landing",
    "/events",
  ])
    expect([path, isNowhere(path)]).toEqual([path, false]);
  for (const path of ["/nope", "/run", "/runs/nope", "/runs/r_1a/more", "/agents/a_1a/more", "/agent", "/locks/file"])
    expect([path, isNowhere(path)]).toEqual([path, true]);
});
