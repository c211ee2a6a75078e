import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { stuckReportOf } from "../../src/effects/stuck-report-of.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { type Escalation, noEscalation } from "../../src/model/escalation.ts";
import type { Judgement } from "../../src/model/judgement.ts";
import type { AttemptFacts } from "../../src/ports/attempt-record.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { stillClock } from "../../src/testing/still-clock.ts";
import { recordAnswer } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { evidenceWith } from "../support/sample-failure.ts";
import { gitEvidence } from "../support/sample-git.ts";

const plan = "## Phase 1: Work\n\n- [x] 1.1 Before\n- [ ] 1.2 Do it\n- [ ] 1.3 Behind\n";
const evidence: Judgement["evidence"] = {
  signal: null,
  contradiction: null,
  exitCode: 0,
  ended: "exit",
  ticked: { set: [], cleared: [] },
  git: null,
  undeclared: [],
  verify: null,
  reality: null,
};
const ran = (command: string, stdout: string, stderr = "") => ({
  ...{ command, name: command, digest: null },
  result: { exitCode: 1, stdout, stderr, durationMs: 0, timedOut: false },
});

/** The report on 1.2, whose attempt was judged as is told; not made where nothing is told. */
async function report(
  facts?: AttemptFacts,
  { escalation = {} as Partial<Escalation>, failure = null as object | null } = {},
) {
  const attempts = createRunMemory({ open: 2 });
  const base = memoryPorts(memoryStore(plan), scriptedExecutor());
  const ports = withMemory({ ...base, clock: stillClock(7), attempts, known: { text: plan } });
  if (facts !== undefined) {
    const reply = { headBefore: null, mark: null, fileState: null, reply: { text: "All I have to say" } };
    recordAnswer(attempts, "1.2#1/delegate", { kind: "replied" }, { reply });
    recordAnswer(attempts, "1.2#1/verify", { kind: "failed", layer: "verify", reason: "r" }, facts);
    if (failure !== null) recordAnswer(attempts, "1.2#1/readFailure", { kind: "task", ...failure });
  }
  return stuckReportOf(ports, {
    ...{ key: "1.2#1/writeStuckReport", task: "1.2.1", root: "1.2", stuck: null, repairs: [], fixes: ["1.2.1"] },
    escalation: { ...noEscalation, lastError: "what it was", ...escalation },
  });
}
const failedBy = (...layers: (readonly [string, string])[]): NonNullable<AttemptFacts["judgement"]> => ({
  ...{ kind: "failed", evidence, layers: layers.map(([layer, kind]) => ({ layer, kind })) as never },
});

