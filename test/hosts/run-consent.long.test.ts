import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configOptions } from "../../src/hosts/cli/options/config.ts";
import { needsConsent, optionFacts } from "../../src/model/option.ts";
import { launch, run as runApart, runWords } from "../support/cli.ts";
import { call, run, runAccepting, runAgain } from "../support/cli-here.ts";
import { forgetHead, ownerFolder } from "../support/owner-folder.ts";
import { lastingFolder, type Project, projectWith, received } from "../support/project.ts";
import { contentOf, delegations, journalPath, read } from "../support/traces.ts";

const never = "- [ ] 1.1 A\n  - **Verify**: `touch PWNED; false`\n- [ ] 1.2 B\n  - **Verify**: `true`\n";
const configure = ({ spec }: Project, config: object): void =>
  writeFileSync(join(spec, "fixpoint.config.json"), JSON.stringify(config));
const wasRun = ({ workspace }: Project, name = "PWNED"): boolean => existsSync(join(workspace, name));

describe.concurrent("configuration in the spec's folder", () => {
  const acting = {
    exec: "sh -c 'touch PWNED; echo TASK_COMPLETE'",
    executor: "claude",
    rungs: { fix: "sh -c 'touch PWNED; echo TASK_COMPLETE'" },
    verifierExec: "sh -c 'touch PWNED; echo VERIFICATION_PASS'",
    operatorExec: "sh -c 'touch PWNED; echo ESCALATE: a | b'",
    reviewerExec: "sh -c 'touch PWNED; echo REVIEW_PASS'",
    finalVerify: "touch PWNED",
    trustExecutor: true,
    requireExecutorTick: true,
    requireCommit: true,
    commit: "spec",
    permissions: "edit",
    executorArgs: { claude: "--model opus" },
    cwd: "..",
    stuckReport: "other.md",
    structuredClaim: true,
    shareWorkspace: true,
    notify: "touch PWNED",
    pullRequest: { draft: true },
    guard: "off",
    knownFailures: "ignore",
    optional: true,
    passEnv: ["A_TOKEN"],
    recheck: false,
    requireProof: true,
    rules: "source",
    unattended: true,
    checkEvery: "end",
    fresh: "always",
    race: 2,
    worktrees: true,
    worktreeLink: ["node_modules"],
    worktreeSetup: "touch PWNED",
    verify: "touch PWNED",
    verifyBefore: false,
  };

  it.each(Object.entries(acting))("does nothing with %s before consent", async (name, value) => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n- [ ] 1.2 [VERIFY] B\n" });
    configure(project, { [name]: value });
    const before = contentOf(project.workspace);
    const own = ["executor", "exec"].includes(name) ? ["run", project.spec] : runWords(project);
    const words = ["structuredClaim", "permissions"].includes(name) ? [...own, "--executor", "claude"] : own;
    const { exitCode, out, err } = await call(project, ...words);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    const called = name === "verify" ? "Verify" : name;
    expect(err).toContain(`  ${called}: ${typeof value === "object" ? JSON.stringify(value) : value}\n`);
    expect(err).toContain("--yes");
    expect(contentOf(project.workspace)).toEqual(before);
  });

  it("covers every option that needs consent", () => {
    const options = Object.entries(configOptions);
    expect(options.filter(([, option]) => optionFacts.get(option) === undefined)).toEqual([]);
    const named = options.filter(([, option]) => needsConsent(option)).map(([name]) => name);
    expect(Object.keys(acting).sort()).toEqual(named.sort());
  });

  it("needs no consent for limits and display", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n" });
    configure(project, { maxTaskIterations: 2, reporter: "plain", lint: {}, scope: "core", recoveryMode: true });
    expect((await runAgain(project)).exitCode).toBe(0);
  });

  it("needs no consent for options that the command line overrides", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n" });
    configure(project, { exec: "sh -c 'touch PWNED'" });
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(wasRun(project)).toBe(false);
  });

  it("stops at a gate with the difference if an executor wrote it, even with --yes", async () => {
    const config = '{"trustExecutor":true,"finalVerify":"touch PWNED"}';
    const project = projectWith({
      plan: "- [ ] 1.1 A\n  - **Verify**: `false`\n",
      script: `echo '${config}' > "$FIXPOINT_SPEC/fixpoint.config.json"; made`,
    });
    await run(project, "--max-task-iterations", "2");
    const asked = await run(project, "--max-task-iterations", "3");
    expect(asked).toMatchObject({ exitCode: 3, out: expect.stringContaining("Outcome: gate") });
    expect(asked.err).toContain("  finalVerify: touch PWNED\n  trustExecutor: true\n");
    expect(wasRun(project)).toBe(false);
    const unfit = await runAgain(project, "--accept", "0123456789abcdef");
    expect(unfit.exitCode).toBe(3);
    expect(unfit.out).toContain(
      "notice: --accept 0123456789abcdef does not match: the current question has another hash\n",
    );
    const accepted = await runAccepting(project, asked, "--max-task-iterations", "3");
    expect(accepted).toMatchObject({ exitCode: 0, out: expect.stringContaining("\n1 task: 1 unverified (1.1)\n") });
    expect(wasRun(project)).toBe(true);
  });

  it("needs consent once, and again after a change", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n- [ ] 1.2 B\n", script: "[ $id = 1.2 ] && broke it || made" });
    configure(project, { finalVerify: "true", maxTaskIterations: 1 });
    expect((await run(project)).exitCode).toBe(1);
    configure(project, { finalVerify: "true", maxTaskIterations: 2 });
    expect((await runAgain(project)).exitCode).toBe(1);
    configure(project, { finalVerify: "touch PWNED", maxTaskIterations: 3 });
    const asked = await runAgain(project);
    expect(asked).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("finalVerify: touch PWNED, instead of true"),
    });
  });
});

