import { describe, expect, it } from "vitest";
import { type EvidenceWorld, failing, playEvidence } from "../support/evidence-run.ts";
import { continueRun, newRun } from "../support/memory-run.ts";
import { someMoments } from "../support/some-cases.ts";

const one = "- [ ] 1.1 Add\n  - **Files**: src/add.js\n  - **Verify**: `npm test`\n";
const isDone =
  (path: string) =>
  (files: ReadonlyMap<string, string>): string =>
    files.get(path) === "good" ? "" : failing(["adds", "test/add.test.js"]);
const write =
  (path: string, text = "good") =>
  (files: Map<string, string>): undefined => {
    files.set(path, text);
  };
const nothing = () => undefined;
const files = { "test/add.test.js": 'import "../src/add.js"', "src/add.js": "bad" };

describe("a task whose Verify was red before the work", () => {
  const world: EvidenceWorld = {
    ...{ plan: one, files },
    commands: { "npm test": isDone("src/add.js") },
    work: { "1.1": write("src/add.js") },
  };

  it("is proven if it is green afterwards, by two runs", async () => {
    const run = await playEvidence(world);
    expect(run.proofs).toEqual({ "1.1": "proven" });
    expect([run.delegated, run.ran]).toEqual([["1.1#1"], ["npm test 1", "npm test 0"]]);
    expect(run.ended).toMatchObject({ outcome: "complete", proofs: { proven: 1, checked: 0 } });
  });

  it("is not proven without the run before the work", async () => {
    const run = await playEvidence({ ...world, policy: { verifyBefore: false } });
    expect([run.proofs, run.ran]).toEqual([{ "1.1": "no result from before the work" }, ["npm test 0"]]);
  });

  it("is closed without a delegation if a fix made it green", async () => {
    const run = await playEvidence({
      ...world,
      work: { "1.1#1": nothing, "1.1.1": write("src/add.js") },
      policy: { recovery: ["fix"] },
    });
    expect(run.delegated).toEqual(["1.1#1", "1.1.1#1"]);
    expect(run.proofs).toEqual({ "1.1": "proven", "1.1.1": "proven" });
    expect(run.ran).toEqual(["npm test 1", "npm test 1", "npm test 0"]);
  });

  it.each([
    [
      "hangs for the first time, after a reported failure: it is retried",
      "Task 1.1: x FAILED\n- Error: y",
      ["1.1#1", "1.1#2", "1.1#3"],
    ],
    ["hangs twice: a person is asked", null, ["1.1#1", "1.1#2"]],
  ])("%s", async (_, first, delegated) => {
    const made = newRun(one);
    const keys: string[] = [];
    await continueRun(
      made,
      async ({ key }) => {
        keys.push(key);
        if (key === "1.1#1" && first !== null) return { text: first };
        return { text: "", ended: "timeout" };
      },
      {
        shell: {
          exists: async () => true,
          run: async () => ({ exitCode: 1, stdout: "", stderr: "", durationMs: 1, timedOut: false }),
        },
        policy: { recovery: ["retry", "fix"] },
      },
    );
    expect(keys).toEqual(delegated);
  });

  it("proves nothing if it turns green without a change, twice", async () => {
    const run = await playEvidence({
      ...world,
      commands: { "npm test": (_files, call) => (call === 1 ? failing(["adds", "test/add.test.js"]) : "") },
      work: {},
    });
    expect(run.proofs).toEqual({ "1.1": "turned green without a change" });
    expect(run.ran).toEqual(["npm test 1", "npm test 0", "npm test 0"]);
  });

  it("reaches the same end wherever the run is killed, and counts nothing twice", async () => {
    const work = { "1.1#1": nothing, "1.1.1": write("src/add.js") };
    const fixed: EvidenceWorld = { ...world, work, policy: { recovery: ["fix"] } };
    const whole = await playEvidence(fixed);
    for (const kill of someMoments(whole.made.records.length - 1)) {
      const run = await playEvidence(fixed, kill);
      expect([kill, run.ended?.outcome, run.ended?.proofs, run.made.store.tasks.text]).toEqual([
        ...[kill, "complete", whole.ended?.proofs, whole.made.store.tasks.text],
      ]);
      expect(run.ended?.attempts).toBeLessThanOrEqual(3);
    }
  });
});

