import { describe, expect, it } from "vitest";
import type { RunEnding } from "../../src/model/event.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { PersonQuestion } from "../../src/ports/ports.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { type PreviousOutcome, previousOutcome } from "../../src/run/previous-outcome.ts";
import {
  answeredQuestion,
  answers,
  inputAnswer,
  inputEvents,
  inputRecords,
  type UserInput,
  unparkRecords,
} from "../../src/run/user-input.ts";
import { answered } from "../support/answered.ts";
import { unknownSpeaker } from "../support/unknown-speaker.ts";

const chosen = answered("run#1/chooseTask", { kind: "task", root: "1.1", current: "1.1", spent: {} });
const gate = (key: string, reason: string): RunRecord => answered(key, { kind: "gate", reason, hint: "" });
const stops = answered("1.2#1/askPerson", { kind: "decided", decision: "stop" });
const ended = (outcome: RunEnding, error?: string, denied?: string): RunRecord => ({
  ...{ type: "ended", planHash: "" },
  denial: denied === undefined ? null : { kind: "denied", limit: "maxTaskIterations", task: denied, max: 1 },
  ending: {
    ...{ type: "run.ended", outcome, exitCode: 0, original: 1, fixes: 0, attempts: 1, skipped: [], tickedByHand: 0 },
    ...{ durationMs: 0, ...(error !== undefined && { error }) },
  },
});
const fix: RunRecord = {
  ...{ type: "intended", key: "1.1#1" },
  fix: {
    ...{ id: "1.1.1", fixOf: "1.1", summary: "", error: "", attemptedFix: "", doneWhen: "", files: "", verify: "" },
    commit: "",
  },
};
function past(...records: readonly RunRecord[]): PreviousOutcome {
  const state = newRun();
  for (const record of [chosen, fix, ...records]) apply(state, record);
  return previousOutcome(state);
}
const asks = gate("1.1.1#1/askPerson", "Why?");
const skips: RunRecord = { type: "skipped", task: "1.3", justification: "gone" };

describe("previousOutcome", () => {
  it("keeps the question that ended a start, and the task it stopped", () => {
    const about = { root: "1.1", current: "1.1.1" };
    expect(past(asks, ended("gate", "Why?"))).toMatchObject({ asked: about, stoppedAt: "1.1" });
    expect(past(asks, ended("checkpoint", "Why?"))).toMatchObject({ asked: about, stoppedAt: "1.1" });
    // Only the question that ended the start stays open.
    const other = gate("1.2#1/askPerson", "Other?");
    expect(past(asks, other, ended("gate", "Why?"))).toMatchObject({ asked: about });
    expect(past(asks, ended("gate", "Something else"))).toMatchObject({ asked: null, stoppedAt: null });
    expect(past(gate("1.2#1/verify", "Changed?"), ended("gate", "Changed?"))).toMatchObject({
      ...{ asked: null, stoppedAt: "1.2" },
    });
    expect(past(stops, ended("cancelled"))).toMatchObject({ asked: { root: "1.2", current: "1.2" }, stoppedAt: null });
    expect(past(asks, ended("interrupted"))).toMatchObject({ asked: null, stoppedAt: null });
    expect(past(asks)).toEqual({ ended: null, asked: null, stoppedAt: null, skipped: null, parked: [] });
    expect(previousOutcome(null)).toEqual(past());
  });

  it("keeps the question even if a start was refused before repeating the question", () => {
    const told = ended("gate", "Why?");
    expect(past(asks, told, ended("environment"))).toMatchObject({ ended: told, asked: { root: "1.1" } });
    expect(past(asks, stops, ended("environment"))).toMatchObject({ ended: ended("environment"), asked: null });
  });

  it("keeps the task of a limit, and is empty for other ends", () => {
    expect(past(ended("limit", "No more", "1.1.1"))).toMatchObject({ asked: null, stoppedAt: "1.1" });
    expect(past(ended("limit", "No more"))).toMatchObject({ stoppedAt: null });
    expect(past(skips, ended("skipped"))).toMatchObject({ skipped: ["1.3"], stoppedAt: null });
    expect(past(skips, ended("gate"))).toMatchObject({ skipped: null });
  });
});

const asked = past(asks, ended("checkpoint", "Why?"));
const speaker = unknownSpeaker;

