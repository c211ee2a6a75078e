import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { launch, runWords } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { type Project, projectWith, twoTasks } from "../support/project.ts";
import { contentOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const preload = resolve(import.meta.dirname, "../support/stuck-after-read.mjs");

const plans: Readonly<Record<string, readonly [plan: string, message: RegExp]>> = {
  "too large": [
    `${twoTasks}${"x".repeat(16 * 1024 * 1024)}\n`,
    /^ERROR: Cannot use .*tasks\.md.*, expected no more than 16 MiB\n/,
  ],
  "of too many items": [
    `${twoTasks}${"- x\n".repeat(500_001)}`,
    /^ERROR: Cannot use .*tasks\.md.*, expected no more than 500000 list items and quotes\n/,
  ],
  "too deep": [
    `${twoTasks}${Array.from({ length: 65 }, (_, depth) => `${"  ".repeat(depth)}- [ ] 2.${depth} Deeper\n`).join("")}`,
    /^ERROR: Cannot use .*tasks\.md.*, expected no more than 64 levels .*: line 73 has more\n/,
  ],
};

const commands: Readonly<Record<string, (project: Project) => string[]>> = {
  run: (project) => runWords(project, "--yes"),
  lint: ({ spec }) => ["lint", spec],
  status: ({ spec }) => ["status", spec],
  why: ({ spec }) => ["why", "1.1", spec],
};

describe.concurrent("an abnormally large plan", () => {
  for (const [what, [plan, message]] of Object.entries(plans)) {
    it.each(Object.entries(commands))(`is refused before parsing if it is ${what}: %s`, async (_, words) => {
      const project = projectWith({ plan });
      const before = contentOf(project.workspace);
      const { exitCode, out, err } = await launch(project.workspace, words(project)).end;
      expect({ exitCode, out, err }).toEqual({ exitCode: 2, out: "", err: expect.stringMatching(message) });
      expect(contentOf(project.workspace)).toEqual(before);
    });
  }

  it("stops the run if an executor made the plan so large, until the plan is fixed", async () => {
    const project = projectWith({ script: 'yes | head -c 17000000 >> "$plan"; touch one two; made' });
    expect(await run(project)).toMatchObject({ exitCode: 3, err: expect.stringContaining("16 MiB") });
    expect(await runAgain(project)).toMatchObject({ exitCode: 2, err: expect.stringContaining("16 MiB") });
    writeFileSync(project.tasks, twoTasks);
    writeFileSync(join(project.workspace, "executor.sh"), "#!/bin/sh\ntouch one two; echo TASK_COMPLETE\n");
    expect((await runAgain(project)).exitCode).toBe(0);
  });
});

describe.concurrent("a signal during the parsing of a plan", () => {
  const cases = Object.keys(commands).flatMap((word) => (["SIGINT", "SIGTERM"] as const).map((name) => [word, name]));
  it.each(cases as [string, NodeJS.Signals][])("ends the program at once: %s, %s", async (word, name) => {
    const project = projectWith();
    const file = join(project.workspace, "stuck");
    const env = { NODE_OPTIONS: `--import ${preload}`, STUCK_FILE: file };
    const { child, end } = launch(project.workspace, commands[word]?.(project) ?? [], env);
    await until(() => existsSync(file));
    child.kill(name);
    expect(await end).toEqual({ exitCode: null, signal: name, out: "", err: "" });
    expect(existsSync(project.data)).toBe(false);
  });
});
