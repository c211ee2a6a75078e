import { expect, it } from "vitest";
import type { RunEnded } from "../../src/model/event.ts";
import { renderEvent } from "../../src/wording/render-event.ts";
import { shippingLine } from "../../src/wording/render-pull-request.ts";
import { renderSummary } from "../../src/wording/render-summary.ts";

const ended: RunEnded = {
  ...{ type: "run.ended", outcome: "complete", exitCode: 0, original: 4, fixes: 1, attempts: 7, skipped: [] },
  ...{ tickedByHand: 0, durationMs: 1000 },
};
const url = "https://forge.example/7";

it("separates tasks for a pull request from those of the planner", () => {
  expect(renderSummary({ ...ended, added: 2 }).out).toContain("\nTasks: 4 original, 1 fix, 2 for the pull request\n");
  expect(renderSummary(ended).out).toContain("\nTasks: 4 original, 1 fix\n");
});

it("lists at the end who still requests changes", () => {
  const shipped = { number: 7, url, requesting: ["ann", "b\u001b[1men"] };
  expect(renderSummary({ ...ended, shipped }).out).toMatch(
    /\nPull request: .*\/7\nChanges still requested by: ann, b.*en\n/,
  );
  expect(renderSummary({ ...ended, shipped: { number: 7, url } }).out).not.toContain("Changes");
  const at = "2026-01-01T00:00:00.000Z";
  expect(renderEvent({ ...{ type: "pr.ready", at, number: 7, url, head: "c1" }, requesting: ["ann"] })).toBe(
    "pull request 7 is green and confirmed at c1, changes still requested by ann",
  );
  expect(renderEvent({ type: "pr.merged", at, number: 7, url })).toBe("pull request 7 was merged");
  expect(shippingLine({ kind: "confirmed", requesting: ["ann", "ben"] }, "c1")).toBe(
    "ready at c1, changes still requested by ann, ben",
  );
  expect(shippingLine({ kind: "merged", requesting: ["ann"] }, null)).toBe("merged, changes still requested by ann");
  expect(shippingLine({ kind: "merged" }, null)).toBe("merged");
});