describe("a task whose Verify was green before the work", () => {
  const plan = one.replace("npm test", "npm run lint");

  it("is not proven by the green Verify, and is delegated", async () => {
    const run = await playEvidence({ plan, files, work: { "1.1": write("src/add.js") } });
    expect([run.delegated, run.proofs]).toEqual([["1.1#1"], { "1.1": "green before the work" }]);
  });

  it("is delegated again once a fix repaired what it broke", async () => {
    const run = await playEvidence({
      ...{ plan, files },
      commands: { "npm run lint": (now) => (now.get("src/add.js") === "worse" ? "worse" : "") },
      work: { "1.1#1": write("src/add.js", "worse"), "1.1.1": write("src/add.js") },
      policy: { recovery: ["fix"] },
    });
    expect(run.delegated).toEqual(["1.1#1", "1.1.1#1", "1.1#2"]);
    expect(run.proofs).toEqual({ "1.1.1": "proven", "1.1": "green before the work" });
  });
});

describe("one command for many tasks", () => {
  const plan = Array.from({ length: 20 }, (_, n) => `- [ ] 1.${n + 1} Step\n  - **Verify**: \`npm test\`\n`).join("");

  it("runs once more than there are tasks if each passes at once", async () => {
    const work = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`1.${n + 1}`, write(`src/${n}.js`)]));
    const run = await playEvidence({ plan, work });
    expect(run.ended?.outcome).toBe("complete");
    expect(run.ran.length).toBeLessThanOrEqual(21);
  });
});

describe("the end of a run", () => {
  const two = `${one}- [ ] 1.2 Sub\n  - **Files**: src/sub.js\n  - **Verify**: \`make sub\`\n`;
  const breaks: EvidenceWorld = {
    ...{ plan: two, files: { ...files, "src/sub.js": "bad" } },
    commands: {
      "npm test": isDone("src/add.js"),
      "make sub": (now) => (now.get("src/sub.js") === "good" ? "" : "bad"),
    },
    work: {
      "1.1": write("src/add.js"),
      "1.2": (now) => {
        now.set("src/sub.js", "good");
        now.set("src/add.js", "broken");
      },
      "1.2.1": write("src/add.js"),
    },
    policy: { recovery: ["fix"] },
  };

  it("detects what a later task broke, and has that task repaired", async () => {
    const run = await playEvidence(breaks);
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "1.2.1#1"]);
    expect(run.ended?.outcome).toBe("complete");
    expect(run.made.store.tasks.text).toContain("[FIX 1.2]");
  });

  it("has no repair if that is switched off, and asks a person if no fix may be written", async () => {
    const blind = await playEvidence({ ...breaks, policy: { ...breaks.policy, recheck: false } });
    expect([blind.ended?.outcome, blind.delegated.length]).toEqual(["complete", 2]);
    const asked = await playEvidence({ ...breaks, policy: { recovery: ["retry"] } });
    expect(asked.ended).toMatchObject({
      outcome: "gate",
      error: expect.stringContaining("1.1 fails again"),
    });
  });

  it("has a red final check repaired within the limits of a task", async () => {
    const final: EvidenceWorld = {
      ...{ plan: "- [ ] 1.1 Add\n", policy: { recovery: ["fix"], finalVerify: "test -f done.txt" } },
      commands: { "test -f done.txt": (now) => (now.has("done.txt") ? "" : "exit 1") },
    };
    const run = await playEvidence({ ...final, work: { "1.1.1": write("done.txt") } });
    expect([run.delegated, run.ended?.outcome]).toEqual([["1.1#1", "1.1.1#1"], "complete"]);
    const never = await playEvidence({ ...final, policy: { ...final.policy, maxFixTasksPerOriginal: 0 } });
    expect(never.ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("The final check failed") });
  });

  it("reaches the same end if it is killed after recording the fix", async () => {
    const whole = await playEvidence(breaks);
    for (const kill of someMoments(whole.made.records.length - 1, 1)) {
      const run = await playEvidence(breaks, kill);
      expect([kill, run.ended?.outcome, run.made.store.tasks.text]).toEqual([
        ...[kill, "complete", whole.made.store.tasks.text],
      ]);
    }
  });

  it("asks about unproven tasks if proof is required", async () => {
    const run = await playEvidence({ plan: "- [ ] 1.1 Add\n", policy: { requireProof: true } });
    expect(run.ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("1.1: unverified") });
    const proven = await playEvidence({ ...breaks, policy: { recovery: ["fix"], requireProof: true } });
    expect(proven.ended?.outcome).toBe("complete");
  });
});

