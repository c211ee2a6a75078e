import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { cli, launch } from "../support/cli.ts";
import {
  byAgent,
  delegationsIn,
  here,
  make,
  next,
  only,
  report,
  type Told,
  type Verdict,
  workspaceWith,
} from "../support/handed-out.ts";
import { planOf, task } from "./story.ts";

const two = planOf(task("1.1"), task("1.2"));
const complete = ["--claim", "complete"];

async function fed(workspace: string, words: readonly string[], input: string) {
  const child = spawn(process.execPath, [cli, ...words], { cwd: workspace, stdio: ["pipe", "pipe", "pipe"] });
  // A program may close its input without reading, which makes the write fail.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [[exitCode], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { exitCode: exitCode as number, out, err };
}

describe.concurrent("a report on standard input", () => {
  it("may be longer than a pipe holds", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    make(workspace, "1.1");
    const given = JSON.stringify({ claim: "complete", message: "x".repeat(3_000_000) });
    const { exitCode, out, err } = await fed(workspace, ["report", nonce, "--json", "-"], given);
    expect([exitCode, err]).toEqual([0, ""]);
    expect((JSON.parse(out) as { verdict: Verdict }).verdict.kind).toBe("accepted");
  });

  it.each([
    ['{"claim":"failed","error":""}', "expected `error`, or a message, for `failed`"],
    ['{"claim":"blocked","question":" \\n"}', "expected `question`, or a message, for `blocked`"],
    ['{"message":" "}', "expected a claim, or a message"],
    ['{"kind":"complete"}', "`kind`: expected one of claim, message, "],
    ['{"claim":"done"}', '`claim`: expected one of "complete"|"failed"'],
    ['{"claim":"complete","usage":{"costUsd":-1}}', "`usage.costUsd`: expected number to be >=0"],
    ["[]", "expected a claim, or a message"],
  ])("is refused if it says nothing or is no report, and counts for nothing: %s", async (given, says) => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    const { exitCode, err } = await fed(workspace, ["report", nonce, "-"], given);
    expect(exitCode).toBe(2);
    expect(err).toContain(`Cannot take the report, ${says}`);
    expect(only((await next(workspace)).json).nonce).toBe(nonce);
    expect(delegationsIn(workspace)).toEqual(["1.1#1"]);
  });

  it("does not replace what is typed", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    const words = ["report", nonce, "--claim", "failed", "--message", "No compiler", "--json", "-"];
    const { out } = await fed(workspace, words, '{"claim":"complete","message":"Done"}');
    expect((JSON.parse(out) as { verdict: Verdict }).verdict).toMatchObject({ kind: "failed", reason: "No compiler" });
  });
});

describe.concurrent("a report", () => {
  it("of a failure whose Verify passes is asked for again as a report, not as a line of text", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    make(workspace, "1.1");
    const { json } = await report(workspace, nonce, "--claim", "failed", "--message", "It is odd");
    expect(json.verdict.reason).toContain("or report the task as complete");
    expect(only(json.next).prompt).not.toContain("TASK_COMPLETE");
  });

  it("that asks for a change is told why that is refused", async () => {
    const workspace = workspaceWith(two);
    const proposed = task("1.1a", "Make a part", "test -e made/1.1").trimEnd();
    const request = { type: "ADD_PREREQUISITE", originalTaskId: "1.9", reasoning: "Large", proposedTasks: [proposed] };
    const input = JSON.stringify({ claim: "modify", request });
    // Verify now passes without any work and proves nothing, so the wording of the report decides.
    make(workspace, "1.1");
    const { nonce } = only((await next(workspace)).json);
    const { out } = await fed(workspace, ["report", nonce, "--json", "-"], input);
    const { verdict, next: after } = JSON.parse(out) as { verdict: Verdict; next: Told };
    expect(verdict.kind).toBe("rejected");
    expect(verdict.reason).toMatch(
      /^The change was refused: originalTaskId .* you did not report the task as complete$/,
    );
    expect(only(after).prompt).not.toContain("TASK_COMPLETE");
  });

  it("that names more than its spec, or no spec, says what to type", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    const excess = await report(workspace, nonce, "spec", "other", ...complete);
    expect([excess.exitCode, excess.err]).toEqual([2, expect.stringContaining("Cannot use `other` after the spec")]);
    const claim = await report(workspace, nonce, "complete");
    expect(claim.err).toContain(`fixpoint report ${nonce} spec`);
    expect(delegationsIn(workspace)).toEqual(["1.1#1"]);
  });

  it("from elsewhere asks for the spec of its nonce, which the workspace finds in any folder", async () => {
    const workspace = workspaceWith(two);
    const elsewhere = workspaceWith(two);
    mkdirSync(join(workspace, "packages/a/plan"), { recursive: true });
    writeFileSync(join(workspace, "packages/a/plan/tasks.md"), two);
    for (const folder of [workspace, elsewhere]) rmSync(join(folder, "specs"), { recursive: true });
    const told = (await here(workspace, "next", "packages/a/plan", "--yes")).out;
    const [, nonce = ""] = /report (\w+) packages\/a\/plan --claim complete/.exec(told) ?? [];
    const { exitCode, err } = await report(elsewhere, nonce, ...complete);
    expect(exitCode).toBe(2);
    expect(err).toContain(`of a spec in \`${elsewhere}\``);
    expect(err).toContain("name the spec after the nonce, or its workspace with --cwd");
    make(workspace, "1.1");
    const taken = await report(workspace, nonce, ...complete);
    expect(taken.json.verdict).toMatchObject({ kind: "accepted" });
  });
});

