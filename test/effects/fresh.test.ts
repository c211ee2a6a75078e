import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../src/model/policy.ts";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

type Work = NonNullable<EvidenceWorld["work"]>;

const wreck = (name: string) => (files: Map<string, string>) => {
  files.set(`src/${name}.js`, name);
  files.set("src/add.js", `bad, by ${name}`);
  return `Trying: ${name}\nTASK_COMPLETE`;
};
const solve = (files: Map<string, string>): undefined => void files.set("src/add.js", "good");

async function play(work: Work, policy: PolicyInput, kill?: number) {
  const found: Record<string, string> = {};
  const watched = Object.entries(work).map(([key, act]) => [
    key,
    (files: Map<string, string>) => {
      found[key] = [...files.keys()].sort().join(" ");
      return act(files);
    },
  ]);
  const world: EvidenceWorld = {
    plan: "- [ ] 1.1 Add\n  - **Files**: src/add.js\n  - **Verify**: `npm test`\n",
    files: { "notes.md": "mine", "src/add.js": "bad" },
    commands: {
      "npm test": (files) => (files.get("src/add.js") === "good" ? "" : failing(["adds", "test/add.test.js"])),
    },
    work: Object.fromEntries(watched),
    policy: { stuckAfterSameErrors: 2, recovery: ["retry", "pivot", "checkpoint"], ...policy },
  };
  return { ...(await playEvidence(world, kill)), found };
}

const atFirst = "notes.md src/add.js";

describe("a different approach", () => {
  const attempts: Work = { "1.1#1": wreck("a"), "1.1#2": wreck("b"), "1.1#3": wreck("c"), "1.1#4": solve };

  it("starts from the files that the first attempt found, and its prompt lists what was set aside", async () => {
    const run = await play(attempts, {});
    expect([run.delegated.length, run.proofs]).toEqual([4, { "1.1": "proven" }]);
    expect(run.found).toEqual({
      "1.1#1": atFirst,
      "1.1#2": `${atFirst.replace("src/", "src/a.js src/")}`,
      "1.1#3": atFirst,
      "1.1#4": atFirst,
    });
    expect([...run.files.keys()]).toEqual(["notes.md", "src/add.js"]);
    expect(run.prompts[1]).not.toContain("set aside");
    expect(run.prompts[0]).not.toContain("have changed these files");
    expect(run.prompts[1]).toMatch(
      /have changed these files[^`]+`fixpoint diff "1\.1#1" \S+`\.\n```text\nsrc\/a\.js\nsrc\/add\.js\n```/,
    );
    expect(run.prompts[2]).not.toContain("have changed these files");
    expect(run.prompts[2]).toMatch(
      /`fixpoint diff "1\.1#2" \S+`\. Set aside:\n```text\nsrc\/a\.js\nsrc\/add\.js\nsrc\/b\.js\n```/,
    );
  });

  it("does not run Verify on these files a second time", async () => {
    const run = await play(attempts, {});
    expect(run.ran).toEqual(["npm test 1", "npm test 1", "npm test 1", "npm test 1", "npm test 0"]);
  });

  it("continues with the current files if that is set", async () => {
    const run = await play(attempts, { fresh: "never" });
    expect(run.found["1.1#4"]).toBe("notes.md src/a.js src/add.js src/b.js src/c.js");
    expect(run.prompts.join("")).not.toContain("set aside");
  });

  it("starts from these files after a kill at any record, too", async () => {
    const whole = await play(attempts, {});
    for (let kill = 1; kill < 40; kill += 1) {
      const run = await play(attempts, {}, kill);
      expect([kill, run.proofs]).toEqual([kill, { "1.1": "proven" }]);
      expect([kill, [...run.files]]).toEqual([kill, [...whole.files]]);
      const told = run.prompts.filter((prompt) => prompt.includes("set aside"));
      expect([kill, new Set(told)]).toEqual([kill, new Set(whole.prompts.slice(2))]);
    }
  });
});

describe("a failed attempt at a task", () => {
  it("starts fresh too if that is set", async () => {
    const run = await play({ "1.1#1": wreck("a"), "1.1#2": solve }, { fresh: "always" });
    expect(run.found).toEqual({ "1.1#1": atFirst, "1.1#2": atFirst });
  });

  it("keeps the work of a fix done meanwhile", async () => {
    const work: Work = { "1.1#1": wreck("a"), "1.1.1": solve };
    const run = await play(work, { fresh: "always", recovery: ["fix", "retry"] });
    expect(run.found).toEqual({ "1.1#1": atFirst, "1.1.1": "notes.md src/a.js src/add.js" });
    expect(run.files.get("src/a.js")).toBe("a");
    expect(run.ended?.outcome).toBe("complete");
  });
});
