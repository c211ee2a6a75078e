import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../src/model/policy.ts";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

type Files = Map<string, string>;
type Work = NonNullable<EvidenceWorld["work"]>;

const put =
  (text: string, more: Readonly<Record<string, string>> = {}) =>
  (files: Files): undefined => {
    files.set("a", text);
    for (const [path, content] of Object.entries(more)) files.set(path, content);
  };

const checks = (files: ReadonlyMap<string, string>): string =>
  failing(
    ...["1", "2", "3"]
      .filter((name) => !(files.get("a") ?? "").includes(name))
      .map((name) => [`check ${name}`, "test/a.test.js"] as const),
  );

const world = (work: Work, policy: PolicyInput = {}): EvidenceWorld => ({
  plan: "- [ ] 1.1 Do it\n  - **Verify**: `test a`\n",
  files: { a: "", kept: "of the user" },
  commands: { "test a": checks },
  work,
  policy: { recovery: ["retry"], maxTaskIterations: 1, race: 3, ...policy },
  apart: true,
});

describe("a race", () => {
  const lost: Work = {
    "1.1#1": put("", { junk: "j" }),
    "1.1#2": put("1", { two: "2" }),
    "1.1#3": put("123", { three: "3" }),
    "1.1#4": put("12", { four: "4" }),
  };

  it("takes the proven work, and nothing of the others", async () => {
    const run = await playEvidence(world(lost));
    expect([run.ended?.outcome, run.proofs]).toEqual(["complete", { "1.1": "proven" }]);
    expect([...run.files].sort()).toEqual([
      ["a", "123"],
      ["kept", "of the user"],
      ["three", "3"],
    ]);
    expect(run.delegated).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.1#4"]);
    // Verify of the winner is no delegation and does not count.
    expect(run.state?.costs.race?.delegations).toBe(3);
  });

  it("reaches the same end after a kill at any record, and repeats no finished attempt", async () => {
    for (let kill = 1; kill < 24; kill += 1) {
      const run = await playEvidence(world(lost), kill);
      expect([kill, run.ended?.outcome, run.files.get("a"), run.files.has("two")]).toEqual([
        kill,
        "complete",
        "123",
        false,
      ]);
      expect(run.state?.tasks["1.1"]?.attempts).toBe(4);
    }
  });

  it("takes nothing of the previous failed attempt from a worktree, wherever the run is killed", async () => {
    const plan = "- [ ] 1.1 [P] Do it\n  - **Verify**: `test a`\n- [ ] 1.2 [P] Other\n";
    for (let kill = 1; kill < 26; kill += 1) {
      const run = await playEvidence({ ...world(lost, { worktrees: true }), plan }, kill);
      expect([kill, run.ended?.outcome, run.files.get("a"), run.files.has("junk")]).toEqual([
        kill,
        "complete",
        "123",
        false,
      ]);
    }
  });

  it("continues with the work that has the fewest failing checks if none is proven", async () => {
    const run = await playEvidence(
      world({ ...lost, "1.1#3": put("3"), "1.1#5": put("123") }, { maxTaskIterations: 2 }),
    );
    expect([run.ended?.outcome, run.delegated.slice(0, 3)]).toEqual(["complete", ["1.1#1", "1.1#2", "1.1#3"]]);
    expect(run.files.get("four")).toBe("4");
  });

  it("fails with all of its attempts if none helps, and leaves the task at the limit", async () => {
    const run = await playEvidence(world({ "1.1": put("") }));
    expect([run.ended?.outcome, run.delegated.length]).toEqual(["limit", 4]);
    expect(run.ended?.hint).toContain("--race 6");
    const { races, failures, approaches } = run.state?.trees["1.1"]?.escalation ?? {};
    expect([races, failures]).toEqual([3, 4]);
    const raced = approaches?.filter(({ level }) => level === "race");
    expect(raced).toHaveLength(3);
    for (const { error } of raced ?? []) expect(error).toMatch(/check [123]/);
  });

  it("records no failure of an attempt that asks a question", async () => {
    const run = await playEvidence(world({ "1.1": put(""), "1.1#2": () => ({ text: "BLOCKED: which key?" }) }));
    const { approaches } = run.state?.trees["1.1"]?.escalation ?? {};
    expect(approaches?.map(({ level }) => level)).toEqual(["normal", "race", "race"]);
  });

  it("spends no attempt on an executor that cannot work", async () => {
    const problem = { kind: "auth", message: "log in first" } as const;
    const run = await playEvidence(world({ ...lost, "1.1#2": () => ({ text: "", problem }), "1.1#3": put("1") }));
    // A blocked race costs no attempt, so another race of three may follow.
    expect(run.delegated).toHaveLength(6);
    expect(run.state?.trees["1.1"]?.escalation).toMatchObject({ races: 3 });
  });

  it("is a single attempt without worktrees, and for a part of a task", async () => {
    const { apart: _, ...inPlace } = world({ ...lost, "1.1#2": put("123") });
    const run = await playEvidence(inPlace);
    expect([run.ended?.outcome, run.delegated]).toEqual(["complete", ["1.1#1", "1.1#2"]]);
    expect(run.prompts[1]).toContain("RACE ACTIVATED (Attempt 1/3)");
  });

  it("has as many attempts as the cap on levels leaves", async () => {
    const run = await playEvidence(world({ "1.1": put("") }, { maxTotalAttempts: 2 }));
    expect([run.ended?.outcome, run.delegated.length]).toEqual(["limit", 3]);
  });

  it("keeps concurrent changes of others, and reports them", async () => {
    const outside = world({});
    const files: Files[] = [];
    const work: Work = {
      ...lost,
      "1.1#1": (own) => void files.push(own),
      "1.1#3": (own) => {
        files[0]?.set("kept", "new");
        return put("123", { kept: "other" })(own);
      },
    };
    const run = await playEvidence({ ...outside, work });
    expect(run.files.get("kept")).toBe("new");
    expect(run.notices).toContain("Not merged for task 1.1, since others have changed these files: kept");
  });
});
