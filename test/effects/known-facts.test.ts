import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { Git } from "../../src/ports/git.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { recordAnswer } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { gitEvidence } from "../support/sample-git.ts";

const never = new AbortController().signal;
const repository = (heads: readonly string[]): Git & { readonly messages: string[] } => {
  const left = [...heads];
  const messages: string[] = [];
  return {
    messages,
    head: async () => left.shift() ?? "last",
    mark: async () => ({ head: "a", at: 0, files: {} }),
    since: async () => gitEvidence({ commits: [{ hash: "b", subject: "feat: it" }], changed: ["src/a.ts"] }),
    commit: async (message) => {
      messages.push(message);
      return "c";
    },
  };
};

function world(text: string, more: Partial<Ports> = {}, shell: Shell = scriptedShell()) {
  const store = memoryStore(text);
  const memory = createRunMemory({ open: 1 });
  const ports = withMemory({ ...memoryPorts(store, scriptedExecutor(), shell), ...more, attempts: memory });
  return { store, memory, ports, effects: createEffects(ports) };
}

const delegating: EffectInput<"delegate"> = {
  ...{ key: "1.1#1/delegate", task: "1.1", root: "1.1", attempt: 1, retries: 0, requireExecutorTick: false },
  ...{ limits: noLimits, grouped: false, climb: null, escalation: noEscalation, escalates: false, remedy: null },
  ...{ maxEvidence: 8000, adjustment: null, guidance: null },
};
const verifying: EffectInput<"verify"> = {
  ...{ key: "1.1#1/verify", task: "1.1", trustExecutor: false, requireExecutorTick: false, requireCommit: false },
  ...{ timeoutMs: 1, reviews: 0 },
};
const passing = (more: Partial<EffectInput<"recordPass">> = {}): EffectInput<"recordPass"> => ({
  ...{ key: "1.1#1/recordPass", task: "1.1", fixes: [], grouped: false, keepOpen: false, commit: false, repair: null },
  ...{ leftOut: 0, unverified: false, ...more },
});

describe("recordPass in a repository", () => {
  const text = "- [ ] 1.1 First\n  - **Commit**: `feat: it`\n";

  it.each([
    [["a", "b"], {}, { commit: "b" }, []],
    [["a", "a"], {}, { commit: null }, []],
    [["a", "b"], { grouped: true }, { commit: "b", grouped: true }, []],
    [["a", "b"], { commit: "spec" }, { commit: "b" }, [1]],
    [["a", "b"], { commit: "spec", grouped: true }, { commit: "b", grouped: true }, []],
  ] as const)("tells the commit that was made: %o %o", async (heads, more, answer, commits) => {
    const git = repository(heads);
    const { effects, store, memory } = world(text, { git });
    await effects.delegate(delegating, never);
    expect(await effects.verify(verifying, never)).toEqual({ kind: "accepted", unverified: true });
    expect(await effects.recordPass(passing(more), never)).toEqual({ kind: "recorded", ...answer });
    expect(store.tasks.text).toContain("[x] 1.1");
    expect(git.messages).toHaveLength(commits.length);
    expect(Object.keys(memory.state.accepted)).toEqual(["1.1"]);
  });

  it("finds no commit of a member that names none, or has made none", async () => {
    for (const plan of ["- [ ] 1.1 First\n", text.replace("feat: it", "feat: more")]) {
      const { effects } = world(plan, { git: repository(["a", "b"]) });
      await effects.delegate(delegating, never);
      await effects.verify(verifying, never);
      expect(await effects.recordPass(passing({ grouped: true }), never)).toMatchObject({ commit: null });
    }
  });

  it.each([
    ["feat: it", text, {}],
    ["1.1 First", "- [ ] 1.1 First\n", {}],
    ["1.1 First", "- [ ] 1.1 First\n  - **Commit**: ``\n", {}],
    [null, text, { grouped: true }],
  ])("commits what was left under the task's own words, and then the spec: %j", async (message, plan, more) => {
    const git = repository(["a", "b"]);
    const { effects } = world(plan, { git });
    await effects.delegate(delegating, never);
    await effects.recordPass(passing({ commit: "all", ...more }), never);
    expect(git.messages).toEqual(message === null ? [] : [message, "chore(spec): update progress for task 1.1"]);
  });

  it("leaves the box of what is to be done again open", async () => {
    const { effects, store } = world("- [x] 1.1 First\n");
    await effects.delegate(delegating, never);
    expect(await effects.recordPass(passing({ keepOpen: true }), never)).toEqual({ kind: "recorded", open: true });
    expect(store.tasks.text).toContain("[ ] 1.1");
  });

  it("looks at nothing when the repository is gone", async () => {
    const git = { ...repository(["a"]), since: async () => null };
    const { effects } = world(text, { git });
    await effects.delegate(delegating, never);
    expect(await effects.verify(verifying, never)).toEqual({ kind: "accepted", unverified: true });
  });
});

