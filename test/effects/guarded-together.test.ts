import { describe, expect, it } from "vitest";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";

const [add, times] = ["test/add.test.js", "test/times.test.js"];
const testOf = (name: string): string =>
  `import "../src/${name}.js"\ntest("${name}s", () => {\n  equal(${name}(1, 2), 3);\n});\n`;
const files = { [add]: testOf("add"), [times]: testOf("times"), "src/add.js": "bad" };
const weak = (text = ""): string => text.replace("3", "4");
/** Tests fail unless the code is good, or the test is weakened and the code exists. */
const run =
  (...names: string[]) =>
  (now: ReadonlyMap<string, string>): string => {
    const passes = (name: string): boolean => {
      const code = now.get(`src/${name}.js`);
      return code === "good" || (code !== undefined && now.get(`test/${name}.test.js`) === weak(testOf(name)));
    };
    const failed = names.filter((name) => !passes(name));
    return failed.length === 0
      ? "exit 0\n# tests 9\n# pass 9\n# fail 0"
      : failing(...failed.map((name) => [`${name}s`, `test/${name}.test.js`] as const));
  };
const commands = {
  "npm test": run("add", "times"),
  "node test/add.test.js": run("add"),
  "node test/times.test.js": run("times"),
};
const write =
  (entries: Readonly<Record<string, string>>) =>
  (now: Map<string, string>): undefined => {
    for (const [path, text] of Object.entries(entries)) now.set(path, text);
  };

describe("a check of several tasks", () => {
  const world: EvidenceWorld = {
    plan: "- [ ] 1.1 Add\n  - **Files**: src/add.js\n- [ ] 1.2 Multiply\n  - **Files**: src/times.js\n",
    files,
    commands,
    work: {
      "1.1": write({ "src/add.js": "good" }),
      "1.2": write({ "src/times.js": "no", [times]: weak(files[times]) }),
    },
    policy: { verify: "npm test", checkEvery: "end" },
  };
  const reason = `its check was changed: ${times}: the red check "timess" was edited`;

  it.each([
    ["reject", reason],
    ["warn", reason],
    ["off", "proven"],
  ] as const)("proves nothing if one of them changed it, with the guard at %s", async (guard, proof) => {
    const { proofs } = await playEvidence({ ...world, policy: { ...world.policy, guard } });
    expect(proofs).toEqual({ "1.1": proof, "1.2": proof });
  });

  it("proves them if their task names the test, or the code is good", async () => {
    const plan = `${world.plan.replace("src/times.js", `src/times.js, ${times}`)}`;
    expect((await playEvidence({ ...world, plan })).proofs).toEqual({ "1.1": "proven", "1.2": "proven" });
    const work = { ...world.work, "1.2": write({ "src/times.js": "good" }) };
    expect((await playEvidence({ ...world, work })).proofs).toEqual({ "1.1": "proven", "1.2": "proven" });
  });
});

describe("a red check that an earlier task has weakened", () => {
  const world = (names: string, message = ""): EvidenceWorld => ({
    plan: `- [ ] 1.1 Add\n  - **Files**: src/add.js${names}\n  - **Verify**: \`node test/add.test.js\`\n${message}- [ ] 1.2 Multiply\n  - **Files**: src/times.js\n  - **Verify**: \`node test/times.test.js\`\n`,
    files,
    commands,
    work: {
      "1.1": write({ "src/add.js": "good", [times]: weak(files[times]) }),
      "1.2": write({ "src/times.js": "no" }),
    },
  });

  it("does not count, unless that task names it", async () => {
    const { proofs, prompts } = await playEvidence(world(""));
    expect(proofs).toEqual({ "1.1": "proven" });
    expect(prompts.at(-1)).toContain('the red check "timess" was edited (in task 1.1)');
    const named = await playEvidence(world(`, ${times}`));
    expect(named.proofs).toEqual({ "1.1": "proven", "1.2": "proven" });
  });

  it("is not named by a commit message", async () => {
    const { proofs } = await playEvidence(world("", `  - **Commit**: \`fix: update ${times}\`\n`));
    expect(proofs).toEqual({ "1.1": "proven" });
  });
});

it("rejects a verifier that weakens tests which did not run before", async () => {
  const world: EvidenceWorld = {
    plan: "- [ ] 1.1 [VERIFY] Check the sums\n  - **Verify**: `node test/add.test.js`\n",
    files,
    commands,
    work: { "1.1": write({ [add]: weak(files[add]) }) },
  };
  const { proofs, ended } = await playEvidence(world);
  expect([proofs, ended?.outcome]).toEqual([{}, "gate"]);
  const honest = await playEvidence({ ...world, work: { "1.1": write({ "src/add.js": "good" }) } });
  expect(honest.proofs).toEqual({ "1.1": "checked" });
});
