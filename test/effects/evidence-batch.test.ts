import { describe, expect, it } from "vitest";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

const tick = () => new Promise((resolve) => setImmediate(resolve));
const checkOf = (name: string) => [name, `test/${name}.test.js`] as const;
const block = (id: string, name: string, verify = "npm test"): string =>
  `- [ ] ${id} [P] Make ${name}\n  - **Files**: src/${name}.js\n  - **Verify**: \`${verify}\`\n`;
const tests = Object.fromEntries(
  ["a", "b", "old"].map((name) => [`test/${name}.test.js`, `import "../src/${name}.js"`]),
);
const reds = (files: ReadonlyMap<string, string>, ...names: readonly string[]): string =>
  failing(...names.filter((name) => files.get(`src/${name}.js`) !== "good").map(checkOf));
const make =
  (name: string, turns = 0) =>
  async (files: Map<string, string>): Promise<undefined> => {
    for (let turn = 0; turn < turns; turn += 1) await tick();
    files.set(`src/${name}.js`, "good");
  };
const idle = () => undefined;

describe("members of a batch", () => {
  const world: EvidenceWorld = {
    plan: block("1.1", "a") + block("1.2", "b"),
    files: tests,
    commands: { "npm test": (files) => reds(files, "a", "b") },
    policy: { recovery: ["fix"] },
  };

  it("have their fixes done one after the other, each compared with the red run it was made for", async () => {
    const working = new Set<string>();
    const most: number[] = [];
    const alone = (name: string) => async (files: Map<string, string>) => {
      working.add(name);
      most.push(working.size);
      await make(name, 20)(files);
      working.delete(name);
      return undefined;
    };
    const run = await playEvidence({
      ...world,
      work: { "1.1#1": idle, "1.2#1": idle, "1.1.1": alone("a"), "1.2.1": alone("b") },
    });
    expect(most).toEqual([1, 1]);
    expect([run.ended?.outcome, run.proofs]).toEqual([
      "complete",
      { "1.1": "proven", "1.1.1": "proven", "1.2": "proven", "1.2.1": "proven" },
    ]);
  });

  it("are proven by the same red run if its remaining failures count against neither", async () => {
    const run = await playEvidence({
      ...world,
      commands: { "npm test": (files) => reds(files, "a", "b", "old") },
      work: { "1.1": make("a", 3), "1.2": make("b") },
      policy: { recovery: ["fix"], knownFailures: "ignore" },
    });
    expect([run.ended?.outcome, run.proofs]).toEqual(["complete", { "1.1": "proven", "1.2": "proven" }]);
  });

  it("may leave checks red that were red before the first of them began", async () => {
    const run = await playEvidence({
      ...world,
      plan: `${block("1.1", "a")}${block("1.2", "b", "make b")}- [ ] 1.3 Write\n`,
      commands: { "npm test": (files) => reds(files, "a"), "make b": (files) => reds(files, "b", "old") },
      work: { "1.1": make("a"), "1.2": make("b"), "1.3": make("page") },
      policy: { recovery: ["fix"], knownFailures: "ignore" },
    });
    expect([run.ended?.outcome, run.delegated.length]).toEqual(["complete", 3]);
  });
});

describe("a task found done", () => {
  it("is in progress until its box is ticked: no other claim is blamed for the tick", () => {
    const state = newRun(1);
    const answer = { kind: "done", proof: { kind: "proven" } } as const;
    apply(state, { type: "answered", key: "1.1#2/delegate", effect: "delegate", answer });
    expect(state.turn.inFlight).toEqual({ "1.1": true });
  });
});