describe("verify", () => {
  it("asks a person about a plan that was changed while Verify ran", async () => {
    const made = world(
      "- [ ] 1.1 First\n  - **Verify**: `check`\n- [ ] 1.2 Second\n",
      {},
      {
        exists: async () => true,
        run: async () => {
          made.store.tasks.text = made.store.tasks.text.replace("1.2 Second", "1.2 Other");
          return { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
        },
      },
    );
    await made.effects.delegate(delegating, never);
    expect(await made.effects.verify(verifying, never)).toMatchObject({ kind: "gate" });
  });

  it("asks a person where the reality check has no command to compare with that may be run", async () => {
    const progress = "# P\n\n## Reality Check (BEFORE)\n\n**Reproduction command**: `npm test`\n**Exit code**: 1\n";
    const store = memoryStore("- [ ] VF [VERIFY] Goal verification\n", progress);
    const attempts = createRunMemory({ open: 1 });
    const execute = scriptedExecutor();
    const effects = createEffects(
      withMemory({ ...memoryPorts(store, execute), consent: async () => ({ given: false, hint: "" }), attempts }),
    );
    await effects.delegate({ ...delegating, key: "VF#1/delegate", task: "VF", root: "VF" }, never);
    const answer = await effects.verify({ ...verifying, key: "VF#1/verify", task: "VF" }, never);
    expect(answer).toMatchObject({ kind: "gate" });
  });

  it("knows the spec's own folder outside of the workspace", async () => {
    const { effects } = world("- [ ] 1.1 First\n", { git: repository(["a"]), workspace: "/elsewhere" });
    await effects.delegate(delegating, never);
    expect(await effects.verify(verifying, never)).toEqual({ kind: "accepted", unverified: true });
  });
});

describe("choosing", () => {
  it("writes first what a batch before has left, and compares the files of members", async () => {
    const batch = ["1.1", "1.2"].map((id) => `- [ ] ${id} [P] Task\n  - **Files**: src/a.ts\n`).join("");
    const { effects, memory, store } = world(`- [x] 1.0 Before\n${batch}`);
    recordAnswer(memory, "1.0#1/recordPass", { kind: "recorded", grouped: true });
    const chosen = await effects.chooseTask({ key: "run#1/chooseTask", maxParallel: 2, commit: false }, never);
    expect(chosen).toMatchObject({ kind: "batch", members: [{ after: [] }, { after: ["1.1"] }] });
    expect(store.log.text).toContain("- [x] 1.0 Before");
  });

  it("makes fixes for an end-to-end check whatever the policy says", async () => {
    const { effects } = world("- [ ] VE1 [VERIFY] E2E start\n");
    const chosen = await effects.chooseTask({ key: "run#1/chooseTask", maxParallel: 1, commit: false }, never);
    expect(chosen).toMatchObject({ root: "VE1", alwaysFixed: true });
  });
});

describe("confirmCompletion", () => {
  it.each([
    [{ exitCode: 1, stderr: "no\n" }, "The final check failed (exit 1): no"],
    [{ exitCode: 0, timedOut: true }, "The final check timed out after 10m (--verify-timeout)"],
  ])("asks a person when the final check does not pass: %o", async (result, reason) => {
    const { effects } = world("- [x] 1.1 First\n", {}, scriptedShell({ "check all": [result] }));
    const input = { key: "run#1/confirmCompletion", finalVerify: "check all", timeoutMs: 600_000 };
    expect(await effects.confirmCompletion(input, never)).toMatchObject({
      ...{ kind: "gate", reason: expect.stringContaining(reason) },
      hint: "Make `check all` pass, then run again",
    });
  });

  it("asks about a plan without a task", async () => {
    const input = { key: "run#1/confirmCompletion", finalVerify: null, timeoutMs: 1 };
    expect(await world("Nothing\n").effects.confirmCompletion(input, never)).toMatchObject({
      reason: "The plan was changed at the end of the run: it has no task",
    });
  });
});