describe("messages passed to a start", () => {
  it.each<[string, UserInput, PreviousOutcome, boolean, RunRecord[]]>([
    [
      "advice",
      { guidance: "Look" },
      asked,
      false,
      [
        { type: "guided", task: "1.1", text: "Look" },
        { type: "reset", task: "1.1" },
      ],
    ],
    ["a retry", { decision: "retry" }, asked, false, [{ type: "reset", task: "1.1" }]],
    [
      "a retry, by another user",
      { decision: "retry", speaker },
      asked,
      false,
      [{ type: "reset", task: "1.1", by: speaker }],
    ],
    ["a resume", { resume: true }, asked, false, [{ type: "reset", task: "1.1" }]],
    ["a resume, at a gate", { resume: true }, past(asks, ended("gate", "Why?")), false, []],
    ["a skip", { decision: "skip", guidance: "Look" }, asked, false, []],
    ["in mid-turn", { decision: "retry" }, asked, true, []],
    ["if nothing was asked", { guidance: "Look" }, past(ended("limit")), false, []],
    ["nothing", {}, asked, false, []],
    [
      "a retry of a skipped task",
      { decision: "retry" },
      past(skips, ended("skipped")),
      true,
      [{ type: "skipped", task: "1.3", justification: null }],
    ],
  ])("become records before the first turn: %s", (_, words, before, midTurn, records) => {
    expect(inputRecords(words, before, midTurn)).toEqual(records);
  });

  it("are passed to what waits for them if there is no question", () => {
    const limit = past(ended("limit"));
    expect(inputEvents({ decision: "skip", guidance: "Look" }, limit)).toEqual([
      { type: "decision.made", decision: "skip" },
    ]);
    expect(inputEvents({ guidance: "Look" }, limit)).toEqual([{ type: "guidance.given", text: "Look" }]);
    expect(inputEvents({}, limit)).toEqual([]);
    expect(inputEvents({ guidance: "Look" }, asked)).toEqual([]);
    expect(inputEvents({ decision: "retry" }, past(skips, ended("skipped")))).toEqual([]);
  });

  it.each<[string, UserInput, boolean, ReturnType<typeof inputAnswer>]>([
    ["a decision", { decision: "retry", guidance: "Look" }, true, { kind: "decided", decision: "retry" }],
    ["a retry of a task that starts over anyway", { decision: "retry" }, false, null],
    ["a decision about a task that starts over", { decision: "skip" }, false, { kind: "decided", decision: "skip" }],
    ["advice", { guidance: "Look" }, true, { kind: "guided", text: "Look" }],
    ["a resume", { resume: true }, true, { kind: "guided", text: "" }],
    ["advice that was recorded", { guidance: "Look" }, false, null],
    ["nothing", {}, true, null],
  ])("answer the question: %s", (_, words, midTurn, answer) => {
    expect(inputAnswer(words, asked, midTurn)).toEqual(answer);
  });

  it("skip only what was asked about", () => {
    const about = { root: "1.1", current: "1.1.1" };
    const question: PersonQuestion = { task: "1.1", current: "1.1.1", about: "repair", text: "" };
    const ofWhole: PersonQuestion = { ...question, current: "1.1" };
    expect(answers({ decision: "skip" }, about, question)).toBe(true);
    expect(answers({ decision: "skip" }, about, ofWhole)).toBe(false);
    expect(answers({ decision: "skip" }, about, { ...ofWhole, about: "checkpoint" })).toBe(true);
    expect(answers({ decision: "retry" }, about, ofWhole)).toBe(true);
    expect(answers({}, about, { ...ofWhole, task: "1.2" })).toBe(false);
  });
});

describe("if several tasks wait for a person", () => {
  const parks = (key: string): RunRecord => answered(key, { kind: "gate", reason: "Why?", hint: "", parked: true });
  const two = [parks("1.1.1#1/askPerson"), parks("1.2#1/verify")];
  const several = past(...two, ended("gate", "All"));
  const first = { root: "1.1", current: "1.1.1" };
  const second = { root: "1.2", current: "1.2" };
  const takes = (...tasks: string[]): RunRecord => ({ type: "takenUp", tasks });

  it("all are known, with their names", () => {
    expect(several).toMatchObject({ asked: null, parked: [first, second] });
    expect(answeredQuestion({ task: "1.1" }, several)).toEqual(first);
    expect(answeredQuestion({ task: "1.1.1" }, several)).toEqual(first);
    expect(answeredQuestion({ task: "1.3" }, several)).toBe(null);
    expect(answeredQuestion({}, several)).toBe(null);
    expect(answeredQuestion({}, past(parks("1.2#1/verify"), ended("gate", "All")))).toEqual(second);
    expect(answeredQuestion({ task: "1.2" }, asked)).toBe(null);
    expect(answeredQuestion({ task: "1.1" }, asked)).toEqual(first);
  });

  it.each<[string, UserInput, PreviousOutcome, RunRecord[]]>([
    ["the task that a message is about", { task: "1.2", decision: "skip" }, several, [takes("1.2")]],
    [
      "with the sender of the message",
      { task: "1.2", guidance: "x", speaker },
      several,
      [{ type: "takenUp", tasks: ["1.2"], by: speaker }],
    ],
    ["no task by a message about no task", { decision: "skip" }, several, []],
    ["all tasks without a message", {}, several, [takes("1.1", "1.2")]],
    ["no task without a message after a kill", {}, past(...two), []],
    ["no task without a message after a stop", {}, past(...two, ended("interrupted")), []],
    ["no task without a message after a refusal", {}, past(...two, ended("environment")), []],
    ["no task if none waits", {}, asked, []],
  ])("are resumed: %s", (_, words, before, records) => {
    expect(unparkRecords(words, before)).toEqual(records);
  });

  it("start over one by one, which answers their questions", () => {
    expect(inputRecords({ task: "1.1", decision: "retry" }, several, false)).toEqual([{ type: "reset", task: "1.1" }]);
    expect(inputEvents({ task: "1.1", decision: "skip" }, several)).toEqual([]);
    expect(inputEvents({ decision: "skip" }, past(...two))).toEqual([{ type: "decision.made", decision: "skip" }]);
  });
});
