import { describe, expect, it } from "vitest";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";
import { someMoments } from "../support/some-cases.ts";

const adds = ["adds", "test/add.test.js"] as const;
const old = ["old", "test/old.test.js"] as const;
const write =
  (path: string, text = "good") =>
  (files: Map<string, string>): undefined => {
    files.set(path, text);
  };
const isGood = (files: ReadonlyMap<string, string>): boolean => files.get("src/add.js") === "good";

const breaks: EvidenceWorld = {
  plan: [
    "- [ ] 1.1 Add\n  - **Files**: src/add.js\n  - **Verify**: `npm test`\n",
    "- [ ] 1.2 Sub\n  - **Files**: src/sub.js\n  - **Verify**: `make sub`\n",
  ].join(""),
  files: { "test/add.test.js": 'import "../src/add.js"', "test/old.test.js": 'import "../src/old.js"' },
  commands: {
    "npm test": (files) => failing(...(isGood(files) ? [] : [adds])),
    "make sub": (files) => (files.has("src/sub.js") ? "" : "bad"),
  },
  work: {
    "1.1": write("src/add.js"),
    "1.2": (files) => {
      files.set("src/sub.js", "good");
      files.set("src/add.js", "broken");
    },
  },
  policy: { recovery: ["fix"] },
};
const idle = () => undefined;

describe("a fix task made at the end of a run", () => {
  it("has the failed command as its Verify, as does a fix made for it", async () => {
    const work = { ...breaks.work, "1.2.1": idle, "1.2.1.1": write("src/add.js") };
    const run = await playEvidence({ ...breaks, work });
    expect([run.ended?.outcome, run.delegated]).toEqual(["complete", ["1.1#1", "1.2#1", "1.2.1#1", "1.2.1.1#1"]]);
    const fixes = run.made.store.tasks.text.split("[FIX 1.2").slice(1);
    expect(fixes.map((fix) => /Verify\*\*: (.*)/.exec(fix)?.[1])).toEqual(["`npm test`", "`npm test`"]);
    expect(run.files.get("src/add.js")).toBe("good");
  });

  it("proves the same if the run is killed before it records the failure", async () => {
    const world = { ...breaks, work: { ...breaks.work, "1.2.1": write("src/add.js") } };
    const whole = await playEvidence(world);
    for (const kill of someMoments(whole.made.records.length - 1)) {
      expect([kill, (await playEvidence(world, kill)).proofs]).toEqual([kill, whole.proofs]);
    }
  });
});

describe("the proof of a task", () => {
  it("is checked again at the end although ignored checks fail in it", async () => {
    const run = await playEvidence({
      ...breaks,
      commands: { ...breaks.commands, "npm test": (files) => failing(...(isGood(files) ? [] : [adds]), old) },
      work: { ...breaks.work, "1.2.1": write("src/add.js") },
      policy: { recovery: ["fix"], knownFailures: "ignore" },
    });
    expect([run.ended?.outcome, run.delegated]).toEqual(["complete", ["1.1#1", "1.2#1", "1.2.1#1"]]);
  });

  it("is checked again if an earlier run showed that the task is done", async () => {
    const run = await playEvidence({
      ...breaks,
      commands: { ...breaks.commands, "npm test": (files, call) => (isGood(files) && call > 2 ? "" : failing(adds)) },
      work: { ...breaks.work, "1.1.1": idle, "1.2.1": write("src/add.js") },
    });
    expect(run.proofs).toMatchObject({ "1.1": "proven", "1.1.1": "turned green without a change" });
    expect(run.delegated).toEqual(["1.1#1", "1.1.1#1", "1.2#1", "1.2.1#1"]);
  });

  it("is missing if nothing changed since before the work", async () => {
    const run = await playEvidence({
      ...breaks,
      plan: breaks.plan.split("- [ ] 1.2")[0] as string,
      commands: { "npm test": (_files, call) => (call > 2 ? "" : failing(adds)) },
      work: { "1.1": idle, "1.1.1": idle },
    });
    expect(run.proofs["1.1"]).toBe("turned green without a change");
  });

  it("is missing if the task wrote its own checks, whatever ignored checks fail", async () => {
    const run = await playEvidence({
      ...{ plan: breaks.plan.split("- [ ] 1.2")[0] as string, files: { "test/old.test.js": 'import "../src/old.js"' } },
      commands: { "npm test": (files) => failing(...(isGood(files) ? [] : [adds]), old) },
      work: {
        "1.1": (files) => {
          files.set("src/add.js", "good");
          files.set("test/add.test.js", 'import "../src/add.js"');
        },
      },
      policy: { knownFailures: "ignore" },
    });
    expect(run.proofs).toEqual({ "1.1": "the task wrote its own checks" });
  });
});

describe("a check that is red and green without a change", () => {
  it("is counted once, even if its claim is rejected for a box", async () => {
    const counted: number[] = [];
    for (const box of ["- [ ] 9", "- [ ] 1.2"]) {
      const run = await playEvidence({
        plan: breaks.plan,
        files: { ...breaks.files, "src/sub.js": "good" },
        commands: { "npm test": (_files, call) => (call === 2 ? failing(adds) : "") },
        work: { "1.1#1": write("docs/notes.md"), "1.1#2": write("docs/more.md") },
        ticks: { "1.1#1": box },
      });
      counted.push(...Object.values(run.state?.flaky ?? {}));
    }
    expect(counted).toEqual([1, 1]);
  });
});
