import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { cli, runWords } from "../support/cli.ts";
import { run, runAgain } from "../support/cli-here.ts";
import { mountSmall } from "../support/mount-small.ts";
import { projectWith, twoDone, twoTasks, works, writeExecutor } from "../support/project.ts";
import { delegations, read, recordsOf } from "../support/traces.ts";

const fixing = ["--recovery-mode", "--max-task-iterations", "1"];

const fill = 'dd if=/dev/zero of="$FIXPOINT_SPEC/fill" bs=1k count=9999 2>/dev/null';

// Frees 12 KB of the full disk, like another program that used the space for a moment.
const fillBut = `${fill}; truncate -s -12k "$FIXPOINT_SPEC/fill"; exit 1`;

describe("output without disk space", () => {
  it.for([
    ["an executor's, and some space is free again", fillBut, twoTasks],
    ["an executor's", `${fill}; ${works}`, twoTasks],
    ["a Verify's", works, twoTasks.replace("`test -e one`", `\`[ -e again ] || { touch again; ${fill}; exit 1; }\``)],
  ] as const)("is the environment's fault, and causes no fix task: %s", async ([, script, plan], { skip }) => {
    const project = projectWith({ plan, script });
    if (!mountSmall(project.spec, "512k")) return skip("no disk can be mounted here");
    writeFileSync(project.tasks, plan);
    const { exitCode, err } = await run(project, ...fixing);
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/Cannot store the output of `.*(?:ENOSPC|KiB are left)/),
    });
    rmSync(join(project.spec, "fill"));
    writeExecutor(project.workspace, works);
    expect(await runAgain(project, ...fixing)).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(plan.replaceAll("[ ]", "[x]"));
    const again = script === fillBut ? ["1.1#1"] : [];
    expect(delegations(project)).toEqual(["1.1#1", ...again, "1.2#1"]);
  });

  it("is the environment's fault with a limit on file sizes too", async () => {
    const flood = "yes | head -c 5000000";
    const project = projectWith({ script: `${flood}; made` });
    const words = [process.execPath, cli, ...runWords(project, "--yes", ...fixing)];
    const child = spawn("sh", ["-c", 'ulimit -f 4096; exec "$@"', "sh", ...words], {
      cwd: project.workspace,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const err = text(child.stderr);
    const [exitCode] = await once(child, "close");
    expect({ exitCode, err: await err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/Cannot store the output .*EFBIG/),
    });
    const ofAttempt = recordsOf(project).filter((record) => "key" in record && record.key === "1.1#1");
    expect(ofAttempt.map(({ type }) => type)).toEqual(["delegated"]);
    writeExecutor(project.workspace, `${flood}; ${works}`);
    expect(await runAgain(project, ...fixing)).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(twoDone);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
  });
});

it("a journal at a limit on file sizes ends the run as the environment's fault, after outputs below it", async () => {
  const plan = Array.from({ length: 40 }, (_, at) => `- [ ] 1.${at + 1} Task\n`).join("");
  const project = projectWith({ plan, script: "made" });
  const words = [process.execPath, cli, ...runWords(project, "--yes", ...fixing)];
  const child = spawn("sh", ["-c", 'ulimit -f 40; exec "$@"', "sh", ...words], {
    cwd: project.workspace,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const err = text(child.stderr);
  const [exitCode, signal] = await once(child, "close");
  expect({ exitCode, signal, err: await err }).toEqual({
    exitCode: 5,
    signal: null,
    err: expect.stringMatching(/journal-1\.ndjson`: .*EFBIG/),
  });
  expect(await runAgain(project, ...fixing)).toMatchObject({ exitCode: 0 });
  expect(read(project.tasks)).toBe(plan.replaceAll("[ ]", "[x]"));
});
