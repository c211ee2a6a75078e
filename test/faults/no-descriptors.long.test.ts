import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { cli, runWords } from "../support/cli.ts";
import { runAgain } from "../support/cli-here.ts";
import { projectWith, twoDone } from "../support/project.ts";
import { delegations, read, recordsOf } from "../support/traces.ts";

const preload = resolve(import.meta.dirname, "../support/no-descriptors.mjs");
const one = ["--max-task-iterations", "1"];

describe.concurrent("a program that cannot be started because no descriptor is free", () => {
  it.each(["executor.sh", "sh"])("ends the run naming the errno, and spends no attempt: %s", async (program) => {
    const project = projectWith();
    const words = [process.execPath, cli, ...runWords(project, "--yes", ...one)];
    const child = spawn("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...words], {
      cwd: project.workspace,
      env: { ...process.env, NODE_OPTIONS: `--import ${preload}`, NO_DESCRIPTORS: program },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const err = text(child.stderr);
    const [exitCode] = await once(child, "close");
    expect({ exitCode, err: await err }).toEqual({ exitCode: 5, err: expect.stringContaining("EMFILE") });
    expect(recordsOf(project).at(-1)).toMatchObject({ type: "ended", ending: { outcome: "environment" } });
    expect(await runAgain(project, ...one)).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(twoDone);
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });
});
