import { execFileSync } from "node:child_process";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { PrintedByTask, WholeRun } from "../../../../src/hosts/page/page-data.ts";
import { renderFact } from "../../../../src/wording/render-fact.ts";
import { writeScript } from "../../../support/folder.ts";
import { lookedAt } from "../../../support/page-of.ts";
import { callCli } from "../call-cli.ts";
import { clumsy, planText, workspaceWith } from "../sample-spec.ts";

const call = (folder: string, ...words: string[]) => callCli(folder, words);
const dataIn = <Data>(page: string, id: string): Data => {
  const text = new RegExp(`<script id="${id}"[^>]*>([^<]*)<`).exec(page)?.[1] ?? "";
  return JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString()) as Data;
};

describe("fixpoint export", () => {
  it("prints a page with every step and the evidence of the run", async () => {
    const workspace = workspaceWith();
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", "--recovery-mode");
    const { exitCode, out } = await call(workspace, "export", "demo");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^<!doctype html>/);
    const run = lookedAt({ run: dataIn<WholeRun>(out, "run") });
    const printed = dataIn<PrintedByTask>(out, "printed");
    expect(run.rows.map(({ id, depth }) => [id, depth, run.at(0).markOf(id)])).toEqual([
      ["1.1", 0, "before"],
      ["1.2", 0, "open"],
      ["1.2.1", 1, "open"],
      ["1.3", 0, "open"],
    ]);
    const last = run.at(run.last);
    expect(last).toMatchObject({ cause: "ended", ending: "complete" });
    expect(run.rows.map(({ id }) => last.markOf(id))).toEqual(["before", "passed", "passed", "doubtful"]);
    const facts = run.factsAbout("1.2", run.last).map(({ fact }) => fact);
    expect(facts.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["delegated", "judged", "failed", "decided", "inserted", "passed"]),
    );
    expect(printed["1.2"]?.[0]).toMatchObject({
      attempt: 1,
      message: { text: expect.stringContaining("TASK_COMPLETE") },
      verify: { command: "test -f a.txt", exitCode: 1 },
    });
    const { out: why } = await call(workspace, "why", "1.2");
    for (const fact of facts) expect(why).toContain(renderFact(fact).head);
  });

  it("includes the diff of the last attempt at a task, if git has it", async () => {
    const workspace = workspaceWith();
    execFileSync("git", ["init", "-q"], { cwd: workspace });
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", "--recovery-mode");
    const printed = dataIn<PrintedByTask>((await call(workspace, "export", "demo")).out, "printed");
    expect(printed["1.2.1"]?.at(-1)?.changed).toEqual({ text: expect.stringContaining("+++ b/prompt.txt"), left: 0 });
  });

  it("keeps the end of each output, at most 64 KiB per attempt, without escape sequences", async () => {
    const workspace = workspaceWith(
      planText.replace("test -f a.txt", "seq 90000; printf '\\033[31mlast line\\033[0m'; false"),
    );
    const loud = writeScript(workspace, "loud", "cat > prompt.txt; seq 90000; echo TASK_COMPLETE");
    await call(workspace, "run", "--exec", loud, "--yes", "--max-task-iterations", "1");
    const all = dataIn<PrintedByTask>((await call(workspace, "export", "demo")).out, "printed");
    const [printed] = all["1.2"] ?? [];
    const [message, output] = [printed?.message, printed?.verify?.output];
    expect((message?.text.length ?? 0) + (output?.text.length ?? 0)).toBe(64 * 1024);
    expect([message?.text.endsWith("TASK_COMPLETE\n"), message?.left]).toEqual([true, expect.any(Number)]);
    expect(output?.text.endsWith("90000\nlast line")).toBe(true);
    expect(output?.left).toBeGreaterThan(0);
  });

  it("prints a summary in which foreign text is code", async () => {
    const workspace = workspaceWith(planText.replace("1.2 Second", "1.2 Ask @everyone <b>"));
    const failing = writeScript(
      workspace,
      "failing",
      "cat > prompt.txt; echo 'Task 1.2: x FAILED'; echo '- Error: see @admins and ![x](http://evil.test)'",
    );
    await call(workspace, "run", "--exec", failing, "--yes", "--max-task-iterations", "1");
    const { out } = await call(workspace, "export", "demo", "--format", "md");
    expect(out).toMatch(/^# `demo`: stopped at a limit\n\n1 of 3 tasks done, 1 delegation, /);
    expect(out).toContain(
      "## Needs attention\n\n- failed `1.2 Ask @everyone <b>`: `see @admins and !(x)(http://evil.test)`\n",
    );
    expect(out).toContain("\n| `1.2 Ask @everyone <b>` | failed |  | 1 | 0 |\n");
    expect(out.replaceAll(/`[^`]*`/g, "")).not.toMatch(/@|evil|<b>/);
    expect((await call(workspace, "export", "demo", "--format", "md", "--run", "1")).exitCode).toBe(0);
  });

  it("includes up to 4 MiB of evidence, failures first, and lists what is omitted", async () => {
    const loud = "head -c 33000 /dev/zero | tr '\\0' '\"'";
    const quiet = Array.from({ length: 36 }, (_, index) => [`1.${index + 1}`, "true"] as const);
    const tasks = [...quiet, ["1.37", "test -f again || { touch again; false; }"], ["1.38", "false"]] as const;
    const workspace = workspaceWith(
      tasks.map(([id, check]) => `- [ ] ${id} Task\n  - **Do**: It\n  - **Verify**: \`${loud}; ${check}\`\n`).join(""),
    );
    const executor = writeScript(workspace, "loud", `cat > prompt.txt; ${loud}; echo; echo TASK_COMPLETE`);
    await call(workspace, "run", "--exec", executor, "--yes", "--max-task-iterations", "2", "--no-verify-before");
    const { out } = await call(workspace, "export", "demo");
    const { left } = dataIn<WholeRun>(out, "run");
    const all = dataIn<PrintedByTask>(out, "printed");
    const printed = (id: string) => all[id]?.length ?? 0;
    expect(JSON.stringify(all).length).toBeLessThan(4.1 * 1024 * 1024);
    expect([printed("1.38"), printed("1.37"), printed("1.1")]).toEqual([2, 2, 1]);
    const without = quiet.filter(([id]) => printed(id) === 0);
    expect(without.length).toBeGreaterThan(4);
    expect(without).toEqual(quiet.slice(-without.length));
    expect(left).toEqual([`The outputs of ${without.length} attempts are omitted: this page has room for 4 MiB`]);
  });

  it("refuses a spec without a run, and an unknown format", async () => {
    const workspace = workspaceWith();
    expect((await call(workspace, "export", "demo", "--format", "md")).out).toMatch(/^# `demo`: not run yet/);
    await expect(call(workspace, "export", "demo")).rejects.toMatchObject({
      ...{ name: "InputError", code: "journal-missing" },
      hint: expect.stringMatching(/^Run it first: fixpoint run /),
    });
    await expect(call(workspace, "export", "demo", "--format", "pdf")).rejects.toMatchObject({ code: "bad-option" });
    await expect(call(workspace, "export", "demo", "--run", "7")).rejects.toMatchObject({ code: "run-missing" });
  });
});
