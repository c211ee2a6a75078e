import { describe, expect, it } from "vitest";
import { isRelated, type Work } from "../../src/evidence/is-related.ts";
import { mayRecheck, reachesOut } from "../../src/evidence/may-recheck.ts";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import type { Task } from "../../src/model/task.ts";

describe("a command with effects outside the workspace", () => {
  it.each([
    "gh pr checks 12",
    "`gh pr checks` shows all green",
    "cd app && curl -fsS https://example.org/health",
    "npm publish --dry-run",
    "git push origin main",
    "docker compose up -d && npm test",
    "npm run db:migrate",
    "kubectl rollout status deploy/web",
    "npx prisma migrate deploy",
    "node check.mjs https://example.org",
  ])("is not run for a second opinion: %s", (command) => {
    expect(reachesOut(command)).toBe(true);
  });

  it.each([
    "npm test",
    "node --test",
    "make check",
    "grep -q published src/state.ts",
    "test -f docs/deployment.md",
    "curlew --version || true",
    "node probe.mjs http://localhost:3000",
    "cargo test migrations",
    "git diff --exit-code",
  ])("is none without outside effects: %s", (command) => {
    expect(reachesOut(command)).toBe(false);
  });
});

const task = (title: string, verify = "npm test", files = "src/a.js"): Task =>
  readPlan(`- [ ] 1.1 ${title}\n  - **Files**: ${files}\n  - **Verify**: \`${verify}\`\n`).tasks[0] as Task;

describe("a command that has proven a task", () => {
  it.each<[string, Task, string, readonly Task[], boolean]>([
    ["is run again", task("Add"), "npm test", [task("Sub")], true],
    ["is not run again for a [RED] task", task("[RED] Test add"), "npm test", [], false],
    ["is not run again if it passes on a failure", task("Add"), "npm test 2>&1 | grep -q FAIL", [], false],
    [
      "is run again if it looks for the absence of failures",
      task("Add"),
      "sh test.sh | tail -1 | grep -q '0 failed' && echo PASS",
      [],
      true,
    ],
    ["is not run again for a [VERIFY] task", task("[VERIFY] All"), "npm test", [], false],
    ["is not run again if it looks for the absence of a text", task("Add"), "! grep -q TODO src/a.js", [], false],
    ["is not run again if it reads the history", task("Add"), "git log -1 --format=%s", [], false],
    ["is not run again if it reaches outside the workspace", task("Add"), "gh pr view", [], false],
    [
      "is not run again if a later task names its file",
      task("Add"),
      "grep -q add src/a.js",
      [task("Rename", "x", "src/a.js")],
      false,
    ],
    ["is run again if no later task names its file", task("Add"), "grep -q add src/b.js", [task("Sub")], true],
  ])("%s", (_name, proven, command, later, expected) => {
    expect(mayRecheck(proven, command, later)).toBe(expected);
  });
});

describe("a failed check", () => {
  const texts: Readonly<Record<string, string>> = {
    "test/add.test.js": 'import add from "../src/add.js";\nconst sub = require("../src/sub");',
    "test/calc_test.py": "from calc.core import add\nimport helpers\nfrom . import other\n",
    "test/plain.test.js": "test()",
    "top.test.js": 'import add from "./src/add.js"',
    "test/index.test.js": 'import x from "../src/thing"',
  };
  const related = (file: string | null, work: Partial<Work>): boolean =>
    isRelated({ name: "n", id: "n", file }, { named: [], changed: [], ...work }, (path) => texts[path] ?? null);

  it.each<[string, string | null, Partial<Work>, boolean]>([
    ["in a file that the task names", "test/plain.test.js", { named: ["test/plain.test.js"] }, true],
    ["below a folder that the task names", "test/plain.test.js", { named: ["test"] }, true],
    [
      "in a file that the task has changed",
      "./test/plain.test.js",
      { named: ["src/x.js"], changed: ["test/plain.test.js"] },
      true,
    ],
    ["that imports a file of it", "test/add.test.js", { named: ["src/add.js"] }, true],
    ["that imports a file of the task without its extension", "test/add.test.js", { named: ["src/sub.cjs"] }, true],
    ["that imports a folder of the task", "test/index.test.js", { named: ["src/thing/index.ts"] }, true],
    ["at the top that imports a file of the task", "top.test.js", { named: ["src/add.js"] }, true],
    ["that imports a module of the task", "test/calc_test.py", { named: ["src/calc/core.py"] }, true],
    ["that imports a neighbour", "test/calc_test.py", { named: ["test/helpers.py"] }, true],
    ["that imports no file of the task", "test/add.test.js", { named: ["src/mul.js"] }, false],
    ["in an unknown file", "test/gone.test.js", { named: ["src/mul.js"] }, true],
    ["of a language whose imports name no files", "pkg/add_test.go", { named: ["src/mul.go"] }, true],
    ["without a file", null, { named: ["src/mul.js"] }, true],
    ["of a task that names and changes nothing", "test/add.test.js", {}, true],
    ["if changes are unknown", "test/add.test.js", { named: ["src/mul.js"], changed: null }, true],
  ])("belongs to a task, or not: %s", (_name, file, work, expected) => {
    expect(related(file, work)).toBe(expected);
  });
});
