/**
 * The step of `action.yml`: runs a spec, tells the run in the summary of the job, and leaves what becomes the artifact.
 * Inputs come as variables `FIXPOINT_ACTION_…`. It ends with the exit code of fixpoint, or 2 for inputs that cannot be used.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { call } from "./call.mjs";
import { refusals, summaryOf } from "./summary.mjs";
import { splitWords } from "./words.mjs";

/** What fixpoint and its agent do not get: our own inputs, and the files by which a step changes the steps behind it. */
const withheld = /^FIXPOINT_ACTION_|^GITHUB_(?:OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.test(name)));
/** Outcomes by exit codes that say all; what code 3 stands for is told by the status. */
const outcomes = { 0: "complete", 1: "limit", 5: "environment", 130: "interrupted" };
const asked = ["gate", "checkpoint", "skipped", "cancelled"];

async function main() {
  const temporary = process.env.RUNNER_TEMP ?? tmpdir();
  const folder = join(temporary, `fixpoint-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  const result = await unheard(() => act(temporary, folder));
  const { exitCode, status, said, page = "" } = result;
  const summary = summaryOf(result);
  writeFileSync(join(folder, "summary.md"), summary);
  if (input("SUMMARY") === "true") append("GITHUB_STEP_SUMMARY", summary);
  const outputs = {
    outcome: outcomeOf(result),
    "exit-code": exitCode,
    attempts: status?.iterations ?? 0,
    fixes: status?.tasks.flatMap(({ fixes }) => fixes).length ?? 0,
    page,
    artifact: artifactName(),
    folder,
  };
  append(
    "GITHUB_OUTPUT",
    Object.entries(outputs)
      .map((output) => `${output.join("=")}\n`)
      .join(""),
  );
  if (exitCode !== 0) annotate(/^(?:ERROR: )?(.+)/m.exec(said)?.[1] ?? `It ended with exit code ${exitCode}`);
  return exitCode;
}

/** Runs the spec, and reads what has become of it. */
async function act(temporary, folder) {
  let settings;
  try {
    settings = readSettings();
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    return { exitCode: 2, status: null, said: error.message };
  }
  const { spec, workspace, words } = settings;
  const command = settings.command ?? (await install(settings.version, temporary));
  if (!Array.isArray(command)) return { spec, status: null, ...command };
  const [file, ...before] = command;
  const fixpoint = (ours, options) => call(file, [...before, ...ours, "--", spec], { cwd: workspace, env, ...options });
  const { exitCode, err: said } = await fixpoint(words, { shown: true, stoppable: true });
  if (refusals.includes(exitCode)) return { spec, exitCode, said, status: null };
  const [told, page, report] = await Promise.all([
    fixpoint(["status", "--json"]),
    fixpoint(["export"]),
    fixpoint(["export", "--format", "md"]),
  ]);
  if (page.exitCode === 0) writeFileSync(join(folder, "run.html"), page.out);
  keepProgress(workspace, spec, folder);
  return {
    ...{ spec, exitCode, said },
    status: told.exitCode === 0 ? parsed(told.out) : null,
    ...(page.exitCode === 0 && { page: join(folder, "run.html") }),
    ...(report.exitCode === 0 && { report: report.out }),
  };
}

/** Null where a command such as that of a package manager says more than fixpoint does. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The inputs. Throws a sentence for those that cannot be used. */
function readSettings() {
  const spec = input("SPEC");
  if (spec === "") throw new Error("Cannot run without the input spec, expected the name or the path of one");
  for (const name of ["YES", "SUMMARY"]) {
    const value = input(name);
    if (!["true", "false"].includes(value)) {
      throw new Error(`Cannot use "${value}" as the input ${name.toLowerCase()}, expected true or false`);
    }
  }
  const version = input("VERSION") || ownVersion();
  if (!/^\w[\w.+-]*$/.test(version))
    throw new Error(`Cannot use "${version}" as the input version, expected one as 1.2.3`);
  const workspace = resolve(input("FOLDER"));
  if (!existsSync(workspace)) throw new Error(`Cannot find the working-directory ${workspace}`);
  const answer = splitWords(input("ANSWER"));
  const command = splitWords(input("COMMAND"));
  const words = [
    ...(answer.length === 0 ? ["run"] : ["resume", ...answer]),
    ...["executor", "exec"].flatMap((name) => {
      const value = input(name.toUpperCase());
      return value === "" ? [] : [`--${name}=${value}`];
    }),
    ...(input("YES") === "true" ? ["--yes"] : []),
    ...splitWords(input("ARGS")),
  ];
  return { spec, version, workspace, words, ...(command.length > 0 && { command }) };
}

const input = (name) => process.env[`FIXPOINT_ACTION_${name}`] ?? "";

const ownVersion = () => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** The command of the package in a folder of its own, or how installing it has failed. */
async function install(version, temporary) {
  const prefix = join(temporary, `fixpoint-package-${version}`);
  mkdirSync(prefix, { recursive: true });
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix];
  const { exitCode, err } = await call("npm", ["install", ...flags, `fixpoint@${version}`], {
    ...{ cwd: prefix, env, shown: true, stoppable: true },
  });
  if (exitCode === 0) return [join(prefix, "node_modules/.bin/fixpoint")];
  return { exitCode: exitCode === 130 ? 130 : 5, said: `Cannot install fixpoint@${version}\n${err}` };
}

/** Copies the progress log, if it is a file of the spec: a link could lead to whatever this user may read. */
function keepProgress(workspace, spec, folder) {
  for (const path of [join(workspace, spec), join(workspace, "specs", spec)]) {
    if (!existsSync(join(path, "tasks.md"))) continue;
    const log = join(path, ".progress.md");
    const found = lstatSync(log, { throwIfNoEntry: false });
    if (found?.isFile() && found.nlink === 1) writeFileSync(join(folder, "progress.md"), readFileSync(log));
    return;
  }
}

function outcomeOf({ exitCode, status }) {
  if (exitCode === 3) return asked.includes(status?.outcome) ? status.outcome : "gate";
  return outcomes[exitCode] ?? "";
}

/** What an artifact cannot be called is left out of its name. */
const artifactName = () =>
  input("ARTIFACT")
    .replaceAll("{spec}", () => input("SPEC"))
    .replace(/[\p{Cc}":<>|*?\\/]+/gu, "-");

/** Does something while the runner obeys nothing of what is printed: it would take lines such as `::error::` for orders. */
async function unheard(act) {
  const token = randomUUID();
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    return await act();
  } finally {
    process.stdout.write(`\n::${token}::\n`);
  }
}

/** Shows a sentence above the log of the job. */
function annotate(sentence) {
  const escaped = sentence.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::error title=fixpoint::${escaped}\n`);
}

function append(variable, text) {
  const path = process.env[variable];
  if (path) appendFileSync(path, text);
}

process.exitCode = await main();