describe("a stuck report", () => {
  it("tells where the plan stands, and where to read on, without an attempt", async () => {
    expect(await report()).toMatchObject({
      ...{ at: 7, task: { id: "1.2", title: "Do it", current: "1.2.1" }, phase: "Phase 1: Work", done: 1, total: 3 },
      ...{ fixes: ["1.2.1"], lastError: "what it was", status: null, changed: null, verify: null, errorLog: "" },
      address: { program: "fixpoint", path: "sample" },
      contextFiles: [
        { name: "Plan", path: "/work/specs/sample/tasks.md" },
        { name: "Progress", path: "/work/specs/sample/.progress.md" },
        { name: "State", path: "/work/specs/sample/.ralph-state.json" },
      ],
    });
  });

  it("tells the checks that fail where they are counted", async () => {
    const known = { evidence: evidenceWith(["adds", "takes"]) };
    const failing = async (escalation: Partial<Escalation>) => (await report(undefined, { escalation })).failing;
    expect(await failing({ ...known, change: "same" } as Partial<Escalation>)).toEqual(["adds", "takes"]);
    expect(await failing({ ...known, change: null })).toEqual([]);
    expect(await failing({ change: "same", evidence: null } as Partial<Escalation>)).toEqual([]);
    const none = { change: "same", evidence: { ...evidenceWith([]), command: null } };
    expect(await failing(none as Partial<Escalation>)).toEqual([]);
  });

  it("tells the error and the status of the attempt, where its executor has stated one", async () => {
    const judgement = failedBy(["signal", "failed"]);
    const said = { error: "boom", status: "Blocked", attemptedFix: "", fingerprint: "f" };
    const status = async (failure: object) => report({ judgement }, { failure });
    expect(await status(said)).toMatchObject({ lastError: "boom", status: "Blocked" });
    expect(await status({ ...said, unstated: ["attemptedFix"] })).toMatchObject({ status: "Blocked" });
    expect(await status({ ...said, unstated: ["attemptedFix", "status"] })).toMatchObject({ status: null });
  });

  it("tells what was changed but for the spec's own files", async () => {
    const git = gitEvidence({ changed: ["src/a.ts", "specs/sample/tasks.md", "specs/samples/a.md"] });
    const judgement = { ...failedBy(["verify", "failed"]), evidence: { ...evidence, git } };
    expect((await report({ judgement })).changed).toEqual(["src/a.ts", "specs/samples/a.md"]);
  });

  it("holds the output of what failed: a command, the one of the reality check, else what the executor said", async () => {
    const [verify, reality] = [ran("check", "out\n", "err\n"), ran("repro", "still\n")];
    const log = async (...layers: (readonly [string, string])[]) =>
      (await report({ judgement: failedBy(...layers), verify, reality })).errorLog;
    expect(await log(["signal", "accepted"], ["verify", "failed"])).toBe("out\nerr\n");
    expect(await log(["signal", "accepted"], ["verify", "accepted"], ["reality", "failed"])).toBe("still\n");
    expect(await log(["signal", "failed"])).toBe("All I have to say");
    expect(await log(["signal", "accepted"], ["contradiction", "rejected"])).toBe("All I have to say");
    expect((await report({})).errorLog).toBe("All I have to say");
    const review = { verdict: "fail", code: "it leaks", spec: "say more", round: 1 } as const;
    expect((await report({ judgement: failedBy(["verify", "failed"]), verify, review })).errorLog).toBe(
      "it leaks\nsay more",
    );
    expect((await report({ verify })).verify).toEqual({ command: "check", exitCode: 1, output: "out\nerr\n" });
  });
});

describe("the report of a checkpoint", () => {
  /** It is written where another lies already. @param asked A person was asked at that one. */
  async function write({ asked = true, lies = true, isKnown = false } = {}) {
    const store = memoryStore(plan);
    const attempts = createRunMemory({ open: 2 });
    if (lies) recordAnswer(attempts, "1.2#1/writeStuckReport", { kind: "written", path: "reports/stuck.md" });
    if (isKnown) {
      const reply = { headBefore: null, mark: null, fileState: null, reply: { text: "x" } };
      recordAnswer(attempts, "1.2#2/delegate", { kind: "replied" }, { reply });
    }
    const ports = { ...memoryPorts(store, scriptedExecutor()), attempts, known: { text: plan } };
    const answer = await createEffects(ports).writeStuckReport(
      {
        ...{ key: "1.2#2/writeStuckReport", task: "1.2", root: "1.2", stuck: null, repairs: [], fixes: [], path: null },
        escalation: { ...noEscalation, asked },
      },
      new AbortController().signal,
    );
    return { answer, written: [...store.reports.keys()] };
  }

  it("is the one that a person was asked with, where nothing was tried since", async () => {
    expect(await write()).toEqual({ answer: { kind: "written", path: "reports/stuck.md" }, written: [] });
  });

  it("is a new one where nobody was asked, something was tried since, or none was written", async () => {
    const anew = { answer: { kind: "written", path: "stuck-report.md" }, written: ["stuck-report.md"] };
    for (const options of [{ asked: false }, { isKnown: true }, { lies: false }]) {
      expect(await write(options)).toEqual(anew);
    }
  });
});