describe("checks that failed before the run", () => {
  const old = ["old", "test/old.test.js"] as const;
  const known: EvidenceWorld = {
    plan: one,
    files: { ...files, "test/old.test.js": 'import "../src/old.js"', "src/old.js": "bad" },
    commands: {
      "npm test": (now) =>
        failing(...(now.get("src/add.js") === "good" ? [] : [["adds", "test/add.test.js"] as const]), old),
    },
    work: { "1.1": write("src/add.js") },
    policy: { recovery: ["fix"] },
  };

  it("are asked about once, and nothing is repaired for them", async () => {
    const run = await playEvidence(known);
    expect(run.ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("old") });
    expect(run.ended?.hint).toContain("--known-failures ignore");
    expect(run.delegated).toEqual(["1.1#1"]);
  });

  it("do not count if they are ignored", async () => {
    const run = await playEvidence({ ...known, policy: { ...known.policy, knownFailures: "ignore" } });
    expect([run.ended?.outcome, run.delegated, run.proofs]).toEqual(["complete", ["1.1#1"], { "1.1": "proven" }]);
  });

  const repaired: EvidenceWorld = {
    ...known,
    plan: `${one}- [ ] 1.2 Next\n`,
    commands: {
      "npm test": (now) =>
        failing(
          ...(now.get("src/add.js") === "good" ? [] : [["adds", "test/add.test.js"] as const]),
          ...(now.get("src/old.js") === "good" ? [] : [old]),
        ),
    },
    work: { "1.1": write("src/add.js"), "1.1.1": write("src/old.js") },
    policy: { knownFailures: "repair" },
  };

  it("get a fix task before the next task if they are to be repaired, whatever the ladder", async () => {
    const run = await playEvidence(repaired);
    expect([run.ended?.outcome, run.delegated]).toEqual(["complete", ["1.1#1", "1.1.1#1", "1.2#1"]]);
    expect(run.proofs).toMatchObject({ "1.1": "proven", "1.1.1": "proven" });
    expect(run.made.store.tasks.text).toMatch(/^- \[x\] 1\.1\.1 \[FIX 1\.1\] Fix: old/m);
    expect(run.made.events.flatMap((event) => (event.type === "task.passed" ? [event.fixes] : []))).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("are not closed by a fix that changes something else", async () => {
    const run = await playEvidence({ ...repaired, work: { ...repaired.work, "1.1.1": write("src/other.js") } });
    expect(run.ended?.outcome).toBe("limit");
    expect(run.delegated).not.toContain("1.2#1");
  });

  it("get no fix task that a limit forbids: the end of the run asks about them", async () => {
    const run = await playEvidence({ ...repaired, policy: { ...repaired.policy, maxFixTasksPerOriginal: 0 } });
    expect([run.ended?.outcome, run.delegated]).toEqual(["gate", ["1.1#1", "1.2#1"]]);
  });

  it("get one fix task, wherever the run is killed", async () => {
    const whole = await playEvidence(repaired);
    for (const kill of someMoments(whole.made.records.length - 1, 2)) {
      const run = await playEvidence(repaired, kill);
      expect([kill, run.ended?.outcome, run.made.store.tasks.text]).toEqual([
        ...[kill, "complete", whole.made.store.tasks.text],
      ]);
    }
  });

  it("do not excuse checks that concern the task", async () => {
    const run = await playEvidence({ ...known, work: { "1.1": nothing }, policy: { knownFailures: "ignore" } });
    expect(run.ended?.outcome).toBe("limit");
  });
});

describe("a [RED] task", () => {
  const plan = [
    "- [ ] 1.1 [RED] Test add\n  - **Files**: test/add.test.js\n  - **Verify**: `npm test`\n",
    "- [ ] 1.2 Write the page\n  - **Files**: docs/page.md\n  - **Verify**: `npm test`\n",
    "- [ ] 1.3 [GREEN] Add\n  - **Files**: src/add.js\n  - **Verify**: `npm test`\n",
  ].join("");
  const commands: EvidenceWorld["commands"] = {
    "npm test": (now) =>
      now.has("test/add.test.js") && now.get("src/add.js") !== "good" ? failing(["adds", "test/add.test.js"]) : "",
  };
  const work = {
    "1.1": write("test/add.test.js", 'import "../src/add.js"'),
    "1.2": write("docs/page.md"),
    "1.3": write("src/add.js"),
  };

  it("is done with an additional failure, which counts against none but the next [GREEN] task", async () => {
    const run = await playEvidence({ plan, commands, work, policy: { requireProof: false } });
    expect(run.ended?.outcome).toBe("complete");
    expect(run.delegated).toEqual(["1.1#1", "1.2#1", "1.3#1"]);
    expect(run.proofs).toMatchObject({ "1.1": "proven", "1.3": "proven" });
  });

  it("is not done without an additional failure", async () => {
    const run = await playEvidence({
      plan,
      commands,
      work: { ...work, "1.1": nothing },
      policy: { maxTaskIterations: 2 },
    });
    expect(run.proofs["1.1"]).not.toBe("proven");
  });
});

describe("members of a batch", () => {
  it("are not judged by the half-written work of another", async () => {
    const plan =
      "- [ ] 1.1 [P] Quick\n  - **Verify**: `sh check.sh`\n- [ ] 1.2 [P] Slow\n  - **Verify**: `sh check.sh`\n";
    let finish = nothing as () => void;
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const run = await playEvidence({
      plan,
      commands: {
        "sh check.sh": (now) => {
          if (!now.has("half")) return "";
          setTimeout(finish);
          return "FAIL b: half written";
        },
      },
      work: {
        "1.1": write("quick"),
        "1.2": async (now) => {
          now.set("half", "");
          await slow;
          now.delete("half");
          now.set("slow", "good");
        },
      },
      policy: { recovery: ["fix"] },
    });
    expect([run.ended?.outcome, [...run.delegated].sort()]).toEqual(["complete", ["1.1#1", "1.2#1"]]);
  });
});

describe("an attempt that changes the proof of its task", () => {
  const test = "test('adds', () => assert.equal(add(1, 2), 3));\n";
  const world: EvidenceWorld = {
    plan: one,
    files: { "test/add.test.js": test, "src/add.js": "bad", "package.json": '{"scripts":{"test":"node --test"}}' },
    commands: {
      "npm test": (now) =>
        now.get("src/add.js") === "good" || now.get("test/add.test.js") !== test
          ? ""
          : failing(["adds", "test/add.test.js"]),
    },
    policy: { recovery: ["fix"] },
  };
  const cheat = write("test/add.test.js", "// nothing\n");

  it("is rejected with the reason, and raises a question the second time", async () => {
    const run = await playEvidence({ ...world, work: { "1.1": cheat } });
    expect([run.delegated, run.proofs]).toEqual([["1.1#1", "1.1#2"], {}]);
    expect(run.prompts[1]).toContain("test/add.test.js");
    expect(run.ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("test/add.test.js") });
    expect(run.ended?.hint).toContain("--decision accept");
  });

  it("is accepted if it reverts that and does the work", async () => {
    const mend = (now: Map<string, string>): undefined => {
      now.set("test/add.test.js", test);
      now.set("src/add.js", "good");
    };
    const run = await playEvidence({ ...world, work: { "1.1#1": cheat, "1.1#2": mend } });
    expect([run.ended?.outcome, run.delegated, run.proofs]).toEqual([
      ...["complete", ["1.1#1", "1.1#2"], { "1.1": "proven" }],
    ]);
  });

  it("is accepted if the guard is off, or the task names the changed file", async () => {
    const off = await playEvidence({ ...world, work: { "1.1": cheat }, policy: { guard: "off" } });
    expect(off.proofs).toEqual({ "1.1": "proven" });
    const warned = await playEvidence({ ...world, work: { "1.1": cheat }, policy: { guard: "warn" } });
    expect(warned.proofs).toEqual({ "1.1": "proven" });
    const plan = one.replace("src/add.js", "src/add.js, test/add.test.js");
    expect((await playEvidence({ ...world, plan, work: { "1.1": cheat } })).proofs).toEqual({ "1.1": "proven" });
  });

  it("is rejected in a fix too", async () => {
    const run = await playEvidence({ ...world, work: { "1.1#1": nothing, "1.1.1": cheat } });
    expect([run.ended?.outcome, run.proofs]).toEqual(["gate", {}]);
  });
});
