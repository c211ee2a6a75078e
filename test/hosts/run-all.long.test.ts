import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type End, type Launched, launch } from "../support/cli.ts";
import { writeScript } from "../support/folder.ts";
import { lastingFolder } from "../support/project.ts";
import { until } from "../support/until.ts";

const executor = `cat > /dev/null
spec=$(basename "$FIXPOINT_SPEC")
echo "begin $spec $PWD" >> "$LOG"
case $spec in slow*) until [ -e "$GO" ]; do sleep 0.05; done ;; esac
case $spec in hard*) ;; *) touch "made-$spec" ;; esac
echo "end $spec" >> "$LOG"
echo TASK_COMPLETE
`;

function specsAt(...places: readonly string[]) {
  const folder = lastingFolder();
  const outside = lastingFolder();
  for (const place of places) {
    const [repo = "", name = ""] = place.split("/");
    const spec = join(folder, repo, "specs", name);
    mkdirSync(spec, { recursive: true });
    writeFileSync(
      join(spec, "tasks.md"),
      `- [ ] 1.1 Make it\n  - **Do**: Make it\n  - **Verify**: \`test -e made-${name}\`\n`,
    );
    if (!existsSync(join(folder, repo, ".git"))) execFileSync("git", ["init", "-q", join(folder, repo)]);
  }
  writeScript(outside, "executor.sh", executor);
  const [log, go] = [join(outside, "log"), join(outside, "go")];
  const words = ["--exec", join(outside, "executor.sh")];
  const begin = (...more: readonly string[]): Launched =>
    launch(folder, ["run", "--all", ".", ...words, ...more], { LOG: log, GO: go });
  return {
    folder,
    begin,
    all: (...more: readonly string[]): Promise<End> => begin(...more).end,
    goOn: () => writeFileSync(go, ""),
    log: () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []),
    ticked: (place: string) =>
      readFileSync(join(folder, place.replace("/", "/specs/"), "tasks.md"), "utf8").includes("[x]"),
  };
}
const begins = (lines: readonly string[]): number => lines.filter((line) => line.startsWith("begin")).length;
const summary = ({ out }: Pick<End, "out">): string => out.slice(out.indexOf("\nSpecs: "));