describe.concurrent("an agent that damages the data of its run", () => {
  const journalIn = (data: string): string => {
    const run = join(data, "run-1");
    const names = readdirSync(run).filter((name) => name.startsWith("journal-"));
    return join(run, names.sort().at(-1) ?? "");
  };
  const isOver = (workspace: string): string => join(workspace, "specs/spec/.fixpoint");

  it.each<[string, (data: string) => void]>([
    ["removes all of it", (data) => rmSync(data, { recursive: true })],
    ["overwrites its journal", (data) => writeFileSync(journalIn(data), "rubbish\n")],
    [
      "cuts its journal back to the beginning of the run",
      (data) => {
        const [header = ""] = readFileSync(journalIn(data), "utf8").split("\n");
        writeFileSync(journalIn(data), `${header}\n`);
      },
    ],
  ])("%s may not agree to anything", async (_, damage) => {
    const workspace = workspaceWith(two);
    await byAgent.next(workspace);
    damage(isOver(workspace));
    const plan = join(workspace, "specs/spec/tasks.md");
    writeFileSync(plan, readFileSync(plan, "utf8").replace("test -e made/1.1", "true"));
    const asked = (await byAgent.told<Told>(workspace, "next", "spec", "--yes")).json;
    const [, hash = "0123456789abcdef"] = /--accept (\w+)/.exec(asked.hint ?? "") ?? [];
    for (const words of [
      ["next", "spec", "--accept", hash],
      ["next", "spec", "--new-run", "--yes"],
      ["run", "spec", "--exec", "true", "--new-run", "--yes"],
      ["reset", "spec", "--yes"],
    ]) {
      const { exitCode, err } = await launch(workspace, words).end;
      expect([words.join(" "), exitCode]).toEqual([words.join(" "), 2]);
      expect(err).toContain("expected a person");
    }
  });
});

describe.concurrent("a hook", () => {
  const hook = async (workspace: string, input: string) =>
    JSON.parse((await fed(workspace, ["hook", "stop"], input)).out) as object;

  it("says nothing in a project that has no plan", async () => {
    const workspace = workspaceWith(two);
    rmSync(join(workspace, "specs/spec"), { recursive: true });
    expect(await hook(workspace, "{}")).toEqual({});
    writeFileSync(join(workspace, "specs/api.yaml"), "openapi: 3.1.0\n");
    expect(await hook(workspace, "rubbish")).toEqual({});
  });

  it("answers even if its input stays open", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    const child = spawn(process.execPath, [cli, "hook", "stop"], {
      cwd: workspace,
      stdio: ["pipe", "pipe", "inherit"],
    });
    expect(await text(child.stdout)).toContain(nonce);
  });

  it("finds the project above a folder `specs` of something else", async () => {
    const workspace = workspaceWith(two);
    const { nonce } = only((await next(workspace)).json);
    mkdirSync(join(workspace, "app/specs"), { recursive: true });
    const answer = await hook(workspace, JSON.stringify({ cwd: join(workspace, "app"), padding: "x".repeat(300_000) }));
    expect(answer).toMatchObject({ decision: "block", reason: expect.stringContaining(nonce) });
  });
});

describe.concurrent("the set-up of an agent", () => {
  it("names its spec where it shows what is missing", async () => {
    const workspace = workspaceWith(two);
    await here(workspace, "install", "claude", "spec");
    const again = await here(workspace, "install", "claude", "spec");
    expect([again.exitCode, again.err]).toEqual([2, expect.stringContaining("install claude spec --print")]);
  });
});
