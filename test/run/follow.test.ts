import { describe, expect, it } from "vitest";
import type { RunEnding } from "../../src/model/event.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Role } from "../../src/model/role.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { answered } from "../support/answered.ts";
import { measuredFailure } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";
import { unknownSpeaker } from "../support/unknown-speaker.ts";

const chosen = answered("run#1/chooseTask", { kind: "task", root: "1.1", current: "1.1", spent: {} });
const delegated = (key: string, role: Role = "executor"): RunRecord => ({
  ...{ type: "delegated", key, task: "1.1", role, attempt: 1, retries: 0, elapsedMs: 0 },
});
const ended = (outcome: RunEnding, error?: string): RunRecord => ({
  ...{ type: "ended", planHash: "", denial: null },
  ending: {
    ...{ type: "run.ended", outcome, exitCode: 0, original: 1, fixes: 0, attempts: 1, skipped: [], tickedByHand: 0 },
    ...{ durationMs: 0, ...(error !== undefined && { error }) },
  },
});
const said = (type: "pause" | "resume" | "cancel"): RunRecord => ({ type: "said", event: { type } });
const gate = (reason: string): object => ({ kind: "gate", reason, hint: "Look" });

function stateOf(...records: readonly RunRecord[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  return state;
}
const turnOf = (...records: readonly RunRecord[]) => stateOf(chosen, ...records).turn;

describe("follow", () => {
  it("counts the time outside once, and none if a report has no time", () => {
    const out = (key: string): RunRecord => ({ type: "handedOut", key, nonceHash: "hash", since: 1000 });
    const replied = (key: string, at?: number) => ({
      ...answered(`${key}/delegate`, { kind: "replied" }),
      ...(at !== undefined && { at }),
    });
    const both = [delegated("1.1#1"), delegated("1.2#1"), out("1.1#1"), out("1.2#1")];
    const elapsed = (...records: RunRecord[]) => stateOf(chosen, ...both, ...records).elapsedMs;
    expect(elapsed(replied("1.1#1", 3000))).toBe(2000);
    expect(elapsed(replied("1.1#1", 3000), replied("1.2#1", 3500))).toBe(2500);
    expect(elapsed(replied("1.1#1"), replied("1.2#1", 500))).toBe(0);
    expect(stateOf(chosen, ...both).outside).toBe(true);
    expect(stateOf(chosen, ...both, delegated("1.3#1")).outside).toBe(false);
  });

  it.each<[string, RunRecord[], string | undefined]>([
    ["it was delegated", [], "begun"],
    ["it was delegated again", [delegated("1.1#1")], "begun"],
    ["its reply exists", [answered("1.1#1/delegate", { kind: "replied" })], "claimed"],
    ["it failed", [answered("1.1#1/verify", { kind: "failed" })], "judged"],
    ["its review is due", [answered("1.1#1/verify", { kind: "accepted", reviewDue: true })], "judged"],
    ["it was accepted", [answered("1.1#1/verify", { kind: "accepted" })], "accepted"],
    ["its review has passed", [answered("1.1#1/review", { kind: "accepted" })], "accepted"],
    ["its review has failed", [answered("1.1#1/review", { kind: "failed" })], "begun"],
    ["other tasks come first", [answered("1.1#1/changePlan", { kind: "replanned" })], "refunded"],
    ["its change was refused", [answered("1.1#1/changePlan", { kind: "refused" })], "begun"],
    ["it was stopped", [{ type: "refunded", key: "1.1#1" }], "refunded"],
    ["its pass is recorded", [answered("1.1#1/recordPass", { kind: "recorded" })], "passed"],
    ["its pass is recorded later", [{ type: "passed", key: "1.1#1", commit: null }], "passed"],
    ["the next turn has begun", [chosen], undefined],
  ])("tracks the progress of a claim: %s", (_, records, stage) => {
    expect(turnOf(delegated("1.1#1"), ...records).claims["1.1#1"]).toBe(stage);
  });

  it("tracks the tasks that are worked on, including those that wait", () => {
    const atWork = (effect: string, answer: object): boolean =>
      "1.1" in turnOf(delegated("1.1#1"), answered(`1.1#1/${effect}`, answer)).atWork;
    expect("1.1" in turnOf(delegated("1.1#1")).atWork).toBe(true);
    for (const kind of ["accepted", "failed", "blocked"]) expect(atWork("verify", { kind })).toBe(true);
    expect(atWork("readFailure", { kind: "rate-limit" })).toBe(true);
    expect(atWork("changePlan", { kind: "extended" })).toBe(true);
    expect(atWork("readFailure", measuredFailure(["a"]))).toBe(false);
    expect(atWork("verify", { kind: "rejected", layer: "signal", reason: "no signal" })).toBe(false);
    expect(atWork("changePlan", { kind: "replanned" })).toBe(false);
    expect(atWork("recordPass", { kind: "recorded" })).toBe(false);
    expect(atWork("wait", gate("Who?"))).toBe(false);
  });

  it("tracks delegations without a recorded answer", () => {
    const begun = [delegated("1.1#1"), delegated("1.1#1/review", "reviewer")];
    expect(Object.keys(turnOf(...begun).unanswered)).toEqual(["1.1#1", "1.1#1/review"]);
    expect(turnOf(...begun).claims).toEqual({ "1.1#1": "begun" });
    const told = [answered("1.1#1/delegate", { kind: "replied" }), answered("1.1#1/review", { kind: "failed" })];
    expect(turnOf(...begun, ...told).unanswered).toEqual({});
    expect(turnOf(answered("1.1#1/delegate", { kind: "denied" })).claims).toEqual({});
  });

  it("keeps the end of the last start until another start records progress", () => {
    const end = ended("checkpoint");
    const silent: RunRecord[] = [
      ...([{ type: "left" }, { type: "released" }, { type: "advised", text: "Look" }] as const),
      { type: "guided", task: "1.1", text: "Look" },
      { type: "skipped", task: "1.2", justification: "gone" },
      { type: "unheard", word: "pause", key: "1.1#1", by: unknownSpeaker },
    ];
    expect(stateOf(chosen, end, ...silent).ended).toEqual(end);
    expect(stateOf(chosen, end, { type: "continued" }).ended).toBeNull();
    expect(stateOf(chosen).ended).toBeNull();
  });

  it("tracks whether anyone could change the workspace since a start ended", () => {
    expect(stateOf(chosen).worked).toBe(false);
    expect(stateOf(chosen, delegated("1.1#1")).worked).toBe(true);
    expect(stateOf(chosen, answered("1.1#1/verify", { kind: "failed" })).worked).toBe(true);
    expect(stateOf(chosen, delegated("1.1#1"), ended("interrupted")).worked).toBe(false);
  });

  it("tracks whether it is paused", () => {
    expect(stateOf(said("pause"), said("cancel")).paused).toBe(true);
    expect(stateOf(said("cancel")).paused).toBe(false);
    expect(stateOf(said("pause"), said("resume")).paused).toBe(false);
    expect(stateOf(said("pause"), ended("interrupted")).paused).toBe(false);
    expect(stateOf(said("pause"), delegated("1.1#1")).paused).toBe(true);
  });

  it("tracks which questions are open, and how the first start after the last of them ended", () => {
    const [one, other] = [answered("1.1#1/askPerson", gate("One?")), answered("1.2#1/verify", gate("Other?"))];
    const asked = turnOf(one, other, ended("gate"), ended("environment"));
    expect(Object.entries(asked.questions)).toEqual([
      ["1.1#1/askPerson", "One?"],
      ["1.2#1/verify", "Other?"],
    ]);
    expect(asked.asked?.ended).toEqual(ended("gate"));
    expect(Object.keys(turnOf(one, other, one).questions)).toEqual(["1.2#1/verify", "1.1#1/askPerson"]);
    const told = turnOf(one, answered("1.1#1/askPerson", { kind: "guided", text: "" }), ended("environment"));
    expect([told.questions, told.asked, told.stopped]).toEqual([{}, null, null]);
    const stopped = turnOf(one, answered("1.1#1/askPerson", { kind: "decided", decision: "stop" }));
    expect(stopped.stopped).toBe("1.1#1/askPerson");
    expect(turnOf(answered("1.1#1/askPerson", { kind: "decided", decision: "skip" })).stopped).toBeNull();
  });

  it("tracks whether the turn is abandoned", () => {
    const marks = [{ type: "left" }, { type: "reset", task: "1.1" }, { type: "withdrawn", key: "1.1#1" }] as const;
    expect(marks.map((mark) => turnOf(mark).left)).toEqual([true, true, true]);
    expect(turnOf(ended("limit")).left).toBe(true);
    expect(turnOf(ended("interrupted")).left).toBe(false);
    expect(turnOf({ type: "left" }, chosen).left).toBe(false);
  });

  it("tracks which intended writes are done, and which are withdrawn", () => {
    const fix = (key: string, id: string): RunRecord => ({
      type: "intended",
      key,
      fix: { ...sampleFix, id, fixOf: "1.1" },
    });
    const made = turnOf(
      fix("1.1#1", "1.1.1"),
      answered("1.1#1/insertFix", { kind: "inserted" }),
      fix("1.1#2", "1.1.2"),
    );
    expect(made.written).toEqual({ "1.1#1/insertFix": true });
    const dropped = turnOf(fix("1.1#1", "1.1.1"), fix("1.1#2", "1.1.2"), { type: "dropped", fix: "1.1.1" });
    expect(dropped.fixes).toEqual({ "1.1#2": { ...sampleFix, id: "1.1.2", fixOf: "1.1" } });
    expect(turnOf(answered("1.1#1/changePlan", { kind: "extended" })).written).toEqual({ "1.1#1/changePlan": true });
  });

  it("tracks manual fixes, whose remaining open tasks are only cleaned up", () => {
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const verify = { command: "make", name: "1.1#1/mended", result, digest: null };
    expect(turnOf({ type: "mended", passes: [{ key: "1.1#1", verify }] }).mended).toEqual(["1.1"]);
    expect([turnOf().cleaning, turnOf(answered("run#1.0/chooseCleanup", { kind: "none" })).cleaning]).toEqual([
      false,
      true,
    ]);
  });
});