describe.concurrent("run data of someone else", () => {
  const begun = async (): Promise<Project> => {
    const project = projectWith({ plan: never });
    await run(project, "--max-task-iterations", "1", "--final-verify", "touch FINAL");
    rmSync(join(project.workspace, "PWNED"));
    return project;
  };

  it.each([
    ["folder that was copied", (project: Project) => received(project)],
    [
      "clone of a repository that holds it",
      (project: Project) => {
        const git = (folder: string, ...words: string[]): unknown =>
          execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], { cwd: folder });
        git(project.workspace, "init", "-q", ".");
        git(project.workspace, "add", "-A");
        git(project.workspace, "add", "-f", "spec/.fixpoint", "spec/.ralph-state.json");
        git(project.workspace, "commit", "-qm", "all");
        const workspace = join(lastingFolder(), "clone");
        git(project.workspace, "clone", "-q", project.workspace, workspace);
        const copy = received(project);
        rmSync(copy.workspace, { recursive: true });
        cpSync(workspace, copy.workspace, { recursive: true });
        return copy;
      },
    ],
    [
      "archive that was unpacked",
      (project: Project) => {
        const copy = received(project);
        rmSync(copy.workspace, { recursive: true });
        mkdirSync(copy.workspace);
        execFileSync("sh", ["-c", `tar -cf - -C "$0" . | tar -xf - -C "$1"`, project.workspace, copy.workspace]);
        return copy;
      },
    ],
  ])("in a %s executes nothing and skips nothing", async (_what, hand) => {
    const project = hand(await begun());
    const before = contentOf(project.workspace);
    for (const words of [[], ["--yes"], ["--max-task-iterations", "3"]]) {
      const asked = await runAgain(project, ...words);
      expect(asked).toMatchObject({ exitCode: 3, out: expect.stringContaining("Outcome: gate") });
      expect(asked.err).toMatch(
        /You did not begin this run here.*run 1, begun .*touch PWNED.*finalVerify: touch FINAL/s,
      );
    }
    expect(contentOf(project.workspace)).toEqual(before);
  });

  it("is resumed with the owner's consent, and reported as unverified once", async () => {
    const project = received(await begun());
    const asked = await runAgain(project);
    const accepted = await runAccepting(project, asked, "--max-task-iterations", "2");
    expect(accepted.out).not.toContain("unverified");
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
    forgetHead(project.spec);
    expect((await runAgain(project, "--max-task-iterations", "3")).out).toMatch(/run 1 is unverified/);
    expect((await runAgain(project, "--max-task-iterations", "4")).out).not.toMatch(/run 1 is unverified/);
  });

  it("raises the same question if the user had a run there before", async () => {
    const project = await begun();
    const other = received(project);
    await run(other, "--new-run", "--max-task-iterations", "1");
    rmSync(join(other.workspace, "PWNED"));
    rmSync(project.data, { recursive: true });
    cpSync(other.data, project.data, { recursive: true });
    const asked = await runAgain(project, "--max-task-iterations", "2");
    expect(asked).toMatchObject({
      exitCode: 3,
      err: expect.stringMatching(/You did not begin this run here.*run 2, begun /s),
    });
    expect(wasRun(project)).toBe(false);
  });

  it("is not touched by a new run", async () => {
    const project = received(await begun());
    expect((await runAgain(project, "--new-run")).exitCode).toBe(2);
    const { exitCode, out } = await run(project, "--new-run", "--max-task-iterations", "1");
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: expect.stringContaining("Delegations: 1\n") });
    expect(existsSync(journalPath(project, 1, 2))).toBe(true);
    expect(wasRun(project, "FINAL")).toBe(false);
  });
});

