import { describe, expect, it } from "vitest";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

const test = "test/add.test.js";
const files = {
  [test]: 'import "../src/add.js"\ntest("adds", () => {\n  equal(add(1, 2), 3);\n});\n',
  "src/add.js": "bad",
};
/** World in which Verify passes if the code is good, or if the test is missing. */
const world: EvidenceWorld = {
  plan: "- [ ] 1.1 Add\n  - **Files**: src/add.js\n  - **Verify**: `npm test`\n",
  files,
  commands: {
    "npm test": (now) => (now.get("src/add.js") === "good" || !now.has(test) ? "" : failing(["adds", test])),
  },
};
const cheat = (now: Map<string, string>): undefined => void now.delete(test);

describe("an attempt that changed the proof of its task", () => {
  it("is not accepted by the Verify before the next delegation", async () => {
    const run = await playEvidence({ ...world, work: { "1.1": cheat } });
    expect(run.delegated).toEqual(["1.1#1", "1.1#2"]);
    expect([run.proofs, run.ended?.outcome]).toEqual([{}, "gate"]);
    expect(run.prompts[1]).toContain("1 of 1 test is gone");
  });

  it("passes once the change is reverted and the work is done", async () => {
    const work = (now: Map<string, string>): undefined => {
      now.set(test, files[test] as string);
      now.set("src/add.js", "good");
    };
    const run = await playEvidence({ ...world, work: { "1.1#1": cheat, "1.1#2": work } });
    expect([run.proofs, run.ended?.outcome]).toEqual([{ "1.1": "proven" }, "complete"]);
  });

  it("is accepted with a note if the policy only warns", async () => {
    const run = await playEvidence({ ...world, work: { "1.1": cheat }, policy: { guard: "warn" } });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1"], "complete"]);
  });

  it("is not credited to an attempt that does nothing, after a fix that cheats", async () => {
    const run = await playEvidence({
      ...world,
      work: { "1.1": () => undefined, "1.1.1": cheat },
      policy: { recovery: ["fix"] },
    });
    expect([run.proofs, run.ended?.outcome]).toEqual([{}, "gate"]);
  });
});
