import { describe, expect, it } from "vitest";
import type { PersonDecision } from "../../../src/model/person-event.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { PersonAnswer, PersonQuestion } from "../../../src/ports/ports.ts";
import type { Shell } from "../../../src/ports/shell.ts";
import { failedReply, type ScriptedAnswer, scriptedExecutor } from "../../../src/testing/scripted-ports.ts";
import { continueRun, delegatedIn, newRun } from "../../support/memory-run.ts";
import { eventsOf, failing, repair } from "../fixtures/form-spec.ts";

const plan = `# Plan

## Phase 2: Search

- [x] 2.1 Design the index
- [ ] 2.2 Build search: parser and ranking
  - **Do**: Write the query parser and rank what it finds
  - **Files**: src/search.ts
  - **Done when**: Queries are parsed and results ranked
  - **Verify**: \`npm test -- search\`
- [ ] 2.3 Document search
`;
const verify = "npm test -- search";
const ticked = (...ids: readonly string[]): string =>
  plan.replace(/\[ \] (\S+)/g, (box, id: string) => (ids.includes(id) ? `[x] ${id}` : box));

interface Given {
  readonly operator: readonly string[];
  readonly said?: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  readonly failures?: number;
  readonly shell?: Shell;
  readonly policy?: PolicyInput;
  readonly answers?: readonly PersonAnswer[];
}

async function play({ operator: directives, said = {}, failures = 0, shell, policy, answers = [] }: Given) {
  const made = newRun(plan);
  const executor = scriptedExecutor(said);
  const left = [...directives];
  const operator = scriptedExecutor(
    Object.fromEntries(
      ["2.2", "2.2~1", "2.2~2", "2.2~3", "2.2.1"].map((id) => [id, directives.map(() => () => left.shift() ?? "none")]),
    ),
  );
  const questions: PersonQuestion[] = [];
  const open = [...answers];
  const ended = await continueRun(made, executor, {
    policy: { ...repair, ...policy },
    shell: shell ?? failing(verify, failures),
    ports: {
      executors: { executor, verifier: executor, operator },
      person: async (question) => {
        questions.push(question);
        return open.shift() ?? null;
      },
    },
  });
  const summary = made.store.summary.text;
  return { made, ended, executor, operator, questions, summary, plan: made.store.tasks.text };
}

const deviations = (...lines: readonly string[]): string =>
  `# Summary\n\n## Deviations from Plan\n${lines.map((line) => `- ${line}\n`).join("")}`;
const chosen = ({ made }: Awaited<ReturnType<typeof play>>): string[] =>
  eventsOf(made, "repair.chosen").map(({ task, strategy, budgetLeft }) => `${task} ${strategy} ${budgetLeft}`);

