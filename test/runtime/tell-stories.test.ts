import { describe, expect, it } from "vitest";
import { Told } from "../../src/model/frame.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { tellStories } from "../../src/runtime/tell-stories.ts";
import { filmRun } from "../../src/runtime/to-frames.ts";
import { answered } from "../support/answered.ts";
import { recordedRun } from "../support/journals/recorded-run.ts";

/** What is told of the tasks of a recorded run. */
function stories(name: string, task?: string) {
  const { starts } = recordedRun(name);
  const told = tellStories(starts, filmRun(starts).places, task);
  for (const each of told.values()) for (const fact of each) Told.strict().parse(fact);
  return told;
}
const heads = (name: string, task: string, ...kinds: readonly string[]): string[] =>
  (stories(name).get(task) ?? []).flatMap(({ kind, head }) => (kinds.includes(kind) ? [head] : []));

describe("tellStories", () => {
  it("tells a task from its delegation to its end, each fact with the frame and the time it is seen at", () => {
    const told = stories("progress");
    expect([...told.keys()]).toEqual(["1.1", "1.1.1", "1.1.2"]);
    expect(told.get("1.1.1")?.map(({ frame, at, kind, task, attempt }) => [frame, at, kind, task, attempt])).toEqual([
      [6, 7, "inserted", "1.1", null],
      [7, 8, "delegated", "1.1.1", 1],
      [9, 10, "judged", "1.1.1", 1],
      [10, 11, "passed", "1.1.1", null],
    ]);
    expect(
      told
        .get("1.1")
        ?.map(({ kind }) => kind)
        .join(" "),
    ).toBe(
      "delegated judged failed measured decided inserted delegated judged failed measured decided inserted " +
        "delegated judged passed",
    );
    expect(told.get("1.1")?.at(-1)?.head).toBe("passed 1.1 after 3 attempts, with 2 fixes");
  });

  it("tells of one task alone when asked for it", () => {
    const all = stories("progress");
    expect([...stories("progress", "1.1.2")]).toEqual([["1.1.2", all.get("1.1.2")]]);
  });

  it("shows what each layer says, by its reason or its note", () => {
    const judged = stories("progress")
      .get("1.1")
      ?.find(({ kind }) => kind === "judged");
    expect(judged?.layers).toEqual([
      ...["signal", "contradiction", "checkmarks"].map((layer) => ({ layer, kind: "accepted", text: "" })),
      { layer: "commit", kind: "accepted", text: "not required" },
      { layer: "verify", kind: "failed", text: "Verify failed (exit 1), 4 of 4 failing: check 1" },
    ]);
  });

  it("shows how many checks fail, and which do no more", () => {
    const measured = stories("progress")
      .get("1.1")
      ?.filter(({ kind }) => kind === "measured");
    expect(measured?.map(({ failing }) => failing)).toEqual([
      { count: 4, of: 4, change: "first", lost: [], gained: [] },
      { count: 2, of: 4, change: "progress", lost: ["check 2"], gained: [] },
    ]);
  });

  it("shows the limits that a decision has looked at, but no rung without one", () => {
    const decided = stories("whole-ladder")
      .get("1.1")
      ?.filter(({ kind }) => kind === "decided");
    expect(decided?.map(({ gauges }) => gauges?.map(({ limit, spent, max }) => `${limit} ${spent}/${max}`))).toEqual([
      ["maxTaskIterations 1/1", "maxFixTasksPerOriginal 0/1"],
      ["maxTaskIterations 1/1", "maxFixTasksPerOriginal 1/1", "repairBudget 0/1"],
      expect.arrayContaining(["repairBudget 1/1", "maxResearchAttempts 0/1"]),
      ["maxResearchAttempts 1/1"],
    ]);
    for (const { gauges } of decided ?? []) for (const { task } of gauges ?? []) expect(task).toBe("1.1");
  });

  it("shows nothing but words of anything else", () => {
    const [delegated] = stories("progress").get("1.1") ?? [];
    expect(Object.keys(delegated as object).sort()).toEqual([
      "at",
      "attempt",
      "details",
      "frame",
      "head",
      "kind",
      "task",
    ]);
  });

  it("tells of what is said to the whole run to no task", () => {
    const { starts } = recordedRun("words");
    const told = [...tellStories(starts, new Map()).values()].flat();
    expect(starts.flatMap(({ records }) => records).filter(({ type }) => type === "said")).not.toEqual([]);
    expect(told.filter(({ task }) => task === null)).toEqual([]);
    expect(told.map(({ frame }) => frame)).toEqual(told.map(() => 0));
  });

  it("escapes what comes from outside", () => {
    const { starts } = recordedRun("verify-fails");
    const [start] = starts as [(typeof starts)[0]];
    const said = { at: 1, type: "guided", task: "1.1", text: "a\u001b[31mb" } as TimedRunRecord;
    const [told] = tellStories([{ ...start, records: [said] }], new Map()).get("1.1") ?? [];
    expect(`${told?.head}${told?.details.join("")}`).not.toContain("\u001b");
    expect(`${told?.head}${told?.details.join("")}`).toContain("[31mb");
  });

  it("tells from which record on nothing can be told of decisions, but still what each says by itself", () => {
    const { starts } = recordedRun("complete");
    const [start] = starts as [(typeof starts)[0]];
    const odd = { at: 9, ...answered("1.1#7/verify", { kind: "accepted" }) } as TimedRunRecord;
    const records = [...start.records.slice(0, 1), odd, ...start.records.slice(1)];
    const kinds = tellStories([{ ...start, records }], new Map())
      .get("1.1")
      ?.map(({ kind }) => kind);
    expect(kinds).not.toContain("passed");
    expect(kinds).toContain("delegated");
  });
});

