import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { runCli } from "../../src/hosts/cli/run-cli.ts";
import { call, statusOf } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { type Project, projectWith } from "../support/project.ts";

function told(script: string, verify = "- **Verify**: `test -f page.html`"): Project {
  const project = projectWith({ plan: `# Tasks\n\n- [ ] 1.1 Add the page\n  ${verify}\n` });
  writeScript(project.workspace, "ex.sh", script);
  return project;
}

const silently = "cat > /dev/null\n";

async function ends(project: Project, words: readonly string[] = ["--exec", "./ex.sh"], env: NodeJS.ProcessEnv = {}) {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, env);
  try {
    const options = ["--yes", "--recovery-mode", "--reporter", "plain"];
    const end = await call(project, "run", project.spec, ...words, ...options);
    const plan = readFileSync(project.tasks, "utf8");
    expect(plan).not.toContain("[FIX");
    return { ...end, all: `${end.out}${end.err}`, delegations: (await statusOf(project)).iterations };
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

describe.concurrent("an executor with a problem", () => {
  it.each<[string, string, string[] | undefined, number, string]>([
    ["is missing (C1)", "", ["--exec", "sh -c 'agnt -p'"], 1, "agnt: not found"],
    ["is given a wrong option (C1)", 'echo "error: unknown option --modle" >&2; exit 2', undefined, 1, "--modle"],
    ["ends silently, twice (V3)", "", ["--exec", "sh -c 'cat >/dev/null; exit 1'"], 2, "no error output (exit 1"],
    ["ends in the same words, twice", `${silently}echo "no config" >&2; exit 3`, undefined, 2, "no config"],
    [
      "is not logged in, and says so on stdout (C8)",
      `${silently}echo "Not logged in · Please run /login"; exit 1`,
      ["--executor", "claude", "--exec", "./ex.sh"],
      1,
      "Not logged in",
    ],
  ])("%s: ends with a question, and without a fix task", async (_, script, words, delegations, said) => {
    const end = await ends(told(script), words);
    expect(end).toMatchObject({ exitCode: 3, delegations });
    expect(end.all).toContain(said);
  });

  it("is recognized as a known tool by the first word of its command", async () => {
    const project = told("");
    writeScript(project.workspace, "claude", `${silently}echo "Credit balance is too low"; exit 1`);
    const end = await ends(project, ["--exec", "./claude -p"]);
    expect(end).toMatchObject({ exitCode: 3, delegations: 1 });
    expect(end.all).toContain("Credit balance is too low");
  });

  it.each([
    ["stdout (C8)", "", ["--executor", "claude", "--exec", "./ex.sh"]],
    ["stderr (C9)", ">&2", ["--exec", "./ex.sh"]],
  ])("is waited for until the time that it states on %s", async (_, to, words) => {
    const later = new Date(Date.now() + 5 * 3_600_000);
    const hour = `${later.getUTCHours() % 12 || 12}${later.getUTCHours() < 12 ? "am" : "pm"}`;
    const project = told(
      `${silently}echo "You've hit your session limit · resets ${hour} (Africa/Abidjan)" ${to}; exit 1`,
    );
    const expected = new Date(later);
    expected.setUTCMinutes(0, 0, 0);
    const stop = new AbortController();
    let out = "";
    const see = (text: string): void => {
      out += text;
      if (text.includes('"waiting"')) stop.abort();
    };
    const terminal = { out: see, err: see, isTTY: false, columns: 80, rows: 24, colour: false, now: Date.now };
    const surroundings = {
      terminal: { ...terminal, everySecond: () => () => {} },
      folder: project.workspace,
      signal: stop.signal,
    };
    const options = [...words, "--yes", "--recovery-mode", "--reporter", "json"];
    await runCli(["run", project.spec, ...options], surroundings, packageJson.version);
    const event = out.split("\n").flatMap((line) => (line.includes('"waiting"') ? [JSON.parse(line)] : []))[0];
    expect(event).toMatchObject({ reason: "rate-limit" });
    const until = Date.parse(String(event.until));
    // The clocks of Abidjan show UTC.
    expect(until).toBe(expected.getTime());
  });
});

it("runs an executor with shell operators in a shell (N6)", async () => {
  const end = await ends(told(""), ["--exec", "cat > /dev/null; touch page.html; echo TASK_COMPLETE"]);
  expect(end).toMatchObject({ exitCode: 0, delegations: 1 });
  expect(end.all).toContain(
    'This command line runs in a shell: sh -c "cat > /dev/null; touch page.html; echo TASK_COMPLETE"',
  );
});

describe.concurrent("a Verify with a problem", () => {
  const works = `${silently}touch page.html; echo TASK_COMPLETE`;

  it.each([
    ["make check passes", "sentence", "Write the command alone, in a code span: `make check`"],
    ["`sort order is stable`", "sentence", "`sort order`"],
    ["npm test passes", "sentence", "`npm test`"],
    ["`bash: ls .`", "prompt", "`ls .`"],
    ["`$ ls .`", "prompt", "`ls .`"],
    ["$ ls .", "prompt", "`ls .`"],
  ])("%s is refused before any delegation (C2, C3)", async (verify, what, meant) => {
    const project = told(works, `- **Verify**: ${verify}`);
    writeFileSync(join(project.workspace, "Makefile"), "check:\n\ttrue\n");
    const end = await ends(project);
    expect(end).toMatchObject({ exitCode: 2, delegations: 0 });
    expect(end.err).toContain(what);
    expect(end.err).toContain(meant);
  });

  it("needs a withheld variable: the run asks about it, and says how to pass it (C5)", async () => {
    const name = "TROUBLE_API_KEY";
    const verify = `- **Verify**: \`sh -c 'test -n "$${name}" || { echo "${name} is not set"; exit 1; }'\``;
    const project = told(works, verify);
    const end = await ends(project, ["--exec", "./ex.sh"], { [name]: "v4lue" });
    expect(end).toMatchObject({ exitCode: 3, delegations: 1 });
    expect(end.all).toContain(`needs the variable ${name}`);
    expect(end.all).toMatch(new RegExp(`fixpoint run .*--pass-env ${name}`));
    const again = await ends(project, ["--pass-env", name], { [name]: "v4lue" });
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.delegations).toBeLessThanOrEqual(2);
    expect(end.all + again.all).not.toContain("v4lue");
  });

  it("is a server that never ends: the run asks about it", async () => {
    const project = told(works, "- **Verify**: `echo 'Server listening on port 3000'; sleep 60`");
    const end = await ends(project, ["--exec", "./ex.sh", "--verify-timeout", "1s"]);
    expect(end).toMatchObject({ exitCode: 3, delegations: 1 });
    expect(end.all).toContain("does not end by itself: Server listening on port 3000");
  });
});

