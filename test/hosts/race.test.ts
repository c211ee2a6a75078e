import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, run } from "../support/cli-here.ts";
import { beginRepository, git, text, withoutGitConfig, write } from "../support/git-project.ts";
import { type Project, projectWith } from "../support/project.ts";

withoutGitConfig();

function project(script: string, plan = "- [ ] 1.1 Make it good\n  - **Verify**: `grep -qx good a.txt`\n"): Project {
  const made = projectWith({
    plan,
    script: `here=$(dirname "$FIXPOINT_SPEC"); printf '%s\\n' "$prompt" > "$here/$FIXPOINT_KEY.log"\n${script}`,
  });
  write(made, ".gitignore", "*.log\nexecutor.sh\n");
  write(made, "a.txt", "first\n");
  beginRepository(made);
  write(made, "draft.txt", "of the user\n");
  return made;
}

const sideOf = (made: Project): readonly string[] => [
  git(made, "ls-files", "-s"),
  git(made, "for-each-ref"),
  git(made, "worktree", "list"),
  `${existsSync(join(made.workspace, ".git/worktrees")) ? readdirSync(join(made.workspace, ".git/worktrees")) : ""}`,
];

const failed = '"1.1#2/lane","answer":{"kind":"raced","outcome":"failed"';
const untilFailed = `until grep -qF '${failed}' "$FIXPOINT_SPEC/.fixpoint/run-1/journal-1.ndjson"; do sleep 0.02; done`;
const waitFor = (name: string) => `until [ -e "$here/${name}" ]; do sleep 0.02; done`;
const racing = ["--commit", "off", "--max-task-iterations", "1", "--reporter", "plain"];
const resultsOf = async (made: Project): Promise<string> => (await call(made, "attempts", "spec", "--json")).out;

