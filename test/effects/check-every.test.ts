import { describe, expect, it } from "vitest";
import { renderEvent } from "../../src/wording/render-event.ts";
import { type EvidenceRun, type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";
import { someMoments } from "../support/some-cases.ts";

// Tasks without a Verify are accepted first. One command verifies all of them after each phase or at the end.

const plan = `## Phase 1: Sums

- [ ] 1.1 Create src/add.js
- [ ] 1.2 Create src/sum.js

## Phase 2: Products

- [ ] 2.1 Create src/times.js
`;
const tests = {
  "test/add.test.js": 'import "../src/add.js"',
  "test/sum.test.js": 'import "../src/sum.js"',
  "test/times.test.js": 'import "../src/times.js"',
};
const names = ["add", "sum", "times"] as const;

const suite = (files: ReadonlyMap<string, string>): string =>
  failing(
    ...names
      .filter((name) => files.get(`src/${name}.js`) !== "good")
      .map((name) => [name, `test/${name}.test.js`] as const),
  );
const write =
  (...written: string[]) =>
  (files: Map<string, string>): undefined => {
    for (const name of written) files.set(`src/${name}.js`, "good");
  };
const nothing = () => undefined;

const world: EvidenceWorld = {
  plan,
  files: tests,
  commands: { "npm test": suite },
  work: { "1.1": write("add"), "1.2": write("sum"), "2.1": write("times") },
  policy: { verify: "npm test", checkEvery: "phase", recovery: ["fix"] },
};
const atEnd: EvidenceWorld = { ...world, policy: { ...world.policy, checkEvery: "end" } };
const toldLater = (prompts: readonly string[]): (string | undefined)[] =>
  prompts.map((prompt) => /^\d+\. (The check of the project.*)$/m.exec(prompt)?.[1]);
const passedIn = ({ made }: EvidenceRun): string[] =>
  made.events.flatMap((event) => (event.type === "task.passed" ? renderEvent({ ...event, at: "" }) : []));
const all = { "1.1": "proven", "1.2": "proven", "2.1": "proven" };

describe("--check-every phase", () => {
  it("runs the command before the first task, and after each phase", async () => {
    const run = await playEvidence(world);
    expect(run.ended).toMatchObject({ outcome: "complete", proofs: { proven: 3, unverified: [] } });
    expect(run.proofs).toEqual(all);
    expect(passedIn(run)).toEqual(
      ["1.1", "1.2", "2.1"].map((id) => `passed ${id} after 1 attempt, unverified until the check after its phase`),
    );
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "2.1#1"]);
    // The tests that fail after the first phase belong to the second phase, so no fix follows.
    expect(run.ran).toEqual(["npm test 1", "npm test 1", "npm test 1", "npm test 0"]);
  });

  it("writes a fix for the task that omitted a part of the phase", async () => {
    const work = { ...world.work, "1.1": nothing, "1.1.1": write("add") };
    const run = await playEvidence({ ...world, work });
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "1.1.1#1", "2.1#1"]);
    expect(run.made.store.tasks.text).toContain("- [x] 1.1.1 [FIX 1.1]");
    expect(run.ended).toMatchObject({ outcome: "complete" });
    expect(run.proofs).toMatchObject(all);
  });

  it("names the report of a task whose phase check failed", async () => {
    const policy: EvidenceWorld["policy"] = { ...world.policy, recovery: ["fix", "pivot", "research", "checkpoint"] };
    const run = await playEvidence({ ...world, work: { ...world.work, "1.1": nothing }, policy });
    expect(run.ended).toMatchObject({ outcome: "checkpoint" });
    expect(JSON.stringify(run.ended)).toMatch(/Stuck Report saved to: \S*stuck-report\.md/);
  });

  it("tells executors which command runs after the phase", async () => {
    const work = { ...world.work, "1.1": nothing, "1.1.1": write("add") };
    const { delegated, prompts } = await playEvidence({ ...world, work });
    const says =
      "The check of the project, `npm test`, is run once all tasks of this phase are done: its failures come back to be fixed";
    expect(delegated).toEqual(["1.1#1", "1.2#1", "1.1.1#1", "2.1#1"]);
    // A fix has a Verify of its own, so its prompt lacks the sentence.
    expect(toldLater(prompts)).toEqual([says, says, undefined, says]);
    expect(prompts[2]).toContain("Verify completion with Verify command");
    const without = await playEvidence({ ...world, policy: { ...world.policy, verify: null } });
    expect(toldLater(without.prompts)).toEqual([undefined, undefined, undefined]);
    const each = await playEvidence({ ...world, policy: { ...world.policy, checkEvery: "task" } });
    expect(toldLater(each.prompts.slice(0, 1))).toEqual([undefined]);
    expect(each.prompts[0]).toContain("Verify completion with the check of the project, `npm test`");
  });

  it("leaves a task to its own Verify", async () => {
    const own = plan.replace("Create src/add.js\n", "Create src/add.js\n  - **Verify**: `own`\n");
    const run = await playEvidence({ ...world, plan: own });
    expect(toldLater(run.prompts).map((says) => says !== undefined)).toEqual([false, true, true]);
    expect(run.ran.filter((line) => line.startsWith("own"))).toEqual(["own 0", "own 0"]);
    expect(run.proofs).toMatchObject({ "1.1": "green before the work", "1.2": "proven" });
  });

  it("runs the command again if a later task with its own Verify broke proven work", async () => {
    const own = `${plan}  - **Verify**: \`own\`\n`;
    const breaks = (files: Map<string, string>): undefined => {
      write("times")(files);
      files.set("src/add.js", "bad");
    };
    const broken = { ...world, plan: own, work: { ...world.work, "2.1#1": breaks, "2.1.1": write("add") } };
    // No test covers the last task, so the suite passes after the first phase.
    const sums = (files: ReadonlyMap<string, string>) => suite(new Map([...files, ["src/times.js", "good"]]));
    for (const [index, command] of [suite, sums].entries()) {
      const run = await playEvidence({ ...broken, commands: { "npm test": command } });
      expect([index, ...run.delegated]).toEqual([index, "1.1#1", "1.2#1", "2.1#1", "2.1.1#1"]);
      expect(run.ended).toMatchObject({ outcome: "complete" });
      expect(run.files.get("src/add.js")).toBe("good");
    }
  });

  it("does not run the command before the work if that is switched off", async () => {
    const run = await playEvidence({ ...world, policy: { ...world.policy, verifyBefore: false } });
    // Without results from the beginning, failed tests of the second phase count against the first phase.
    expect(run.ran.slice(0, 2)).toEqual(["npm test 1", "npm test 1"]);
    expect(run.delegated.slice(0, 3)).toEqual(["1.1#1", "1.2#1", "1.2.1#1"]);
  });

  it("raises a question if the limits allow no fix", async () => {
    const run = await playEvidence({
      ...world,
      work: { "2.1": write("times") },
      policy: { ...world.policy, recovery: ["retry"] },
    });
    expect(run.ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("The project's check failed") });
  });

  it("reaches the same end wherever the run is killed, and counts nothing twice", async () => {
    const work = { ...world.work, "1.1": nothing, "1.1.1": write("add") };
    const whole = await playEvidence({ ...world, work });
    for (const kill of someMoments(whole.made.records.length - 1)) {
      const run = await playEvidence({ ...world, work }, kill);
      expect([kill, run.ended?.outcome, run.ended?.proofs, run.made.store.tasks.text]).toEqual([
        ...[kill, "complete", whole.ended?.proofs, whole.made.store.tasks.text],
      ]);
      expect(run.ended?.attempts).toBeLessThanOrEqual(5);
    }
  });
});

