import { describe, expect, it } from "vitest";
import { planOf, run, type Story, tell } from "./story.ts";

// Small versions of publicly reported failures. `troubles.test.ts` covers those of the executor or of the check itself
// (C1 to C9, N2, V3).

const page = "- [ ] 1.1 Add the page\n  - **Verify**: `test -f page.html`\n";
const says = (message: string): string => `touch page.html\ncat <<'END'\n${message}\nEND`;
const claims = "echo TASK_COMPLETE";

interface Report {
  readonly plan?: string;
  readonly files?: Story["files"];
  readonly does: NonNullable<Story["does"]>;
  readonly words?: string;
  readonly exit: number;
  readonly delegated: readonly string[];
  readonly fixes?: readonly string[];
  readonly reads?: readonly RegExp[];
}

const once = ["1.1#1"];
const twice = ["1.1#1", "1.1#2"];

const reports: Readonly<Record<string, Report>> = {
  "A1: a signal in emphasis": { does: { "1.1": says("All is green.\n\n**TASK_COMPLETE**") }, exit: 0, delegated: once },
  "A2: a fence at the end": {
    plan: planOf("- [ ] 1.1 Build"),
    does: { "1.1": "cat <<'END'\nThe compiler stops here:\n\n```\nmain.c:4: unknown type\n```\nEND" },
    exit: 3,
    delegated: twice,
    reads: [/main\.c:4: unknown type/],
  },
  "A2: courtesy at the end": {
    plan: planOf("- [ ] 1.1 Build"),
    does: { "1.1": "echo 'The compiler stops.'; echo 'Tell me if I should carry on!'" },
    exit: 3,
    delegated: twice,
  },
  "A4: words of the product": {
    does: { "1.1": says("Orders that could not complete are queued again.\n\nTASK_COMPLETE") },
    exit: 0,
    delegated: once,
  },
  "A4: an admission, without a Verify": {
    plan: planOf("- [ ] 1.1 Add the import"),
    does: { "1.1#1": says("Left the import undone, the rest is in place.\nTASK_COMPLETE"), "1.1#2": claims },
    exit: 0,
    delegated: twice,
    reads: [/Left the import undone/],
  },
  "A5: nothing said": { does: { "1.1": "touch page.html" }, exit: 0, delegated: once },
  "B1b: a member's half-written file": {
    plan: planOf(
      "- [ ] 1.1 [P] Quick\n  - **Verify**: `sh check.sh`\n\n- [ ] 1.2 [P] Slow\n  - **Verify**: `sh check.sh`\n",
    ),
    files: { "check.sh": 'ls *.half >/dev/null 2>&1 && { echo "FAIL b: half written"; exit 1; }; exit 0\n' },
    does: {
      "1.1": `wait_for b.half; sleep 0.1; ${claims}`,
      "1.2": `touch b.half; sleep 1; rm b.half; ${claims}`,
    },
    exit: 0,
    delegated: ["1.1#1", "1.2#1"],
  },
  "D1: work in the background": {
    plan: planOf("- [ ] 1.1 Build\n  - **Verify**: `test -f built`\n"),
    does: {
      "1.1#1":
        "(sleep 60; touch built) >/dev/null 2>&1 & echo 'The build runs in the background, I go on when it is done.'",
      "1.1.1": `touch built; ${claims}`,
    },
    exit: 0,
    delegated: ["1.1#1", "1.1.1#1"],
    fixes: ["Fix: Verify failed (exit 1)"],
  },
  "N1: a red Verify of what was made for words": {
    plan: planOf("- [ ] 1.1 Build\n  - **Verify**: `test -f built`\n"),
    does: { "1.1#1": "echo 'I am not sure about the parser.'", "1.1": claims },
    words: "--max-fix-tasks 1 --max-fix-depth 1",
    exit: 1,
    delegated: ["1.1#1", "1.1.1#1"],
    fixes: ["Fix: Verify failed (exit 1)"],
  },
  "N3: a test file that cannot be loaded": {
    plan: planOf("- [ ] 1.1 Count\n  - **Verify**: `node --test test/count.test.mjs`\n"),
    does: {
      "1.1#1": `mkdir -p test; echo 'import "../count.mjs"; import test from "node:test"; test("counts", () => {});' > test/count.test.mjs; ${claims}`,
      "1.1.1": `touch count.mjs; ${claims}`,
    },
    exit: 0,
    delegated: ["1.1#1", "1.1.1#1"],
    reads: [/ERR_MODULE_NOT_FOUND|Cannot find module/],
  },
  "known failures, to be repaired: a fix task of their own before the next task": {
    plan: planOf(
      "- [ ] 1.1 Add\n  - **Files**: add.mjs\n  - **Verify**: `node --test test/`\n",
      "- [ ] 1.2 Write it down\n",
    ),
    files: {
      "test/add.test.mjs": `import { add } from "../add.mjs"; import test from "node:test"; test("adds", () => add());\n`,
      "test/old.test.mjs": `import { old } from "../old.mjs"; import test from "node:test"; test("is old", () => old());\n`,
      "add.mjs": 'export const add = () => { throw new Error("no sum"); };\n',
      "old.mjs": 'export const old = () => { throw new Error("no rest"); };\n',
    },
    does: {
      "1.1": `echo 'export const add = () => {};' > add.mjs; ${claims}`,
      "1.1.1": `echo 'export const old = () => {};' > old.mjs; ${claims}`,
      "1.2": claims,
    },
    words: "--known-failures repair",
    exit: 0,
    delegated: ["1.1#1", "1.1.1#1", "1.2#1"],
    fixes: ["Fix: is old: no rest"],
    reads: [/passed 1\.1 after 1 attempt, proven/, /passed 1\.1\.1 after 1 attempt, proven/],
  },
  "S3: findings of a verifier": {
    plan: planOf("- [ ] 1.1 [VERIFY] The page\n  - **Do**: Look at it\n"),
    does: {
      "1.1#1": "echo 'The page has no title.'; echo VERIFICATION_FAIL",
      "1.1.1": claims,
      "1.1": "echo VERIFICATION_PASS",
    },
    exit: 0,
    delegated: ["1.1#1", "1.1.1#1", "1.1#2"],
    fixes: ["Fix: The page has no title."],
  },
  "V1: a red final check": {
    plan: planOf("- [ ] 1.1 Build"),
    does: { "1.1": claims, "1.1.1": `touch done.txt; ${claims}` },
    words: "--final-verify 'test -f done.txt'",
    exit: 0,
    delegated: ["1.1#1", "1.1.1#1"],
  },
  "V4: a count of TAP alone": {
    plan: planOf("- [ ] 1.1 Count\n  - **Verify**: `sh check.sh`\n"),
    files: { "check.sh": "test -f b && exit 0; test -f a && echo '# fail 1' || echo '# fail 3'; exit 1\n" },
    does: { "1.1#1": `touch a; ${claims}`, "1.1.1": `touch b; ${claims}` },
    exit: 0,
    delegated: ["1.1#1", "1.1.1#1"],
    reads: [/1 failing, was 3/],
  },
};

describe.concurrent("reported cases", () => {
  it.each(Object.entries(reports))("%s", async (name, report) => {
    const { plan = planOf(page), files = {}, does, words = "", exit, delegated, fixes, reads = [] } = report;
    const story = { name, plan, files, does, steps: [run(`--recovery-mode ${words}`.trimEnd())] };
    const { transcript, printed } = await tell(story);
    expect(transcript).toMatch(new RegExp(`^exit ${exit}$`, "m"));
    expect(/^delegated (.*)$/m.exec(transcript)?.[1]?.split(", ").sort()).toEqual([...delegated].sort());
    const made = [...transcript.matchAll(/^- \[.\] [\d.]+ \[FIX [\d.]+\] (.*)$/gm)].map(([, title]) => title);
    if (fixes !== undefined) expect(made).toEqual(fixes);
    expect(made.length).toBe(delegated.filter((key) => key.split(".").length > 2).length);
    for (const text of reads) expect(`${printed}\n${transcript}`).toMatch(text);
  });
});
