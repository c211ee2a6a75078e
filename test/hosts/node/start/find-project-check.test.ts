import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findProjectCheck, proposeCheck } from "../../../../src/hosts/node/start/find-project-check.ts";
import { readPlan } from "../../../../src/markdown/document/plan-document.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const scripts = (test: unknown) => JSON.stringify({ scripts: { test } });

describe("findProjectCheck", () => {
  it.each<[string, Record<string, string>, string | null]>([
    ["an empty folder", {}, null],
    ["a test script", { "package.json": scripts("vitest run") }, "npm test"],
    ["another lock file", { "package.json": scripts("vitest run"), "pnpm-lock.yaml": "" }, "pnpm test"],
    ["a package manager that has a test runner", { "package.json": scripts("x"), "bun.lock": "" }, "bun run test"],
    ["the default script of npm", { "package.json": scripts('echo "Error: no test specified" && exit 1') }, null],
    ["a script that does nothing", { "package.json": scripts(1) }, null],
    ["no scripts", { "package.json": "null" }, null],
    ["a package that is not JSON", { "package.json": "{", Makefile: "check: a\n\ttrue\n" }, "make check"],
    ["a target", { Makefile: "build:\n\ttrue\ntest: build\n\ttrue\n" }, "make test"],
    ["a variable that is called like a target", { Makefile: "test := 1\n" }, null],
    ["pytest in pyproject", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, "pytest"],
    ["a Python project without pytest", { "pyproject.toml": "[project]\n" }, null],
    ["a file for pytest", { "pytest.ini": "" }, "pytest"],
    ["pytest in tox", { "tox.ini": "[pytest]\n" }, "pytest"],
    ["Go", { "go.mod": "module a\n" }, "go test ./..."],
    ["Cargo", { "Cargo.toml": "" }, "cargo test"],
    ["Gradle", { gradlew: "" }, "./gradlew test"],
  ])("reads %s", (_, files, command) => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    expect(findProjectCheck(folder)?.command ?? null).toBe(command);
  });

  it("validates a change of OpenSpec if that program is installed", () => {
    const folder = temporaryFolder();
    const change = join(folder, "openspec/changes/add-quiet");
    mkdirSync(change, { recursive: true });
    const programs = temporaryFolder();
    vi.stubEnv("PATH", `${programs}${delimiter}${folder}`);
    expect(findProjectCheck(folder, change)).toBeNull();
    writeFileSync(join(programs, "openspec"), "");
    const validate = "openspec validate add-quiet --strict";
    expect(findProjectCheck(folder, change)).toEqual({ command: validate, from: "openspec" });
    expect(findProjectCheck(folder, join(folder, "specs/a"))).toBeNull();
    writeFileSync(join(folder, "go.mod"), "");
    expect(findProjectCheck(folder, change)?.command).toBe(`go test ./... && ${validate}`);
    expect(findProjectCheck(folder)?.command).toBe("go test ./...");
    vi.unstubAllEnvs();
  });

  it("prefers the commands that the plan names, after each task", () => {
    const folder = temporaryFolder();
    const spec = join(folder, "specs/a");
    mkdirSync(spec, { recursive: true });
    writeFileSync(join(folder, "go.mod"), "");
    const plan = "## Validation Commands\n\n- `go test ./cmd/...`\n\n### Task 1: A\n\n- [ ] Write\n";
    writeFileSync(join(spec, "tasks.md"), plan);
    const check = { command: "go test ./cmd/...", from: "tasks.md", checkEvery: "task" };
    expect(proposeCheck(readPlan(plan).tasks, folder, spec)).toEqual(check);
    writeFileSync(join(spec, "tasks.md"), "### Task 1: A\n\n- [ ] Write\n");
    expect(proposeCheck(readPlan(plan).tasks, folder, spec)).toMatchObject({ from: "go.mod", checkEvery: "phase" });
  });

  it("finds nothing in files that cannot be read", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "package.json"));
    expect([findProjectCheck(folder), findProjectCheck(join(folder, "none"))]).toEqual([null, null]);
  });
});
