import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply } from "../../../src/model/reply.ts";
import { failedReply } from "../../../src/testing/scripted-ports.ts";
import type { Said, Shape } from "./shape.ts";

const block = (id: string, title: string, verify = "true", files = `src/${id}.ts`): string =>
  `- [ ] ${id} ${title}\n  - **Do**: Make ${id}\n  - **Files**: ${files}\n  - **Done when**: It is there\n  - **Verify**: \`${verify}\`\n  - **Commit**: \`feat: ${id}\`\n`;
const planOf = (...blocks: readonly string[]): string => `# Tasks\n\n## Phase 1: Work\n\n${blocks.join("\n")}`;

const two = planOf(block("1.1", "First"), block("1.2", "Second"));
const one = planOf(block("1.1", "Only"));
const batched = planOf(
  block("1.1", "[P] First"),
  block("1.2", "[P] Second"),
  block("1.3", "[P] Third", "true", "src/1.1.ts"),
  block("1.4", "[VERIFY] All"),
);
const gaveUp = (task: string, error: string, before = ""): Reply => ({
  text: `${before}${failedReply(task, error)}`,
  exitCode: 1,
});
const fails = (task: string, ...errors: readonly string[]): Reply[] => errors.map((error) => gaveUp(task, error));
const speaker = { kind: "terminal", terminal: "/dev/pts/3", process: "bash", pid: 4711 } as const;
const climbing = ["pivot", "research", "checkpoint"] as const;
const brief = { maxPivotAttempts: 1, maxResearchAttempts: 1 };
const lost = "I don't know how to go on.";
const hindered = (kind: "rate-limit" | "offline" | "auth", delayMs: number | null): Reply => ({
  ...{ text: "", exitCode: 1 },
  problem: { kind, message: "Not now", ...(delayMs !== null && { until: Date.now() + delayMs }) },
});
const requesting = (task: string, type: string, blocks: readonly string[], claim = ""): string =>
  `It is more than that.\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({
    ...{ type, originalTaskId: task, reasoning: "It is more than that", proposedTasks: blocks },
  })}\n\`\`\`\n${claim}`;
const edit = (spec: string, change: (plan: string) => string): void => {
  const path = join(spec, "tasks.md");
  writeFileSync(path, change(readFileSync(path, "utf8")));
};
const interruptedBehind =
  (said: string): Said =>
  ({ interrupt }) => {
    interrupt();
    return said;
  };
const ticked = (plan: string, id: string): string => plan.replace(`[ ] ${id} `, `[x] ${id} `);
const asBefore = (spec: string, start: number): void => {
  if (start === 2) edit(spec, () => two);
};

/** Each Verify passes one more check than the previous Verify. */
const counts = (checks: number): string =>
  `n=$(cat n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > n; i=1; while [ $i -le ${checks} ]; do [ $i -lt $n ] && echo "ok $i - check $i" || echo "not ok $i - check $i"; i=$((i + 1)); done; echo 1..${checks}; [ $n -gt ${checks} ]`;

const fromFourth =
  'n=$(cat n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > n; echo 1..1; [ $n -ge 4 ] && echo "ok 1 - it works" || { echo "not ok 1 - it works"; exit 1; }';

