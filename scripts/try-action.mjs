#!/usr/bin/env node
// Executes `action.yml` and the workflow of `docs/ci.md` as a runner of GitHub does, without a network. Requires a
// build. Prints `N passed, N failed`.
import { strictEqual as equal, ok, deepStrictEqual as same } from "node:assert";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { parse } from "yaml";
import { summaryOf } from "../action/summary.mjs";
import { splitWords } from "../action/words.mjs";
import {
  base,
  cli,
  command,
  jobOf,
  npmOf,
  root,
  secret,
  step,
  task,
  workflow,
  workflowOf,
  writeProgram,
} from "./action/jobs.mjs";
import { pageTexts, rowsOf } from "./action/shown.mjs";

const withheld = "^(GITHUB_(OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)|FIXPOINT_ACTION)";

const cases = {
  "continues in another job after a cancelled one": async () => {
    const jobs = workflowOf("cancelled", {
      plan: task("1.1", "First") + task("1.2", "Second") + task("1.3", "Third"),
      does: `1.2#1) if [ ! -e "$MARK" ]; then
  trap 'touch "$MARK.1"; sleep 1; exit 1' TERM; touch "$MARK"; sleep 60 & wait
fi; made ;;
1.3#*) [ "$ANTHROPIC_API_KEY" = '${secret}' ] && made ;;`,
    });
    const first = await jobs.next({ agree: true, answer: "" }, ["SIGINT", "SIGTERM"]);
    const { outcome, "exit-code": exitCode } = first.outputs;
    same([first.conclusion, outcome, exitCode], ["failure", "interrupted", "130"], first.log.join("\n"));
    ok(first.summary.startsWith("# `demo`: interrupted\n"), first.summary);
    same(first.artifacts, { "fixpoint-demo": ["progress.md", "run.html", "summary.md"] });
    const second = await jobs.next({ agree: false, answer: "" });
    same([second.conclusion, second.outputs.outcome], ["success", "complete"], second.log.join("\n"));
    same(
      rowsOf(second.summary).map(([id, state]) => `${id} ${state}`),
      ["1.1 First passed", "1.2 Second passed", "1.3 Third passed"],
    );
    ok(!second.log.some((line) => line.startsWith("delegated 1.1 ")), second.log.join("\n"));
    same([first.outputs.attempts, second.outputs.attempts], ["2", "4"]);
  },
  "answers a question in the next job": async () => {
    const jobs = workflowOf("question", {
      plan: task("1.1", "Which") + task("1.2", "Other"),
      does: '1.1#*) if [ -e "$MARK" ]; then made; else touch "$MARK"; echo \'BLOCKED: which `a|b`?\'; fi ;;',
    });
    const first = await jobs.next({ agree: true, answer: "" });
    same([first.outputs.outcome, first.outputs["exit-code"]], ["gate", "3"], first.log.join("\n"));
    ok(first.summary.includes("\n- ``The executor of task 1.1 asks: which `a|b`?``\n"), first.summary);
    ok(!first.summary.includes("## Why it stopped"), first.summary);
    const [, answer = ""] = /`Retry the task: fixpoint resume demo (.*)`/.exec(first.summary) ?? [];
    const second = await jobs.next({ agree: false, answer });
    equal(second.outputs.outcome, "complete", second.log.join("\n"));
  },
  "recovers to green with the version of the action, and executes no workflow command in the output": async () => {
    const job = jobOf("green", {
      plan: task("1.1", "First") + task("1.2", "Second"),
      does: "1.2#1) echo TASK_COMPLETE ;;\n1.2.1#*) touch made-1.2 made-1.2.1; echo TASK_COMPLETE ;;",
    });
    const npm = npmOf(job);
    const wrapper = join(job.temporary, "wrapper");
    const loud = "if [ $1 = run ]; then echo '::error::said'; echo '::error::told' >&2; fi";
    writeProgram(wrapper, `#!/bin/sh\n${loud}\nexec ${command} "$@"\n`);
    const installed = `mkdir -p node_modules/.bin\nln -s '${wrapper}' node_modules/.bin/fixpoint`;
    writeProgram(npm, `#!/bin/sh\necho "$@" > "$RUNNER_TEMP/asked"\n${installed}\n`);
    const { conclusion, outputs } = await step(job, { command: "", yes: true, args: "--recovery-mode" });
    equal(conclusion, "success", job.log.join("\n"));
    same(
      { ...outputs, page: existsSync(outputs.page) },
      { outcome: "complete", "exit-code": "0", attempts: "3", fixes: "1", page: true },
    );
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    ok(readFileSync(join(job.temporary, "asked"), "utf8").endsWith(` fixpoint@${version}\n`));
    ok(job.log.includes("ALL_TASKS_COMPLETE"), job.log.join("\n"));
    same(job.orders, []);
    same(job.log.filter((line) => line.startsWith("::error::")).sort(), ["::error::said", "::error::told"]);
    same(job.artifacts, { "fixpoint-demo": ["progress.md", "run.html", "summary.md"] });
    same(rowsOf(job.summary), [
      ["1.1 First", "passed", "proven", "1", "0"],
      ["1.2 Second", "passed", "proven", "1", "1"],
      ["1.2.1 Fix: Verify failed (exit 1)", "passed", "proven", "1", "0"],
    ]);
  },
  "says why the package cannot be installed": async () => {
    const job = jobOf("install", { plan: task("1.1", "First") });
    writeProgram(npmOf(job), "#!/bin/sh\necho 'npm error code E404' >&2\nexit 1\n");
    const { outputs } = await step(job, { command: "", version: "9.9.9" });
    same([outputs["exit-code"], outputs.outcome], ["5", "environment"]);
    ok(job.summary.includes("Cannot install fixpoint@9.9.9\nnpm error code E404"), job.summary);
  },
  "stops at a limit": async () => {
    const job = jobOf("limit", { plan: task("1.1", "First", "test -e never") });
    const { conclusion, outputs } = await step(job, {
      yes: true,
      args: "--max-task-iterations 1",
      artifact: "run: of *{spec}*",
    });
    equal(conclusion, "failure");
    same(
      { ...outputs, page: existsSync(outputs.page) },
      { outcome: "limit", "exit-code": "1", attempts: "1", fixes: "0", page: true },
    );
    ok(/^# `demo`: stopped at a limit\n/.test(job.summary));
    ok(
      /## Why it stopped, and how to continue\n\n```text\nERROR: Max [^\n]*1\.1[\s\S]*--max-task-iterations 2/.test(
        job.summary,
      ),
      job.summary,
    );
    same(Object.keys(job.artifacts), ["run- of -demo-"]);
    equal(job.orders.length, 1);
    ok(/^::error title=fixpoint::Max /.test(job.orders[0]), job.orders[0]);
  },
  "asks for consent": async () => {
    const job = jobOf("consent", { plan: task("1.1", "First") });
    const { conclusion, outputs } = await step(job, { artifact: "" });
    equal(conclusion, "failure");
    same(outputs, { outcome: "", "exit-code": "2", attempts: "0", fixes: "0", page: "" });
    same([job.artifacts, existsSync(join(job.folder, "made-1.1"))], [{}, false]);
    ok(job.summary.startsWith("# <code>demo</code>: not begun (exit code 2)\n"), job.summary);
    ok(job.summary.includes("\n  Verify: test -e made-1.1\n"), job.summary);
  },
  "neither executes nor renders hostile texts": async () => {
    const titles = [
      "1.1 Split `a|b` \\| <script>alert(1)</script> @everyone",
      "1.2 ::set-output name=outcome::mine",
      "1.3 %0A::error::x ![i](http://evil.test)",
      "1.4 Fail",
    ];
    const verify = "printf '::add-mask::a\\n##[error]b\\n\\140\\140\\140\\n::error::c\\n'; test -e never";
    const plan = titles.map((title, index) => task(title, "", index === 3 ? verify : undefined)).join("");
    const job = jobOf("hostile", {
      plan,
      does: `1.1#*) env | grep -E '${withheld}' > leaked; echo "::error::d $MY_API_KEY"; made ;;
1.4#*) echo 'Task 1.4: x FAILED'; echo '- Error: ::error::e | \`\`\` <b>'; echo "- Attempted fix: $MY_API_KEY" ;;`,
    });
    const { outputs } = await step(job, { yes: true, args: "--max-task-iterations 1 --scope '$(touch pwned)'" });
    equal(outputs.outcome, "limit", job.log.join("\n"));
    equal(job.orders.length, 1);
    ok(job.orders[0].startsWith("::error title=fixpoint::Max retries reached for task 1.4 "), job.orders[0]);
    equal(readFileSync(join(job.folder, "leaked"), "utf8"), "");
    same(
      rowsOf(job.summary).map(([title]) => title),
      titles,
    );
    const shown = new MarkdownIt({ html: true, linkify: true }).render(job.summary);
    ok(!/<(?:script|img|a|b)\b/.test(shown), shown);
    for (const text of [job.log.join("\n"), job.summary, ...pageTexts(outputs.page)]) ok(!text.includes(secret));
    ok(!existsSync(join(job.folder, "pwned")));
  },
  "refuses inputs that cannot be used, and runs none of them": async () => {
    const job = jobOf("inputs", { plan: task("1.1", "First") });
    const refused = async (given, sentence) => {
      job.summary = "";
      const { conclusion, outputs } = await step(job, given);
      same([conclusion, outputs["exit-code"], outputs.outcome], ["failure", "2", ""], JSON.stringify(given));
      ok(job.summary.includes(sentence), job.summary);
    };
    await refused({ spec: "nothing" }, "Spec directory missing at ");
    await refused({ spec: "$(touch pwned)`touch pwned`\n::error::x" }, "not begun (exit code 2)");
    await refused({ spec: "--yes" }, "not begun (exit code 2)");
    await refused({ spec: "" }, "Cannot run without the input spec");
    await refused({ yes: "True" }, 'Cannot use "True" as the input yes, expected true or false');
    await refused({ args: "--scope 'open" }, "expected every quote to be closed");
    await refused({ args: "--no-such-flag" }, "no-such-flag");
    await refused({ command: "", version: "latest --registry=http://evil.test" }, "expected one such as 1.2.3");
    await refused({ "working-directory": "nowhere" }, "Cannot find the working-directory ");
    await refused({ command: "./no-such-program" }, "Cannot call ./no-such-program");
    same(readdirSync(job.folder).sort(), [".git", "executor.sh", "specs"]);
  },
  "puts no link into the artifact, and writes no summary if it is disabled": async () => {
    const job = jobOf("link", {
      plan: task("1.1", "First"),
      does: "1.1#1) rm -f specs/demo/.progress.md; ln -s /etc/passwd specs/demo/.progress.md; made ;;",
    });
    await step(job, { yes: true, summary: false });
    equal(job.summary, "");
    same(job.artifacts["fixpoint-demo"], ["run.html", "summary.md"]);
  },
  "splits words as a shell does": () => {
    same(splitWords(` --a 'b  "c' "d \\" \\n e"f\\ g\n''  `), ["--a", 'b  "c', 'd " \\n ef g', ""]);
    same(splitWords(""), []);
    for (const text of ["'", 'a"b', "\\"]) {
      let message = "";
      try {
        splitWords(text);
      } catch (error) {
        ({ message } = error);
      }
      ok(message.includes("expected every quote to be closed"), text);
    }
  },
  "shows the agent's text in fences that the text cannot close": () => {
    const said = "ERROR: a\n```\n````` <script>x</script>\n| b | @c\n";
    const summary = summaryOf({ spec: "</code><b>`x`", exitCode: 2, status: null, said });
    const shown = new MarkdownIt({ html: true, linkify: true }).render(summary);
    same(
      [...shown.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name),
      ["h1", "code", "h2", "pre", "code"],
    );
    ok(shown.includes("`x`</code>"), shown);
  },
  "passes on every input, without expressions in scripts": () => {
    const { inputs, runs } = parse(readFileSync(join(root, "action.yml"), "utf8"));
    for (const { run = "" } of [...runs.steps, ...workflow().jobs.run.steps]) ok(!run.includes("${{"), run);
    const handed = Object.values(runs.steps[0].env).map((text) => /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(text)?.[1]);
    same(handed.sort(), Object.keys(inputs).sort());
  },
};

async function main() {
  if (!existsSync(cli)) throw new Error(`Cannot find ${cli}, expected it to be built: npm run build`);
  const waiting = Object.entries(cases);
  let failed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, act] = next;
      const error = await Promise.resolve()
        .then(act)
        .then(
          () => null,
          (thrown) => thrown,
        );
      if (error !== null) failed += 1;
      process.stdout.write(`${error === null ? "ok" : "not ok"} ${name}\n${error === null ? "" : `${error.stack}\n`}`);
    }
  };
  await Promise.all([work(), work(), work()]);
  rmSync(base, { recursive: true, force: true });
  process.stdout.write(`${Object.keys(cases).length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