describe.concurrent("missing or outdated run data", () => {
  const spent = async (): Promise<Project> => {
    const project = projectWith({ plan: "- [ ] 1.1 A\n  - **Verify**: `false`\n" });
    expect((await runApart(project, "--max-task-iterations", "2")).exitCode).toBe(1);
    return project;
  };

  it.each([
    ["deleted", ({ data }: Project) => rmSync(data, { recursive: true })],
    [
      "deleted with its state",
      ({ data, state }: Project) => {
        rmSync(data, { recursive: true });
        rmSync(state);
      },
    ],
    [
      "cut",
      (project: Project) => {
        const lines = read(journalPath(project)).split("\n");
        writeFileSync(journalPath(project), `${lines.slice(0, 2).join("\n")}\n`);
      },
    ],
    [
      "damaged in its last line",
      (project: Project) => {
        const text = read(journalPath(project));
        writeFileSync(journalPath(project), `${text.slice(0, -20)}x${text.slice(-19)}`);
      },
    ],
  ])("that was %s is noticed, and spent counts are kept", async (_what, spoil) => {
    const project = await spent();
    spoil(project);
    const asked = await run(project, "--max-task-iterations", "2");
    expect(asked.exitCode).toBe(3);
    expect(asked.err).toMatch(/run data is missing, or older.*run 1, delegations: 2/s);
    expect(delegations(project)).toHaveLength(2);
    const goesOn = await runAccepting(project, asked, "--max-task-iterations", "2");
    expect(goesOn.exitCode).toBe(1);
    expect(delegations(project).length).toBeLessThanOrEqual(3);
    const anew = await run(project, "--max-task-iterations", "2");
    expect(anew.exitCode).toBe(1);
    expect(delegations(project).length).toBeLessThanOrEqual(3);
  });

  it.each([
    ["gone", ({ data }: Project) => rmSync(data, { recursive: true })],
    [
      "damaged in the middle",
      (project: Project) =>
        writeFileSync(journalPath(project), read(journalPath(project)).replace('"attempt":1', '"attempt":0')),
    ],
  ])("that was %s is noticed by --new-run too, and counts continue", async (_what, spoil) => {
    const project = await spent();
    spoil(project);
    await run(project, "--new-run", "--max-task-iterations", "3");
    expect(delegations(project)).toHaveLength(3);
  });

  it("of only the latest run is noticed", async () => {
    const project = await spent();
    expect((await run(project, "--new-run", "--max-task-iterations", "2")).exitCode).toBe(1);
    rmSync(join(project.data, "run-2"), { recursive: true });
    const asked = await run(project, "--max-task-iterations", "3");
    expect(asked.err).toMatch(/run data is missing, or older.*run 2, delegations: 2/s);
    expect(delegations(project)).toHaveLength(4);
  });

  it("does not complete a run whose executor ticks all boxes, deletes the run data and kills the coordinator", async () => {
    // Suspends the coordinator, which might otherwise notice the missing run data and end.
    const script =
      'kill -STOP $PPID; rm -rf "$FIXPOINT_SPEC/.fixpoint" "$FIXPOINT_SPEC/.ralph-state.json"; sed -i "s/\\[ \\]/[x]/" "$plan"; kill -9 $PPID';
    const project = projectWith({ plan: never, script });
    expect((await runApart(project)).signal).toBe("SIGKILL");
    const { exitCode, out } = await run(project);
    expect({ exitCode, out }).toEqual({ exitCode: 3, out: expect.not.stringContaining("ALL_TASKS_COMPLETE") });
  });

  it("after a completed run raises no question", async () => {
    const project = projectWith();
    expect((await run(project)).exitCode).toBe(0);
    rmSync(project.data, { recursive: true });
    expect((await runAgain(project)).exitCode).toBe(0);
  });
});

describe.concurrent("recorded consent", () => {
  it("is stored for the user alone, in a folder that only the user can write", async () => {
    const project = projectWith();
    await run(project);
    const consent = join(ownerFolder(project.spec), "consent.json");
    expect(JSON.parse(readFileSync(consent, "utf8"))).toMatchObject({
      spec: project.spec,
      agreement: { verify: ["test -e one", "test -e two"], reality: [], options: {} },
    });
  });

  it.each([
    ["lies in the workspace", (project: Project) => join(project.workspace, "state")],
    [
      "is a link",
      () => {
        const base = lastingFolder();
        mkdirSync(join(base, "elsewhere"));
        symlinkSync("elsewhere", join(base, "fixpoint"));
        return base;
      },
    ],
    [
      "can be written by others",
      () => {
        const base = lastingFolder();
        mkdirSync(join(base, "fixpoint"));
        chmodSync(join(base, "fixpoint"), 0o777);
        return base;
      },
    ],
  ])("is refused if it %s", async (_what, place) => {
    const project = projectWith();
    const env = { XDG_STATE_HOME: place(project) };
    const { exitCode, err } = await launch(project.workspace, runWords(project, "--yes"), env).end;
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/remember consent.*XDG_STATE_HOME/s),
    });
    expect(delegations(project)).toEqual([]);
  });

  it("covers everything with --accept any, for disposable containers, and the last lines say so", async () => {
    const project = projectWith({ plan: never });
    const { out } = await runAgain(project, "--accept", "any", "--max-task-iterations", "1");
    expect(out).toContain("--accept any");
    expect(wasRun(project)).toBe(true);
  });
});
