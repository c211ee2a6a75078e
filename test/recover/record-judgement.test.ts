import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { Judgement, type Verdict } from "../../src/model/evidence.ts";
import { judgeCompletion } from "../../src/recover/judge-completion.ts";
import { recordJudgement } from "../../src/recover/record-judgement.ts";
import { plan, task } from "../support/sample-plan.ts";
import { evidence } from "./samples.ts";

const record = (part: Parameters<typeof evidence>[0]) => {
  const claim = evidence(part);
  return recordJudgement(judgeCompletion(claim), claim, ["c.ts"]);
};
const ran = (exitCode: number | null, timedOut = false) => ({
  kind: "ran" as const,
  command: "npm test",
  exitCode,
  timedOut,
  digest: exitCode === 0 ? null : digestOutput(""),
});

describe("recordJudgement", () => {
  it("stores a verdict with all its inputs", () => {
    const after = plan(task("1.1"), task("1.2", { done: true }), task("1.3", { done: true }));
    const git = {
      ...{ headBefore: "a", headAfter: "b", detached: false, rewritten: true },
      commits: [{ hash: "b", subject: "work" }],
      changed: Array.from({ length: 60 }, (_, index) => `${index}.ts`),
      uncommitted: ["tasks.md"],
    };
    const judgement = record({ after, git, requireCommit: true, reply: { text: "", exitCode: 0, ended: "exit" } });
    expect(Judgement.parse(judgement)).toEqual(judgement);
    expect(judgement).toEqual({
      kind: "rejected",
      layers: [
        { layer: "signal", kind: "accepted" },
        { layer: "contradiction", kind: "accepted" },
        {
          layer: "checkmarks",
          kind: "rejected",
          reason: "you ticked 1.3, which is not yours: its box is open again",
        },
        {
          layer: "commit",
          kind: "rejected",
          reason: "uncommitted spec files detected - task not properly committed",
        },
      ],
      evidence: {
        signal: "complete",
        contradiction: null,
        exitCode: 0,
        ended: "exit",
        ticked: { set: ["1.2", "1.3"], cleared: ["1.1"] },
        git: { ...git, changed: git.changed.slice(0, 50) },
        undeclared: ["c.ts"],
        verify: null,
        reality: null,
      },
    });
  });

  it("stores what a task for a pull request did not commit", () => {
    const unshipped = { dirty: ["a.ts"], nothing: false };
    const judgement = record({ unshipped });
    expect(Judgement.parse(judgement).evidence.unshipped).toEqual(unshipped);
    expect(judgement.layers.at(-1)).toMatchObject({ layer: "commit", kind: "rejected" });
  });

  it("stores notes, and 500 characters of each text", () => {
    const claim = evidence();
    const verdict: Verdict = {
      kind: "failed",
      layers: [
        { layer: "signal", kind: "accepted" },
        { layer: "commit", kind: "accepted", note: "n".repeat(600) },
        { layer: "review", kind: "failed", reason: "r".repeat(600) },
      ],
    };
    expect(recordJudgement(verdict, claim, []).layers).toStrictEqual([
      { layer: "signal", kind: "accepted" },
      { layer: "commit", kind: "accepted", note: "n".repeat(500) },
      { layer: "review", kind: "failed", reason: "r".repeat(500) },
    ]);
  });

  it("lists 50 of the boxes that were set and cleared, and of the undeclared files", () => {
    const ids = (from: string): string[] => Array.from({ length: 60 }, (_, index) => `${from}.${index}`);
    const ticks = (...done: string[]) =>
      plan(...["0", ...ids("1"), ...ids("2")].map((id) => task(id, { done: done.includes(id) })));
    const claim = evidence({ before: ticks("0", ...ids("1")), after: ticks("0", ...ids("2")) });
    const { evidence: kept } = recordJudgement(judgeCompletion(claim), claim, ids("c"));
    const [set, cleared] = [ids("2").slice(0, 50), ids("1").slice(0, 50)];
    expect(kept.ticked).toEqual({ set, cleared });
    expect(kept.undeclared).toEqual(ids("c").slice(0, 50));
  });

  it("treats a reply without an end state as one that ended by itself", () => {
    expect(record({}).evidence).toMatchObject({
      exitCode: 0,
      ended: "exit",
      ticked: { set: [], cleared: [] },
      git: null,
    });
  });

  it.each([
    [ran(0), "exit 0"],
    [ran(null), "ended by a signal"],
    [ran(null, true), "timed out"],
    [{ ...ran(null), limitBytes: 9 }, "printed too much"],
    [{ kind: "unrunnable", reason: "prose" } as const, "no Verify ran: prose"],
    [{ kind: "trusted" } as const, "not run: executors are trusted"],
  ])("states how Verify ended: %j", (verify, told) => {
    expect(record({ verify }).evidence.verify).toBe(told);
  });

  it("stores that nothing proves the claim, and the question to a person", () => {
    const trusted = record({ verify: { kind: "trusted" } });
    expect(Judgement.parse(trusted)).toEqual(trusted);
    expect(trusted.layers.at(-1)).toEqual({
      ...{ layer: "verify", kind: "unverified", note: "not run: executors are trusted" },
    });
    const blocked = record({ signal: "blocked", blocker: "Which database?" });
    expect(Judgement.parse(blocked)).toEqual(blocked);
    expect(blocked).toMatchObject({
      ...{ kind: "undecided", layers: [{ layer: "signal", kind: "undecided", reason: "Which database?" }] },
      evidence: { signal: "blocked" },
    });
  });

  it("states how the reality check ended", () => {
    expect(record({ verify: ran(0), reality: ran(1) }).evidence.reality).toBe("exit 1");
    expect(record({ verify: ran(0), reality: { kind: "missing" } }).evidence.reality).toBe("no command");
  });
});