describe.concurrent("fixpoint run --all", () => {
  it("runs every spec in its repository, and reports the outcome of each", async () => {
    const specs = specsAt("a/one", "a/two", "b/one", "b/three");
    mkdirSync(join(specs.folder, "a/node_modules/x"), { recursive: true });
    writeFileSync(join(specs.folder, "a/node_modules/x/tasks.md"), "- [ ] 1.1 Not ours\n");
    const end = await specs.all("--yes");
    expect(end).toMatchObject({ exitCode: 0, err: "" });
    expect(summary(end)).toBe(
      [
        "\nSpecs: 4 of 4 complete",
        "  a/specs/one  complete  1/1 task",
        "  two          complete  1/1 task",
        "  b/specs/one  complete  1/1 task",
        "  three        complete  1/1 task\n",
      ].join("\n"),
    );
    expect(
      specs
        .log()
        .filter((line) => line.startsWith("begin"))
        .sort(),
    ).toEqual(
      ["begin one a", "begin one b", "begin three b", "begin two a"].map((line) =>
        line.replace(/ (\w)$/, (_, repo) => ` ${join(specs.folder, repo)}`),
      ),
    );
    const told = end.out.slice(0, end.out.indexOf("\nSpecs: ")).trimEnd().split("\n").slice(1);
    expect(told.filter((line) => !/^(?:a\/specs\/one|b\/specs\/one|two|three) \| \S/.test(line))).toEqual([]);
  });

  it("runs specs of one workspace in sequence, and others in parallel", async () => {
    const specs = specsAt("a/slow", "a/slow2", "b/slow", "b/slow2", "c/slow");
    const { end } = specs.begin("--yes", "--jobs", "3");
    await until(() => begins(specs.log()) === 3);
    specs.goOn();
    expect((await end).exitCode).toBe(0);
    const lines = specs.log();
    for (const repo of ["a", "b"]) {
      const begun = lines.indexOf(`begin slow2 ${join(specs.folder, repo)}`);
      expect(begun).toBeGreaterThan(2);
    }
  });

  it("runs at most --jobs specs in parallel", async () => {
    const specs = specsAt("a/one", "b/one", "c/one", "d/one");
    expect((await specs.all("--yes", "--jobs", "1")).exitCode).toBe(0);
    expect(specs.log().map((line) => line.split(" ")[0])).toEqual(
      Array.from({ length: 4 }, () => ["begin", "end"]).flat(),
    );
  });

  it("continues after failures, and exits with the most severe code", async () => {
    const specs = specsAt("a/hard", "a/one", "b/one");
    mkdirSync(join(specs.folder, "c"));
    writeFileSync(join(specs.folder, "c/tasks.md"), "nothing\n");
    const limited = await specs.all("--yes", "--max-task-iterations", "1");
    expect(limited.exitCode).toBe(2);
    expect(summary(limited)).toContain("  hard         limit     0/1 task\n    Fix task 1.1 yourself");
    expect(summary(limited)).toContain("  c            refused   0/0 tasks\n");
    expect(summary(limited)).toContain("Specs: 2 of 4 complete");
    expect(limited.err).toContain("c | ERROR: Cannot run the plan");
    rmSync(join(specs.folder, "c"), { recursive: true });
    const again = await specs.all();
    expect(again.exitCode).toBe(1);
    expect(again.out).toContain("one is complete: no task is open\n");
    expect(again.out.split("\n").filter((line) => line.startsWith("b/specs/one |"))).toHaveLength(1);
    expect(begins(specs.log())).toBe(3);
  });

  it("asks for consent to all specs before any work", async () => {
    const specs = specsAt("a/one", "b/two");
    const refused = await specs.all();
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.err).toContain("  one:\n    Verify: test -e made-one\n  two:\n    Verify: test -e made-two\n");
    expect(refused.err).toMatch(/then agree: fixpoint run --all \. --exec \S+ --yes\n$/);
    expect(specs.log()).toEqual([]);
    expect(existsSync(join(specs.folder, "a/specs/one/.fixpoint"))).toBe(false);
  });

  it("resumes each spec after Ctrl-C, and does not ask again", async () => {
    const specs = specsAt("a/slow", "a/two", "b/slow", "b/yet");
    const { child, end } = specs.begin("--yes", "--jobs", "2");
    await until(() => begins(specs.log()) === 2);
    child.kill("SIGINT");
    const stopped = await end;
    expect(stopped.exitCode).toBe(130);
    expect(summary(stopped)).toMatch(/two +not begun +0\/1 task\n.*\n.*\n +yet +not begun/);
    expect(stopped.err).toMatch(/Interrupted\. Continue: fixpoint run --all \. --jobs 2 --exec \S+\n$/);
    specs.goOn();
    expect((await specs.all()).exitCode).toBe(0);
    expect(["a/slow", "a/two", "b/slow", "b/yet"].map(specs.ticked)).toEqual([true, true, true, true]);
  });

  it("resumes each spec after a kill", async () => {
    const specs = specsAt("a/slow", "a/two", "b/three");
    const { child, end } = specs.begin("--yes");
    await until(() => begins(specs.log()) === 2);
    child.kill("SIGKILL");
    await end;
    specs.goOn();
    expect((await specs.all()).exitCode).toBe(0);
    expect(["a/slow", "a/two", "b/three"].map(specs.ticked)).toEqual([true, true, true]);
  });

  it("ends only the run that is stopped from outside", async () => {
    const specs = specsAt("a/slow", "a/two", "b/slow2");
    const { end } = specs.begin("--yes", "--jobs", "2");
    await until(() => begins(specs.log()) === 2);
    expect((await launch(specs.folder, ["stop", "a/specs/slow"]).end).exitCode).toBe(0);
    specs.goOn();
    const stopped = await end;
    expect(stopped.exitCode).toBe(130);
    expect(summary(stopped)).toMatch(/slow +interrupted +0\/1 task\n.*\n +two +complete +1\/1 task\n +slow2 +complete/);
  });

  it("leases all workspaces, so that other runs in them are refused", async () => {
    const specs = specsAt("a/slow", "a/two");
    const { end } = specs.begin("--yes");
    await until(() => begins(specs.log()) === 1);
    const other = await launch(join(specs.folder, "a"), ["run", "two", "--exec", "true"]).end;
    expect(other).toMatchObject({ exitCode: 4, err: expect.stringContaining("works there") });
    specs.goOn();
    expect((await end).exitCode).toBe(0);
  });

  it("names the spec in each line of JSON, and all specs at the end", async () => {
    const specs = specsAt("a/one", "b/two");
    const { exitCode, out } = await specs.all("--yes", "--reporter", "json");
    expect(exitCode).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const last = lines.pop();
    expect(new Set(lines.map(({ spec }) => spec))).toEqual(new Set(["one", "two"]));
    expect(last).toMatchObject({ type: "all.ended", exitCode: 0, specs: [{ spec: "one" }, { spec: "two" }] });
  });

  it.each([
    [["--all", "nowhere"], "specs-missing", "expected a folder\n"],
    [["--all", "empty"], "specs-missing", "expected a folder with a `tasks.md` below it\n"],
    [["one", "--all", "."], "bad-option", "Cannot use --all with the spec `one`"],
    [["--all", ".", "--jobs", "0"], "bad-number", "Cannot use --jobs `0`"],
    [["one", "--jobs", "2"], "bad-option", "Cannot use --jobs for one spec"],
    [["--all", ".", "--reporter", "tree"], "bad-option", "Cannot use --reporter tree with --all"],
    [["--all"], "bad-usage", "argument missing"],
  ])("refuses %j: %s", async (words, _code, message) => {
    const { folder } = specsAt("a/one");
    mkdirSync(join(folder, "empty"));
    const more = words.length > 1 ? ["--exec", "true", "--yes"] : [];
    const end = await launch(folder, ["run", ...words, ...more]).end;
    expect(end).toMatchObject({ exitCode: 2, out: "" });
    expect(end.err).toContain(message);
  });

  it("uses the given folder as workspace of a spec outside of `specs` and of a repository", async () => {
    const folder = lastingFolder();
    mkdirSync(join(folder, "plans/deep"), { recursive: true });
    writeFileSync(join(folder, "plans/deep/tasks.md"), "- [ ] 1.1 A\n  - **Do**: x\n  - **Verify**: `test -e here`\n");
    writeScript(folder, "executor.sh", "cat > /dev/null; touch here; echo TASK_COMPLETE");
    const words = ["run", "--all", "plans", "--exec", join(folder, "executor.sh"), "--yes"];
    expect((await launch(folder, words).end).exitCode).toBe(0);
    expect(existsSync(join(folder, "plans/here"))).toBe(true);
  });
});