describe("RETRY", () => {
  it("is delegated with its adjustment, and logged as resolved when that passes", async () => {
    const run = await play({ operator: ["RETRY: install the stemmer first"], failures: 1 });
    expect(run.ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    expect(run.executor.delegations.map(({ key }) => key)).toEqual(["2.2#1", "2.2#2", "2.3#1"]);
    expect(run.executor.delegations[1]?.prompt).toContain("```text\ninstall the stemmer first\n```");
    expect(run.summary).toContain("[Node Repair - RETRY] Task 2.2: install the stemmer first - resolved");
    expect(chosen(run)).toEqual(["2.2 retry 1"]);
  });

  it("is repeated as often as the budget allows, 2 times by default, then escalated and logged with the number", async () => {
    const run = await play({ operator: ["RETRY: install the stemmer", "RETRY: use the other index"], failures: 3 });
    expect(run.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(run.operator.delegations).toHaveLength(2);
    expect(chosen(run)).toEqual(["2.2 retry 1", "2.2 retry 0"]);
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2: 2 attempts exhausted - escalated to user"));
    expect(run.plan).toBe(plan);
  });

  it("is logged as followed by a PIVOT if that came, and a person was asked later", async () => {
    const run = await play({
      operator: ["RETRY: install the stemmer"],
      failures: 3,
      policy: { recovery: ["repair", "pivot", "checkpoint"], repairBudget: 1, maxPivotAttempts: 1 },
    });
    expect(run.ended).toMatchObject({ outcome: "checkpoint", exitCode: 3 });
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2: 1 attempts exhausted - PIVOT followed"));
  });

  it.each(["pivot", "research"] as const)("S11: is logged as followed by a %s that passed", async (level) => {
    const run = await play({
      operator: ["RETRY: install the stemmer", "RETRY: use the other index"],
      failures: 3,
      policy: { recovery: ["repair", level, "checkpoint"], verifyBefore: false },
    });
    expect(run.ended).toMatchObject({ outcome: "complete" });
    expect(run.summary).toBe(
      deviations(`[Node Repair - RETRY] Task 2.2: 2 attempts exhausted - ${level.toUpperCase()} followed`),
    );
  });

  it("of a part that has helped is not logged as exhausted if another part needs a person", async () => {
    const run = await play({
      operator: ["DECOMPOSE: Write the query parser in src/query.ts | Rank by term frequency", "RETRY: one"],
      said: { "2.2~1": [failedReply("2.2~1", "no grammar")], "2.2~2": [failedReply("2.2~2", "no index")] },
      failures: 1,
    });
    expect(run.ended).toMatchObject({ outcome: "gate" });
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2~1: one - resolved"));
  });

  it("is logged as resolved with the second adjustment if only that one helped", async () => {
    const run = await play({ operator: ["RETRY: install the stemmer", "RETRY: use the other index"], failures: 2 });
    expect(run.ended).toMatchObject({ outcome: "complete" });
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2: use the other index - resolved"));
  });

  it("is refused if it repeats the last one, and requested again", async () => {
    const same = ["RETRY: install the stemmer", "RETRY: Install the stemmer!", "RETRY: use the other index"];
    const run = await play({ operator: same, failures: 2 });
    expect(eventsOf(run.made, "repair.refused")).toMatchObject([
      { reason: "task 2.2 was already retried with this adjustment" },
    ]);
    expect(run.operator.delegations[2]?.prompt).toContain("Your previous answer could not be followed: ");
    expect(run.ended).toMatchObject({ outcome: "complete" });
  });
});

describe("DECOMPOSE", () => {
  const split = "DECOMPOSE: Write the query parser in src/query.ts | Rank results by term frequency";

  it("does the sub-tasks in order, and is logged when all and the task's own Verify have passed", async () => {
    const run = await play({ operator: [split], failures: 1 });
    expect(run.ended).toMatchObject({ outcome: "complete", original: 3, fixes: 0 });
    expect(delegatedIn(run.made)).toEqual(["2.2", "2.2", "2.2~1", "2.2~2", "2.3"]);
    expect(run.summary).toContain("[Node Repair - DECOMPOSE] Task 2.2 split into 2 sub-tasks - all passed");
    expect(chosen(run)).toEqual(["2.2 decompose 1"]);
  });

  it("passes each sub-task to the executor alone, and lets the task's Verify decide at the end", async () => {
    const run = await play({ operator: [split], failures: 1 });
    const [, first = "", second = ""] = run.executor.delegations.map(({ prompt }) => prompt);
    expect(first).toContain("Do only this part, number 1 of 2 of task 2.2.");
    expect(first).toContain("```text\nWrite the query parser in src/query.ts\n```");
    expect(second).toContain("number 2 of 2");
    expect(first).not.toContain("Rank results by term frequency");
  });

  it("leaves the task the rest of its budget, for the case that all sub-tasks pass but its own Verify fails", async () => {
    const run = await play({ operator: [split, "RETRY: rank before parsing"], failures: 2 });
    expect(run.ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    expect(chosen(run)).toEqual(["2.2 decompose 1", "2.2 retry 0"]);
    expect(run.executor.delegations.map(({ key }) => key)).toEqual(["2.2#1", "2.2~1#1", "2.2~2#1", "2.2#3", "2.3#1"]);
    expect(run.summary).toContain("[Node Repair - RETRY] Task 2.2: rank before parsing - resolved");
  });

  it("goes to the gate if all sub-tasks have passed, the task's own Verify has not, and its budget is spent", async () => {
    const run = await play({ operator: [split], failures: 2, policy: { repairBudget: 1 } });
    expect(run.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(run.summary).not.toContain("all passed");
    expect(run.operator.delegations).toHaveLength(1);
    expect(run.plan).toBe(plan);
  });

  it("shares the rest among the sub-tasks: a budget of 2 is never more than 2 directives", async () => {
    const said = Object.fromEntries(
      ["2.2~1", "2.2~2", "2.2~3"].map((part) => [part, [failedReply(part, `${part} is hard`)]]),
    );
    const thirds = "DECOMPOSE: Write the query parser in src/query.ts | Rank by term frequency | Cap the result list";
    const run = await play({ operator: [thirds, "RETRY: one", "RETRY: two", "RETRY: three"], said, failures: 1 });
    expect(run.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(chosen(run)).toEqual(["2.2 decompose 1", "2.2~1 retry 0"]);
    expect(run.operator.delegations).toHaveLength(2);
    expect(run.questions[0]?.text).toContain("Task 2.2~2 failed its verification: ");
  });

  it.each([
    ["all sub-tasks in other words", "DECOMPOSE: Build the search | Build search, parser and ranking"],
    ["the Do of the task", "DECOMPOSE: Write the query parser and rank what it finds | Rank results by frequency"],
    ["sub-tasks that say the same", "DECOMPOSE: Tokenize queries in src/query.ts | tokenize queries, in src/query.ts"],
    ["more than 3 sub-tasks", "DECOMPOSE: Tokenize | Parse operators | Rank by frequency | Cache results"],
    ["one sub-task", "DECOMPOSE: Tokenize queries in src/query.ts"],
  ])("is requested once more for %s, and the second time left to a person", async (_what, answer) => {
    const once = await play({ operator: [answer, split], failures: 1 });
    expect(once.ended).toMatchObject({ outcome: "complete" });
    expect(once.operator.delegations[1]?.prompt).toContain("Your previous answer could not be followed: ");
    const twice = await play({ operator: [answer, answer], failures: 1 });
    expect(twice.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(eventsOf(twice.made, "repair.refused")).toHaveLength(2);
    expect(chosen(twice)).toEqual(["2.2 escalate 2"]);
  });

  it("repairs a sub-task that fails within the rest of the budget", async () => {
    const part = failedReply("2.2~1", "no grammar");
    const run = await play({
      operator: [split, "RETRY: write the grammar down first"],
      said: { "2.2~1": [part] },
      failures: 1,
    });
    expect(run.ended).toMatchObject({ outcome: "complete" });
    expect(chosen(run)).toEqual(["2.2 decompose 1", "2.2~1 retry 0"]);
    expect(run.operator.delegations[1]?.prompt).toContain("REPAIR_BUDGET: 1,");
    expect(run.summary).toContain("[Node Repair - RETRY] Task 2.2~1: write the grammar down first - resolved");
    expect(run.summary).toContain("[Node Repair - DECOMPOSE] Task 2.2 split into 2 sub-tasks - all passed");
  });

  it("goes to the gate if a sub-task has spent the rest", async () => {
    const part = [failedReply("2.2~1", "no grammar"), failedReply("2.2~1", "still none")];
    const run = await play({
      operator: [split, "RETRY: write the grammar first"],
      said: { "2.2~1": part },
      failures: 1,
    });
    expect(run.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2~1: 1 attempts exhausted - escalated to user"));
  });
});

describe("PRUNE", () => {
  const why = "The search server is not reachable from here";
  const line = `[Node Repair - PRUNE] Task 2.2 skipped: ${why}`;

  it("skips the task, logs the reason in both places, continues, and ends incomplete with exit code 3", async () => {
    const run = await play({ operator: [`PRUNE: ${why}`], failures: 1 });
    expect(run.ended).toMatchObject({ outcome: "skipped", exitCode: 3, skipped: ["2.2"] });
    expect(run.summary).toBe(`${deviations(line)}\n## Issues Encountered\n- ${line}\n`);
    expect(run.plan).toBe(ticked("2.3"));
    expect(eventsOf(run.made, "task.skipped")).toEqual([{ type: "task.skipped", task: "2.2", justification: why }]);
  });

  it("costs no budget", async () => {
    expect(chosen(await play({ operator: [`PRUNE: ${why}`], failures: 1 }))).toEqual(["2.2 prune 2"]);
  });
});

describe("ESCALATE", () => {
  it("asks a person, with the expected and actual result and earlier attempts", async () => {
    const run = await play({
      operator: ["RETRY: install it", "ESCALATE: installing it | Which index is to be used?"],
      failures: 2,
    });
    expect(run.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(run.questions).toEqual([
      {
        task: "2.2",
        current: "2.2",
        about: "repair",
        text: [
          "Task 2.2 failed its verification: Build search: parser and ranking",
          "Expected: Queries are parsed and results ranked; Verify: `npm test -- search`",
          "Actual: Verify failed (exit 1), 2 failing",
          "Repairs:",
          "RETRY: install it",
          "ESCALATE: installing it | Which index is to be used?",
          "Retry, skip or stop?",
        ].join("\n"),
      },
    ]);
    expect(run.ended?.hint).toContain("\nRetry the task: fixpoint resume sample --decision retry\n");
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2: 1 attempts exhausted - escalated to user"));
  });

  it("costs no budget", async () => {
    expect(chosen(await play({ operator: ["ESCALATE: much | a decision"], failures: 1 }))).toEqual(["2.2 escalate 2"]);
  });
});

describe("the gate", () => {
  const operator = ["ESCALATE: much | Which index?"];
  const decided = (decision: PersonDecision): PersonAnswer => ({ kind: "decided", decision });

  it("accepts retry: the task starts over, with its whole budget, and earlier adjustments are allowed again", async () => {
    const directives = ["RETRY: one", ...operator, "RETRY: one", "RETRY: two"];
    const run = await play({ operator: directives, failures: 4, answers: [decided("retry")] });
    expect(run.ended).toMatchObject({ outcome: "complete" });
    expect(chosen(run)).toEqual(["2.2 retry 1", "2.2 escalate 1", "2.2 retry 1", "2.2 retry 0"]);
    expect(run.operator.delegations).toHaveLength(4);
  });

  it("accepts skip: the task is skipped as by a prune", async () => {
    const run = await play({ operator, failures: 1, answers: [decided("skip")] });
    expect(run.ended).toMatchObject({ outcome: "skipped", exitCode: 3, skipped: ["2.2"] });
    expect(run.plan).toBe(ticked("2.3"));
    expect(run.summary).toContain("## Issues Encountered\n- [Decision - SKIP] Task 2.2 skipped: ");
    expect(run.summary).not.toContain("PRUNE");
  });

  describe("about a part", () => {
    const given = {
      operator: ["DECOMPOSE: Write the query parser in src/query.ts | Rank by term frequency", ...operator],
      said: { "2.2~1": [failedReply("2.2~1", "no grammar")] },
      failures: 1,
    };
    const keysOf = ({ executor }: Awaited<ReturnType<typeof play>>) => executor.delegations.map(({ key }) => key);

    it("accepts skip: that part is skipped, and the task's own Verify decides about the rest", async () => {
      const run = await play({ ...given, answers: [decided("skip")] });
      expect(run.ended).toMatchObject({ outcome: "complete", exitCode: 0, skipped: [] });
      expect(keysOf(run)).toEqual(["2.2#1", "2.2~1#1", "2.2~2#1", "2.3#1"]);
      expect(eventsOf(run.made, "task.skipped")).toMatchObject([{ task: "2.2~1" }]);
      expect(run.plan).toBe(ticked("2.2", "2.3"));
    });

    it("reports in the summary what a person skipped, and that not all parts have passed", async () => {
      const run = await play({ ...given, answers: [decided("skip")] });
      const line = "[Decision - SKIP] Task 2.2~1 skipped: by a person's decision";
      const split = "[Node Repair - DECOMPOSE] Task 2.2 split into 2 sub-tasks - 1 passed, 1 left out";
      expect(run.summary).toBe(`${deviations(line, split)}\n## Issues Encountered\n- ${line}\n`);
    });

    it("accepts skip-task: the whole task is skipped", async () => {
      const run = await play({ ...given, answers: [decided("skip-task")] });
      expect(run.ended).toMatchObject({ outcome: "skipped", exitCode: 3, skipped: ["2.2"] });
      expect(keysOf(run)).toEqual(["2.2#1", "2.2~1#1", "2.3#1"]);
      expect(run.plan).toBe(ticked("2.3"));
    });

    it("names the part and the task, and both ways to skip", async () => {
      const run = await play(given);
      expect(run.questions).toMatchObject([{ task: "2.2", current: "2.2~1", about: "repair" }]);
      expect(run.questions[0]?.text).toMatch(/\nRetry, skip \(2\.2~1 alone\), skip-task \(all of 2\.2\) or stop\?$/);
      expect(run.ended?.hint?.split("\n")).toEqual([
        "Fix the task yourself, then continue (its Verify runs first): fixpoint run sample",
        "Retry the task: fixpoint resume sample --decision retry",
        "Skip 2.2~1: fixpoint resume sample --decision skip",
        "Skip all of 2.2: fixpoint resume sample --decision skip-task",
        "End the run: fixpoint resume sample --decision stop",
      ]);
    });
  });

  describe("about a fix task", () => {
    const given = {
      operator,
      said: { "2.2.1": [{ text: failedReply("2.2.1", "no grammar"), exitCode: 1 }] },
      failures: 1,
      policy: { recovery: ["fix" as const, "repair" as const], maxFixTaskDepth: 1 },
    };

    it("accepts skip: that fix is skipped, and the task is retried and done without it", async () => {
      const run = await play({ ...given, answers: [decided("skip")] });
      expect(run.questions).toMatchObject([{ task: "2.2", current: "2.2.1" }]);
      expect(run.executor.delegations.map(({ key }) => key)).toEqual(["2.2#1", "2.2.1#1", "2.2#2", "2.3#1"]);
      expect(run.ended).toMatchObject({ outcome: "complete", exitCode: 0, skipped: [] });
      expect(run.plan).toMatch(
        /- \[x\] 2\.2\.1 \[FIX 2\.2\] .*\n(?: {2,}.*\n)* {2}- \*\*Not needed for\*\*: 2\.2\n- \[x\] 2\.3 /,
      );
    });

    it("accepts skip-task: the whole task is skipped, its fix with it", async () => {
      const run = await play({ ...given, answers: [decided("skip-task")] });
      expect(run.executor.delegations.map(({ key }) => key)).toEqual(["2.2#1", "2.2.1#1", "2.3#1"]);
      expect(run.ended).toMatchObject({ outcome: "skipped", exitCode: 3, skipped: ["2.2"] });
      expect(run.plan).toContain("\n- [ ] 2.2 Build search");
      expect(run.plan).toContain("\n- [ ] 2.2.1 [FIX 2.2]");
    });
  });

  it("about the task itself accepts skip-task like skip, and offers only skip", async () => {
    const run = await play({ operator, failures: 1, answers: [decided("skip-task")] });
    expect(run.ended).toMatchObject({ outcome: "skipped", exitCode: 3, skipped: ["2.2"] });
    expect(run.questions[0]?.text).toContain("\nRetry, skip or stop?");
    const left = await play({ operator, failures: 1 });
    expect(left.ended?.hint).toContain("\nSkip the task: fixpoint resume sample --decision skip\n");
    expect(left.ended?.hint).not.toContain("skip-task");
  });

  it("accepts stop: the run ends there", async () => {
    const run = await play({ operator, failures: 1, answers: [decided("stop")] });
    expect(run.ended).toMatchObject({ outcome: "cancelled", exitCode: 3 });
    expect(delegatedIn(run.made)).toEqual(["2.2", "2.2"]);
  });
});

describe("the budget", () => {
  it("can be set to another value", async () => {
    const run = await play({
      operator: ["RETRY: one", "RETRY: two", "RETRY: three"],
      failures: 4,
      policy: { repairBudget: 3 },
    });
    expect(chosen(run)).toEqual(["2.2 retry 2", "2.2 retry 1", "2.2 retry 0"]);
    expect(run.summary).toBe(deviations("[Node Repair - RETRY] Task 2.2: 3 attempts exhausted - escalated to user"));
  });

  it("of 0, as set by node_repair: false, goes to the gate without asking an operator", async () => {
    const run = await play({ operator: ["RETRY: one"], failures: 1, policy: { repairBudget: 0 } });
    expect(run.ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(run.operator.delegations).toEqual([]);
    expect(run.questions[0]?.text).toContain("\nRepairs: none\nRetry, skip or stop?");
    expect(run.summary).toBe("");
  });

  it("is separate for each task", async () => {
    const run = await play({
      operator: ["RETRY: one", "RETRY: two"],
      failures: 2,
      said: { "2.3": [failedReply("2.3", "no text")] },
    });
    expect(run.ended).toMatchObject({ outcome: "gate" });
    expect(run.questions).toMatchObject([{ task: "2.3" }]);
    expect(run.operator.delegations.at(-1)?.prompt).toContain("REPAIR_BUDGET: 2,");
  });
});

describe("the inputs of a repair operator", () => {
  it("are those of the source: FAILED_TASK, ERROR, PLAN_CONTEXT and REPAIR_BUDGET", async () => {
    const run = await play({ operator: ["RETRY: one"], failures: 1 });
    const prompt = run.operator.delegations[0]?.prompt ?? "";
    expect(run.operator.delegations[0]).toMatchObject({ role: "operator", taskId: "2.2" });
    expect(prompt).toContain(
      "FAILED_TASK:\n```text\n2.2 Build search: parser and ranking\nDone when: Queries are parsed and results ranked\n",
    );
    expect(prompt).toContain("ERROR, expected:\n```text\nQueries are parsed and results ranked; Verify: `npm test");
    expect(prompt).toContain("ERROR, actual:\n```text\nVerify failed (exit 1), 2 failing\n```");
    expect(prompt).toContain(
      "PLAN_CONTEXT:\n```text\nPhase: Phase 2: Search\n- [x] 2.1 Design the index\n- [ ] 2.2 (the failed task)\n- [ ] 2.3 Document search\n```",
    );
    expect(prompt).toContain("REPAIR_BUDGET: 2, including this directive");
  });

  it("are the directive forms of the source, of which it chooses one", async () => {
    const prompt = (await play({ operator: ["PRUNE: none"], failures: 1 })).operator.delegations[0]?.prompt ?? "";
    expect(prompt).toContain("RETRY: [the specific adjustment to make before the task is tried again]");
    expect(prompt).toContain("DECOMPOSE: [sub-task 1] | [sub-task 2] | [sub-task 3]");
    expect(prompt).toContain("PRUNE: [justification in one sentence]");
    expect(prompt).toContain("ESCALATE: [what was tried] | [what decision is needed]");
    expect(prompt).toContain("Never modify tasks.md");
  });
});

describe("the plan on disk", () => {
  it.each([
    ["RETRY", ["RETRY: one"], ["2.2", "2.3"]],
    ["DECOMPOSE", ["DECOMPOSE: Write the query parser in src/query.ts | Rank by frequency"], ["2.2", "2.3"]],
    ["PRUNE", ["PRUNE: It cannot be had"], ["2.3"]],
    ["ESCALATE", ["ESCALATE: all | what now?"], []],
  ] as const)("is the same byte for byte after %s, except for ticks", async (_name, operator, done) => {
    expect((await play({ operator, failures: 1 })).plan).toBe(ticked(...done));
  });
});
