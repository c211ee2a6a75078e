import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../../../src/adapters/git.ts";
import { commitSpec } from "../../../src/effects/commit-work.ts";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { fileSink } from "./file-sink.ts";
import { isRefusal } from "./refusal.ts";

export const commitSink = fileSink("commit message", 20, (folder) => {
  const run = (...args: readonly string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  run("init", "--quiet", "--initial-branch=main");
  run("config", "user.name", "Owner");
  run("config", "user.email", "owner@x.invalid");
  mkdirSync(join(folder, "spec"));
  const plan = join(folder, "spec", "tasks.md");
  writeFileSync(plan, "0");
  writeFileSync(join(folder, "other"), "0");
  run("add", ".");
  run("commit", "--quiet", "--message=first");
  writeFileSync(join(folder, "other"), "changed by somebody else");
  const repository = git({ workspace: folder, specFiles: { plan } });
  let made = 0;
  const changePlan = (): void => {
    made += 1;
    writeFileSync(plan, String(made));
  };

  return async (text) => {
    const before = run("rev-parse", "HEAD").trim();
    changePlan();
    const hash = await repository.commit(text).catch((error) => {
      // A message that is empty after encoding is refused.
      if (!isRefusal(error)) throw error;
      return null;
    });
    if (hash !== null) assertIsOneCommit(before);
    // Uses ids from a plan with the text, because messages of the coordinator name tasks.
    const ids = readPlan(`- [ ] ${text.slice(0, 2000)}\n`).tasks.map(({ id }) => id);
    changePlan();
    const ports = { git: repository, plan: { exclusively: <Result>(act: () => Promise<Result>) => act() } };
    await commitSpec(ports as unknown as Parameters<typeof commitSpec>[0], ids);
    const [subject, ...body] = run("log", "-1", "--format=%B").trimEnd().split("\n");
    assert.ok(subject?.startsWith("chore(spec): update progress for task"), subject);
    assert.deepEqual(body, []);
  };

  function assertIsOneCommit(before: string): void {
    assert.deepEqual(run("log", "-1", "--format=%P|%an|%ae|%cn").trim(), `${before}|Owner|owner@x.invalid|Owner`);
    assert.equal(run("show", "--name-only", "--format=", "HEAD").trim(), "spec/tasks.md");
    assert.equal(run("status", "--porcelain").trim(), "M other");
  }
});