describe("--check-every end", () => {
  it("runs the command before the first task and after the last", async () => {
    const run = await playEvidence(atEnd);
    expect(run.proofs).toEqual(all);
    expect(passedIn(run)[0]).toBe("passed 1.1 after 1 attempt, unverified until the check at the end");
    expect(run.ran).toEqual(["npm test 1", "npm test 0"]);
    expect(toldLater(run.prompts)).toEqual(
      Array(3).fill(
        "The check of the project, `npm test`, is run once all tasks of the plan are done: its failures come back to be fixed",
      ),
    );
  });

  it("has each failure repaired at its task, and proves the others", async () => {
    const work = { ...world.work, "1.2": nothing, "1.2.1": write("sum") };
    const run = await playEvidence({ ...atEnd, work });
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "2.1#1", "1.2.1#1"]);
    expect(run.proofs).toMatchObject({ "1.1": "proven", "2.1": "proven" });
    expect(run.proofs["1.2"]).not.toBe("unverified");
  });

  it("reports that a command proves nothing that was green before", async () => {
    const run = await playEvidence({ ...atEnd, commands: { "npm test": () => "" } });
    expect(Object.values(run.proofs)).toEqual(Array(3).fill("green before the work"));
    expect(run.ended).toMatchObject({ outcome: "complete", proofs: { proven: 0 } });
  });

  const known: EvidenceWorld = {
    ...atEnd,
    files: { ...tests, "test/old.test.js": 'import "../src/old.js"' },
    commands: {
      "npm test": (files) => {
        const failed = names.filter((name) => files.get(`src/${name}.js`) !== "good");
        const isOld = files.get("src/old.js") !== "good";
        return failing(
          ...failed.map((name) => [name, `test/${name}.test.js`] as const),
          ...(isOld ? [["old", "test/old.test.js"] as const] : []),
        );
      },
    },
  };

  it("asks once about earlier failures unrelated to the plan", async () => {
    const run = await playEvidence(known);
    expect(run.ended).toMatchObject({
      outcome: "gate",
      error: expect.stringMatching(/^The plan is done, except for 1 unrelated check that failed before the run/),
    });
  });

  it("completes with earlier failures if the policy ignores them", async () => {
    const run = await playEvidence({ ...known, policy: { ...known.policy, knownFailures: "ignore" } });
    expect(run.ended).toMatchObject({ outcome: "complete", knownFailures: [expect.stringContaining("old")] });
    expect(run.proofs).toEqual(all);
  });

  it.each(["phase", "end"] as const)("ends with a task that waits for a person: %s", async (checkEvery) => {
    const policy = { ...known.policy, checkEvery, unattended: true, knownFailures: "ignore" } as const;
    const run = await playEvidence({ ...known, policy, work: { ...known.work, "1.2": () => "BLOCKED: which one?" } });
    expect(run.ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("which one?") });
    expect(run.ran.length).toBeLessThan(10);
    expect(run.proofs["1.1"]).not.toBe("unverified");
  });

  it("has earlier failures repaired if the policy says so", async () => {
    const policy = { ...known.policy, knownFailures: "repair" } as const;
    const run = await playEvidence({ ...known, policy, work: { ...known.work, "2.1.1": write("old") } });
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "2.1#1", "2.1.1#1"]);
    expect(run.ended).toMatchObject({ outcome: "complete" });
  });
});