export const shapes: readonly Shape[] = [
  { name: "complete", plan: two, kills: [1, 2, 3, 4, 5, 7], torn: true },
  {
    name: "retries",
    plan: two,
    policy: { recovery: ["retry"] },
    attempts: { "1.1": fails("1.1", "a", "b") },
    kills: [4, 7],
  },
  {
    name: "retries-used-up",
    plan: two,
    policy: { recovery: ["retry"], maxTaskIterations: 2 },
    attempts: { "1.1": fails("1.1", "a", "b") },
    starts: [{}, { policy: { maxTaskIterations: 3 } }],
  },
  {
    name: "fixes",
    plan: two,
    policy: { recovery: ["fix"] },
    attempts: { "1.1": fails("1.1", "boom at line 3", "boom at line 5"), "1.1.1": fails("1.1.1", "bang") },
    kills: [4, 6, 9, 15],
    torn: true,
  },
  {
    name: "fixes-used-up",
    plan: two,
    policy: { recovery: ["fix"], maxFixTasksPerOriginal: 1 },
    attempts: { "1.1": fails("1.1", "a", "b", "c") },
  },
  {
    name: "wrong-claims",
    plan: two,
    policy: { recovery: ["retry"] },
    attempts: {
      "1.1": ["It needs human eyes\nTASK_COMPLETE", "Nothing to say", { text: "TASK_COMPLETE", exitCode: 3 }],
    },
    kills: [4],
  },
  {
    name: "verify-fails",
    plan: planOf(block("1.1", "First", "test -e ready || { echo not ready >&2; touch ready; false; }")),
    policy: { recovery: ["fix"] },
    kills: [3, 6],
  },
  {
    name: "progress",
    plan: planOf(block("1.1", "First", counts(4))),
    policy: { recovery: ["fix"] },
    kills: [4, 8, 13],
  },
  {
    name: "superseded",
    plan: planOf(block("1.1", "First", fromFourth), block("1.2", "Second")),
    // The guard would reject this Verify, which writes a file that it reads.
    policy: { recovery: ["fix"], guard: "off" },
    kills: [7, 10, 14, 18],
    torn: true,
  },
  {
    name: "blocked",
    plan: two,
    attempts: { "1.1": ["BLOCKED: which database?", "TASK_COMPLETE"] },
    starts: [{}, { guidance: "The small one" }],
    kills: [4],
  },
  {
    name: "environment",
    plan: planOf(block("1.1", "First", "echo 'sh: 1: tool: not found'; exit 1"), block("1.2", "Second")),
    policy: { recovery: ["fix"] },
    starts: [{}, { decision: "stop" }],
  },
  {
    name: "parked",
    plan: two,
    policy: { unattended: true },
    attempts: { "1.1": ["BLOCKED: which database?", "TASK_COMPLETE"] },
    starts: [{}, {}],
  },
  { name: "advised-first", plan: two, starts: [{ guidance: "Mind the line ends" }] },
  { name: "unverified", plan: "# Tasks\n\n- [ ] 1.1 First\n  - **Verify**: look at it\n" },
  { name: "verify-cannot-run", plan: planOf(block("1.1", "First", "sh -c 'exit 127'")) },
  {
    name: "global-limit",
    plan: two,
    policy: { recovery: ["retry"], maxGlobalIterations: 2 },
    attempts: { "1.1": fails("1.1", "a", "b") },
    starts: [{}, { policy: { maxGlobalIterations: 9 } }],
  },
  {
    name: "cost-limit",
    plan: two,
    policy: { recovery: ["retry"], maxCost: 1 },
    attempts: { "1.1": [{ text: "TASK_COMPLETE", usage: { costUsd: 1.5, inputTokens: 20, outputTokens: 7 } }] },
  },
  {
    name: "checkpoint-advised",
    plan: two,
    policy: { recovery: ["retry", ...climbing], maxTaskIterations: 1, ...brief },
    attempts: { "1.1": fails("1.1", "a", "b", "c") },
    starts: [{}, { guidance: "Use the other library" }],
    kills: [9, 13],
  },
  {
    name: "checkpoint-left-out",
    plan: two,
    policy: { recovery: ["checkpoint"] },
    attempts: { "1.1": fails("1.1", "a") },
    starts: [{}, { decision: "skip" }, { decision: "retry" }],
  },
  {
    name: "admitted-stuck",
    plan: two,
    policy: { recovery: ["retry", ...climbing], ...brief },
    attempts: { "1.1": [gaveUp("1.1", "a", `${lost}\n`), ...fails("1.1", "a")] },
  },
  {
    name: "repair-retry",
    plan: two,
    policy: { recovery: ["repair"] },
    attempts: { "1.1": fails("1.1", "a", "b") },
    operator: { "1.1#1/askOperator": "RETRY: use the old parser", "1.1#2/askOperator": "RETRY: use the new parser" },
    kills: [5],
  },
  {
    name: "repair-parts",
    plan: two,
    policy: { recovery: ["repair"] },
    attempts: { "1.1": fails("1.1", "a"), "1.1~2": fails("1.1~2", "c") },
    operator: {
      "1.1#1/askOperator": "DECOMPOSE: read the lines | sort the fields",
      "1.1~2#1/askOperator": "PRUNE: nothing is to be sorted",
    },
    kills: [6, 11, 17],
  },
  {
    name: "repair-pruned",
    plan: two,
    policy: { recovery: ["repair"] },
    attempts: { "1.1": fails("1.1", "a") },
    operator: { "1.1#1/askOperator": "PRUNE: the service is gone" },
  },
  {
    name: "repair-not-understood",
    plan: two,
    policy: { recovery: ["repair"] },
    attempts: { "1.1": fails("1.1", "a") },
    operator: { "1.1#1/askOperator": "Well.", "1.1#1/askAgain": "DECOMPOSE: First" },
    starts: [{}, { decision: "retry" }],
  },
  {
    name: "gate-stopped",
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 0 },
    attempts: { "1.1": fails("1.1", "a") },
    starts: [{}, { decision: "stop" }],
  },
  {
    name: "asked-at-once",
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 0 },
    attempts: { "1.1": fails("1.1", "a", "b") },
    person: [
      { kind: "decided", decision: "retry" },
      { kind: "decided", decision: "skip" },
    ],
  },
  {
    name: "whole-ladder",
    plan: one,
    policy: {
      recovery: ["retry", "fix", "repair", ...climbing],
      ...{ maxTaskIterations: 1, maxFixTasksPerOriginal: 1, repairBudget: 1, ...brief },
    },
    attempts: { "1.1": fails("1.1", "a", "b", "c", "d", "e"), "1.1.1": fails("1.1.1", "g") },
    operator: { "1.1#2/askOperator": "RETRY: look again" },
    starts: [{}, { resume: true }],
  },
  { name: "batch", plan: batched, kills: [3, 6, 9] },
  {
    name: "batch-fixes",
    plan: batched,
    policy: { recovery: ["fix"] },
    attempts: { "1.1": fails("1.1", "a"), "1.2": fails("1.2", "b") },
    kills: [8, 14],
  },
  {
    name: "batch-exhausted",
    plan: batched,
    policy: { recovery: ["fix"], maxFixTasksPerOriginal: 1 },
    attempts: { "1.2": fails("1.2", "b", "b", "b") },
  },
  {
    name: "split",
    plan: two,
    attempts: {
      "1.1": [
        requesting("1.1", "SPLIT_TASK", [
          block("1.1a", "Half", "true", "src/a"),
          block("1.1b", "Other half", "true", "src/b"),
        ]),
      ],
    },
    kills: [4],
  },
  {
    name: "prerequisite",
    plan: two,
    attempts: { "1.1": [requesting("1.1", "ADD_PREREQUISITE", [block("1.1a", "What is needed")])] },
    kills: [5],
  },
  {
    name: "follow-up",
    plan: two,
    attempts: { "1.1": [requesting("1.1", "ADD_FOLLOWUP", [block("1.1a", "What follows")], "TASK_COMPLETE")] },
  },
  {
    name: "change-refused",
    plan: two,
    attempts: { "1.1": [requesting("1.1", "SPLIT_TASK", [block("1.2", "Taken")], "TASK_COMPLETE")] },
  },
  {
    name: "reviews",
    plan: `${two}\n## Phase 2: More\n\n${block("2.1", "Third")}`,
    policy: { recovery: ["fix"] },
    reviewer: { "1.2#1/review": "CODE: it leaks\nREVIEW_FAIL", "1.2#2/review": "SPEC: it is unclear\nREVIEW_FAIL" },
    kills: [9],
  },
  { name: "rate-limit", plan: one, attempts: { "1.1": [() => hindered("rate-limit", 50)] }, kills: [4] },
  { name: "not-logged-in", plan: one, attempts: { "1.1": [() => hindered("auth", null)] }, starts: [{}, {}] },
  { name: "stand-in", plan: two, standIn: true, attempts: { "1.1": [() => hindered("auth", null)] } },
  {
    name: "words",
    plan: two,
    policy: { recovery: ["retry"] },
    attempts: {
      "1.1": [
        ({ control }) => {
          control.send({ type: "guidance.given", text: "Use the other library" });
          control.send({ type: "pause" });
          setTimeout(() => control.send({ type: "resume" }), 50);
          return gaveUp("1.1", "a");
        },
      ],
    },
  },
  {
    name: "words-with-names",
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 0 },
    attempts: {
      "1.1": [
        ({ spec, control }) => {
          control.send({ type: "guidance.given", text: "Use the other library" }, speaker);
          control.send({ type: "pause" }, speaker);
          setTimeout(() => control.send({ type: "resume" }, speaker), 50);
          const unheard = { word: "resume --decision skip", key: "1.1#1", by: { ...speaker, process: "sh" } };
          writeFileSync(join(spec, ".fixpoint", "unheard"), JSON.stringify(unheard));
          return gaveUp("1.1", "a");
        },
      ],
    },
    starts: [{}, { decision: "skip", speaker }],
  },
  {
    name: "cancelled",
    plan: two,
    attempts: {
      "1.1": [
        ({ control }) => {
          control.send({ type: "cancel" });
          return gaveUp("1.1", "a");
        },
      ],
    },
    starts: [{}, {}],
  },
  {
    name: "interrupted",
    plan: two,
    attempts: { "1.1": [interruptedBehind("Not done yet")] },
    starts: [{}, {}],
  },
  {
    name: "continued",
    plan: two,
    attempts: { "1.1": [interruptedBehind("TASK_COMPLETE")] },
    starts: [{}, {}],
  },
  {
    name: "mended",
    plan: planOf(block("1.1", "First", "test -e spec/mended"), block("1.2", "Second", "true")),
    policy: { recovery: ["retry"], maxTaskIterations: 1 },
    starts: [{}, {}],
    between: (spec) => writeFileSync(join(spec, "mended"), ""),
  },
  {
    name: "plan-mended",
    plan: two,
    policy: { recovery: ["retry"], maxTaskIterations: 1 },
    attempts: { "1.1": fails("1.1", "a") },
    starts: [{}, {}],
    between: (spec, start) => {
      if (start === 2) edit(spec, (plan) => plan.replace("Make 1.1", "Make 1.1 well"));
    },
  },
  {
    name: "cleanup",
    plan: planOf(block("1.1", "First"), block("VE3", "[VERIFY] E2E cleanup")),
    policy: { recovery: ["retry"], maxTaskIterations: 1 },
    attempts: { "1.1": fails("1.1", "a") },
  },
  { name: "commits", plan: two, policy: { commit: true }, git: true },
  { name: "commit-required", plan: two, policy: { requireCommit: true, recovery: ["retry"] }, git: true },
  { name: "trusted", plan: two, policy: { trustExecutor: true } },
  {
    name: "long-reply",
    plan: one,
    policy: { recovery: ["fix"] },
    attempts: { "1.1": [gaveUp("1.1", "a", `${"x".repeat(5000)}\n`)] },
  },
  {
    name: "ticked-for-others",
    plan: two,
    policy: { recovery: ["retry"] },
    attempts: {
      "1.1": [
        ({ spec }) => {
          edit(spec, (plan) => ticked(plan, "1.2"));
          return "TASK_COMPLETE";
        },
      ],
    },
  },
  {
    name: "ticked-and-interrupted",
    plan: two,
    attempts: {
      "1.1": [
        ({ spec, interrupt }) => {
          edit(spec, (plan) => ticked(plan, "1.2"));
          interrupt();
          return "TASK_COMPLETE";
        },
      ],
    },
    starts: [{}, {}],
  },
  {
    name: "left-for-other-options",
    plan: two,
    policy: { recovery: ["retry"] },
    attempts: { "1.1": fails("1.1", "a", "b") },
    kills: [4],
    behindKill: { policy: { maxTaskIterations: 4 } },
    between: asBefore,
  },
  {
    name: "fix-dropped",
    plan: two,
    policy: { rules: "source", recovery: ["fix"] },
    attempts: { "1.1": fails("1.1", "a", "b") },
    kills: [9],
    behindKill: { policy: { recovery: ["retry"] } },
    between: asBefore,
  },
  {
    name: "change-withdrawn",
    plan: two,
    policy: { rules: "source" },
    attempts: {
      "1.1": [requesting("1.1", "ADD_PREREQUISITE", [block("1.1a", "What is needed", "test 1 = 1")])],
    },
    kills: [6],
    behindKill: { policy: { maxTaskIterations: 4 } },
    between: asBefore,
  },
  {
    name: "log-refused",
    plan: two,
    policy: { rules: "source" },
    attempts: {
      "1.1": [
        ({ spec }) => {
          rmSync(join(spec, ".progress.md"), { force: true });
          mkdirSync(join(spec, ".progress.md"));
          return "TASK_COMPLETE";
        },
      ],
    },
    starts: [{}, { policy: { maxTaskIterations: 4 } }],
    between: (spec) => rmSync(join(spec, ".progress.md"), { recursive: true, force: true }),
  },
  {
    name: "change-not-taken",
    plan: two,
    policy: { recovery: ["retry"] },
    attempts: { "1.1": fails("1.1", "a") },
    kills: [4],
    behindKill: { accept: "none" },
    refused: "plan-changed",
    starts: [{}, {}],
    between: (spec) => edit(spec, () => two.replace("Make 1.2", "Make 1.2 well")),
  },
  {
    name: "pull-request",
    plan: `${one}\n## Phase 5: PR Lifecycle\n\n- [ ] 5.1 Create the PR\n`,
    policy: { pullRequest: {} },
    git: true,
    ships: true,
  },
];