describe("doctor", () => {
  const works = `${silently}touch page.html; echo TASK_COMPLETE`;
  const examine = async (project: Project, ...words: string[]) =>
    (await call(project, "doctor", project.spec, ...words)).out;

  it("reports that a tool may only read (N2)", async () => {
    const project = told("");
    const home = process.env["HOME"];
    const path = process.env["PATH"];
    writeScript(project.workspace, "claude", 'echo "9.8.7 (Claude Code)"');
    Object.assign(process.env, { HOME: project.workspace, PATH: `${project.workspace}:${path}` });
    try {
      const out = await examine(project, "--executor", "claude");
      expect(out).toContain("ok       claude 9.8.7 is there");
      expect(out).toContain("warning  claude may only read");
      expect(out).toMatch(/Allow the tool to write files: .*--permissions edit/);
      expect(await examine(project, "--executor", "claude", "--permissions", "edit")).not.toContain("may only read");
      mkdirSync(join(project.workspace, ".claude"));
      writeFileSync(join(project.workspace, ".claude/settings.json"), '{"permissions":{"allow":["Write"]}}');
      expect(await examine(project, "--executor", "claude")).not.toContain("may only read");
    } finally {
      Object.assign(process.env, { HOME: home, PATH: path });
    }
  });

  it("runs the first open Verify, with consent", async () => {
    const verify = "- **Verify**: `test -f page.html && touch ran`";
    const project = told(`${silently}exit 0`, verify);
    writeFileSync(join(project.workspace, "page.html"), "");
    const words = ["--exec", "./ex.sh"];
    expect(await examine(project, ...words)).toContain(
      "the Verify of 1.1 is not run here: you have not agreed to it yet",
    );
    expect(existsSync(join(project.workspace, "ran"))).toBe(false);
    await call(project, "run", project.spec, ...words, "--yes", "--max-task-iterations", "1");
    expect(await examine(project, ...words)).toContain("warning  the Verify of 1.1 is green before the work");
    rmSync(join(project.workspace, "page.html"));
    expect(await examine(project, ...words)).toContain("ok       the Verify of 1.1 is red before the work (exit 1)");
  });

  it.each([
    ["`exit 127`", "warning  the Verify of 1.1 cannot run here (exit 127)"],
    ["`echo 'listening on 3000'; sleep 9`", "warning  the Verify of 1.1 does not end by itself: listening on 3000"],
    ["`sleep 9`", "warning  the Verify of 1.1 did not end in time"],
  ])("says what went wrong with the Verify %s", async (verify, said) => {
    const project = told(works, `- **Verify**: ${verify}`);
    writeFileSync(join(project.workspace, "fixpoint.config.json"), '{"verifyTimeout":"1s"}');
    await call(project, "run", project.spec, "--exec", "./ex.sh", "--yes", "--max-task-iterations", "1");
    expect(await examine(project, "--exec", "./ex.sh")).toContain(said);
  });

  it.each(["The page renders without errors", "`The page renders`", "all links of the page work and load"])(
    "says that %s reads like a sentence, and what to write",
    async (verify) => {
      const project = told(works, `- **Verify**: ${verify}`);
      const asked = await examine(project, "--exec", "./ex.sh");
      const linted = await call(project, "lint", project.spec);
      const run = await call(project, "run", project.spec, "--exec", "./ex.sh", "--yes", "--reporter", "plain");
      for (const { out } of [{ out: asked }, linted, run]) {
        expect(out).toContain("it reads like a sentence, not a command");
        expect(out).toMatch(/Write (?:a|one) command in a code span/);
        expect(out).not.toContain("no program");
      }
    },
  );

  it.each(["`docker compose up`", "cargo test", "`Rscript run.R`", "`go vet all`"])(
    "reports that the program of %s is missing",
    async (verify) => {
      const project = told(works, `- **Verify**: ${verify.replace(/[a-zR]+/, "no-$&")}`);
      const { out } = await call(project, "run", project.spec, "--exec", "./ex.sh", "--yes", "--reporter", "plain");
      expect(out).toMatch(/The Verify of 1.1 cannot run here: there is no program `no-\w+`$/m);
    },
  );

  it("names the command in a sentence", async () => {
    const project = told(works, "- **Verify**: make check passes");
    expect(await examine(project, "--exec", "./ex.sh")).toContain(
      "Write the command alone, in a code span: `make check`",
    );
  });
});