describe("what only the machines know of a record", () => {
  it.each([
    ["change-refused", "1.1", "refused", ["refused the change of the plan for 1.1: a split needs at least 2 tasks"]],
    [
      "repair-not-understood",
      "1.1",
      "refused",
      [
        "refused the directive for 1.1: no directive",
        "refused the directive for 1.1: expected 2 or 3 parts behind DECOMPOSE, got 1",
      ],
    ],
    ["whole-ladder", "1.1", "repaired", ["repair of 1.1: RETRY: look again (0 directives left)"]],
    ["whole-ladder", "1.1", "inserted", ["fix 1.1.1 inserted below 1.1 (1 of 1)"]],
    ["split", "1.1", "changed", ["the plan was changed for 1.1: SPLIT_TASK, added 1.1a, 1.1b"]],
    ["asked-at-once", "1.1", "skipped", ["1.1 was left out: it was decided so"]],
    ["batch-fixes", "1.2", "passed", ["passed 1.2 after 2 attempts, with 1 fix"]],
    ["rate-limit", "1.1", "waited", [expect.stringContaining("rate-limit")]],
    [
      "unverified",
      "1.1",
      "decided",
      [...Array(4).fill("decided for 1.1: delegate it again"), "decided for 1.1: nothing is left to try"],
    ],
  ] as const)("is told of a task: %s, %s, %s", (name, task, kind, expected) => {
    expect(heads(name, task, kind)).toEqual(expected);
  });

  it("tells of a pull request nothing that its records say", () => {
    const kinds = [...stories("pull-request").values()].flat().map(({ kind }) => kind);
    expect([...new Set(kinds)].sort()).toEqual(["added", "delegated", "judged", "passed"]);
  });

  it("counts failures without progress where tools tell how many checks fail, and only there", () => {
    const counted = (name: string) =>
      stories(name)
        .get("1.1")
        ?.flatMap(({ kind, details }) => (kind === "decided" ? [details.at(-1)] : []));
    expect(counted("progress")).toEqual([
      "counted: failed attempts 1, the same error in a row 1, failures without progress in a row 1",
      "counted: failed attempts 2, the same error in a row 1, failures without progress in a row 0",
    ]);
    expect(counted("unverified")?.[1]).toBe("counted: failed attempts 2, the same error in a row 2");
  });
});