describe.concurrent("a race", () => {
  it("takes the first proven work, stops the other attempts, and keeps the work of each", async () => {
    const made = project(`case $FIXPOINT_KEY in
1.1#1) echo bad > a.txt; touch junk;;
1.1#2) ls > "$here/found.log"; echo bad > a.txt;;
1.1#3) ${untilFailed}; ${waitFor("began.log")}; echo good > a.txt; touch new.txt;;
1.1#4) echo half > half.txt; touch "$here/began.log"; sleep 60;;
esac; made`);
    const before = sideOf(made);
    const { exitCode, out } = await run(made, ...racing, "--race", "3");
    expect([exitCode, out]).toEqual([0, expect.stringContaining("passed 1.1 after 4 attempts, proven")]);
    expect(out).toContain("attempt 2 of the race on 1.1: failed");
    expect(out).toContain("attempt 3 of the race on 1.1: proven");
    expect(out).toContain("attempt 4 of the race on 1.1: stopped, since another attempt was proven");
    expect(["a.txt", "new.txt", "draft.txt", "half.txt", "junk"].map((path) => text(made, path))).toEqual([
      "good\n",
      "",
      "of the user\n",
      null,
      null,
    ]);
    expect(text(made, "found.log")).toContain("draft.txt");
    expect(text(made, "found.log")).not.toContain("junk");
    expect(sideOf(made)).toEqual(before);
    const { out: lost } = await call(made, "diff", "1.1#2", "spec");
    expect(lost).toContain("+bad");
    expect((await call(made, "diff", "1.1#4", "spec")).out).toContain("+half");
    expect(await resultsOf(made)).toMatch(/"1\.1#3".*accepted/);
    expect(await resultsOf(made)).toMatch(/"1\.1#4".*stopped/);
    expect((await call(made, "stats", "spec", "--json")).out).toContain('"race"');
  });

  it("gives each member a different starting point, and what has failed before", async () => {
    const made = project(`case $FIXPOINT_KEY in
1.1#1) echo "Trying: the obvious"; echo bad > a.txt;;
1.1#2) ${waitFor("1.1#3.log")}; echo good > a.txt;;
1.1#3) sleep 60;;
esac; made`);
    expect((await run(made, ...racing, "--race", "2")).exitCode).toBe(0);
    const [one, two] = [text(made, "1.1#2.log"), text(made, "1.1#3.log")];
    expect(one).toContain("RACE ACTIVATED (Attempt 1/2)");
    expect(two).toContain("RACE ACTIVATED (Attempt 2/2)");
    expect(one).toContain("Failed Approach: the obvious");
    const directions = [one, two].map((prompt) => prompt?.match(/start from: (.+)/)?.[1]);
    expect(directions).not.toContain(undefined);
    expect(new Set(directions).size).toBe(2);
  });

  it("continues with the work that has the fewest failing checks if none is proven", async () => {
    const checks =
      'printf \'TAP version 13\\n1..3\\n\'; for n in 1 2 3; do grep -q $n a.txt && echo "ok $n - c$n" || echo "not ok $n - c$n"; done; [ $(grep -c . a.txt) -ge 3 ]';
    const made = project(
      `case $FIXPOINT_KEY in
1.1#1) echo x > a.txt;;
1.1#2) echo 1 > a.txt;;
1.1#3) printf '1\\n2\\n' > a.txt;;
1.1#4) echo 3 > a.txt;;
esac; made`,
      `- [ ] 1.1 Make it good\n  - **Verify**: \`${checks}\`\n`,
    );
    const { exitCode, out } = await run(made, ...racing, "--race", "3");
    expect([exitCode, out]).toEqual([1, expect.stringContaining("the task continues with attempt 3")]);
    expect(text(made, "a.txt")).toBe("1\n2\n");
  });

  it("is held once per task, and once more with a higher limit", async () => {
    const made = project("echo bad > a.txt; made");
    const { exitCode, out, err } = await run(made, ...racing, "--race", "2");
    expect([exitCode, out.match(/^delegated/gm)?.length]).toEqual([1, 3]);
    expect(err).toContain("Max attempts of a race (2) reached for task 1.1");
    expect(err).toContain("--race 4");
    const more = await run(made, ...racing, "--race", "8");
    expect([more.exitCode, more.out.match(/^delegated/gm)?.length]).toEqual([1, 6]);
    expect(`${more.err}${(await call(made, "why", "1.1", "spec")).out}`).not.toMatch(/--race \d/);
  });

  it("comes between research and the checkpoint, and its attempts count for the run", async () => {
    const made = project("echo bad > a.txt; made");
    const levels = ["--escalation", "--max-pivot-attempts", "1", "--max-research-attempts", "1", "--race", "2"];
    const { exitCode, out, err } = await run(made, ...racing, ...levels);
    expect([exitCode, err]).toEqual([3, expect.stringContaining("CHECKPOINT - STUCK")]);
    expect(out.match(/^(?:pivot|research|race|checkpoint)\b/gm)).toEqual(["pivot", "research", "race", "checkpoint"]);
    expect(err).toContain("- 2 attempts side by side");
    const short = project("echo bad > a.txt; made");
    const { out: said, err: why } = await run(short, ...racing, "--race", "4", "--max-global-iterations", "3");
    expect(said.match(/^delegated/gm)).toHaveLength(3);
    expect(why).toContain("Maximum global iterations (3) reached");
  });

  it("merges the log entries of the winner with entries that others add meanwhile", async () => {
    const made = project(`case $FIXPOINT_KEY in
1.1#1) echo bad > a.txt;;
1.1#2) echo "by the user" >> "$FIXPOINT_SPEC/.progress.md"
  echo "by the executor" >> "$FIXPOINT_PROGRESS_FILE"; echo good > a.txt;;
*) sleep 60;;
esac; made`);
    expect((await run(made, ...racing, "--race", "2")).exitCode).toBe(0);
    expect(text(made, "spec/.progress.md")).toMatch(/^by the user\nby the executor$/m);
  });

  it("counts the usage of attempts that it stops", async () => {
    const used = `printf '{"type":"result","is_error":false,"result":"TASK_COMPLETE","total_cost_usd":0.5}\\n'`;
    const made = project(
      `case $FIXPOINT_KEY in
1.1#1) echo bad > a.txt;;
1.1#2) ${waitFor("checked.log")}; echo good > a.txt;;
1.1#3) touch slow;;
esac; ${used}`,
      '- [ ] 1.1 Make it good\n  - **Verify**: `[ -e slow ] && { touch "HERE/checked.log"; sleep 60; }; grep -qx good a.txt`\n',
    );
    write(made, "spec/tasks.md", readFileSync(made.tasks, "utf8").replace("HERE", made.workspace));
    const { out } = await run(made, ...racing, "--executor", "claude", "--race", "2");
    expect(out).toContain("attempt 3 of the race on 1.1: stopped");
    expect(out).toContain("after race: 2 delegations, $1.00");
    expect((await call(made, "stats", "spec")).out).toMatch(/after race +2 .*\$1\.00/);
  });

  it("continues without a member that cannot begin, and retries only that member", async () => {
    const made = project(`case $FIXPOINT_KEY in
1.1#3) echo good > a.txt;;
*) echo bad > a.txt;;
esac; made`);
    const setUp = `case $PWD in */2) test -e "${made.workspace}/ready.log";; esac`;
    const first = await run(made, ...racing, "--race", "2", "--worktree-setup", setUp);
    expect([first.exitCode, first.err]).toEqual([5, expect.stringContaining("could not be set up")]);
    expect(first.err).toContain("--race off");
    expect(first.out).toContain("attempt 2 of the race on 1.1: failed");
    write(made, "ready.log", "");
    const { exitCode, out } = await run(made, ...racing);
    expect([exitCode, out.match(/^delegated .*/gm)]).toEqual([0, ["delegated 1.1 (attempt 3)"]]);
    expect(text(made, "a.txt")).toBe("good\n");
  });

  it.for([
    ["without a repository", []],
    ["together with ticks by executors", ["--require-executor-tick"]],
    ["for a pull request whose commits executors make", ["--pull-request"]],
  ] as const)("is refused %s, with a remedy", async ([, flags], { expect: expects }) => {
    const made = flags.length > 0 ? project("made") : projectWith({ plan: "- [ ] 1.1 A\n", script: "made" });
    const { exitCode, out, err } = await run(made, ...racing, "--race", "2", ...flags);
    expects(exitCode).toBe(2);
    expects(`${out}${err}`).toContain("--race off");
  });
});
