import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { faceLabelOf, fitsFaceHost, isFaceName, parseFaceLabel, toFaceLabel, toFaceOrigin } from "./face-host.ts";

const agent = fc.stringMatching(/^[a-z0-9-]{1,46}$/).filter(fitsFaceHost);
const face = fc.stringMatching(/^[a-z][a-z0-9]{0,15}$/).filter(isFaceName);
const place = fc.record({ agent, face });

test("[FC2] whatever a face is called, its host leads back to it and to no other", () => {
  fc.assert(
    fc.property(place, place, fc.integer({ min: 1, max: 65_535 }), (one, other, port) => {
      const { host, hostname } = new URL(toFaceOrigin(one, port));
      expect(hostname).toBe(`${toFaceLabel(one)}.localhost`);
      expect(toFaceLabel(one).length).toBeLessThanOrEqual(63);
      // Browsers leave the port of plain HTTP out.
      expect(port === 80 ? one : parseFaceLabel(faceLabelOf(host, port) ?? "")).toEqual(one);
      const isSame = one.agent === other.agent && one.face === other.face;
      expect(toFaceLabel(one) === toFaceLabel(other)).toBe(isSame);
    }),
    search(300),
  );
});

test("[FC2] what is read as a face is written the same", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9-]{0,70}$/), (label) => {
      const parsed = parseFaceLabel(label);
      expect(parsed === undefined ? label : toFaceLabel(parsed)).toBe(label);
    }),
    search(300),
  );
});
