import { describe, expect, it } from "vitest";
import { noEscalation } from "../../src/model/escalation.ts";
import { Progress } from "../../src/model/event.ts";
import { progressOf } from "../../src/recover/progress-of.ts";
import { afterAcceptance, afterFailure } from "../../src/recover/track-escalation.ts";
import { countOf, evidenceWith, measuredFailure, plainFailure, setOf } from "../support/sample-failure.ts";

const first = afterFailure(noEscalation, "1.3", measuredFailure(["a", "b", "c"]));

describe("progressOf", () => {
  it("is not known before anything failed, where the last failure has no set, and after all was accepted", () => {
    expect(progressOf(noEscalation)).toBeNull();
    expect(progressOf(afterFailure(first, "1.3", plainFailure("boom")))).toBeNull();
    expect(progressOf(afterAcceptance(first, null))).toBeNull();
  });

  it("tells how much fails, how it came out of the attempt before, and the least so far", () => {
    expect(progressOf(first)).toEqual({
      ...{ failing: 3, of: null, was: null, change: "first", lost: [], gained: [], best: 3 },
    });
    const second = afterFailure(first, "1.3", measuredFailure(["a"]));
    const third = afterFailure(second, "1.3", measuredFailure(["a", "d"], { failing: { ...setOf("a", "d"), ran: 9 } }));
    const told = progressOf(third);
    expect(told).toEqual({ failing: 2, of: 9, was: 1, change: "moved", lost: [], gained: ["d"], best: 1 });
    expect(Progress.parse(JSON.parse(JSON.stringify(told)))).toEqual(told);
  });

  it("tells of a fix that has left something failing, too", () => {
    const left = afterAcceptance(first, { failing: setOf("b"), evidence: evidenceWith(["b"]) });
    expect(progressOf(left)).toMatchObject({ failing: 1, was: 3, change: "progress", lost: ["a", "c"], best: 1 });
  });

  it("takes what fails for the least where the minimum of its stage is not kept", () => {
    expect(progressOf({ ...noEscalation, failing: countOf(4), change: "first" })).toMatchObject({
      failing: 4,
      best: 4,
    });
  });
});
