/**
 * The step of `action.yml`: runs a spec, writes the summary of the job, and leaves a folder for the artifact. Reads its
 * inputs from `FIXPOINT_ACTION_…`. Exits with the exit code of fixpoint; 2 for unusable inputs, 5 if npm fails.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { call } from "./call.mjs";
import { refusals, summaryOf } from "./summary.mjs";
import { splitWords } from "./words.mjs";

/** Variables withheld from fixpoint and its agent: inputs of this action, and files that affect later steps. */
const withheld = /^FIXPOINT_ACTION_|^GITHUB_(?:OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.test(name)));
/** Outcomes by exit code. Code 3 is missing: it has several outcomes, and the status says which. */
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

/** Run the spec, then read its status and export its page and report. */
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

/** Parse JSON; null if the command, such as a package manager, printed text of its own too. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Read the inputs. Throws an error with a sentence for the user if one of them is unusable. */
function readSettings() {
  const spec = input("SPEC");
  if (spec === "") throw new Error("Cannot run without the input spec, expected the name or the path of a spec");
  for (const name of ["YES", "SUMMARY"]) {
    const value = input(name);
    if (!["true", "false"].includes(value)) {
      throw new Error(`Cannot use "${value}" as the input ${name.toLowerCase()}, expected true or false`);
    }
  }
  const version = input("VERSION") || ownVersion();
  if (!/^\w[\w.+-]*$/.test(version))
    throw new Error(`Cannot use "${version}" as the input version, expected one such as 1.2.3`);
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

/** Install the package into a separate folder. Returns its command, or the exit code and error of the installation. */
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

/** Copy the progress log of the spec unless it is a link, which could lead to any file that this user may read. */
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

/** Name of the artifact, with `-` in place of characters that such a name cannot contain. */
const artifactName = () =>
  input("ARTIFACT")
    .replaceAll("{spec}", () => input("SPEC"))
    .replace(/[\p{Cc}":<>|*?\\/]+/gu, "-");

/** Run `act` with workflow commands disabled, since the runner would execute printed lines such as `::error::`. */
async function unheard(act) {
  const token = randomUUID();
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    return await act();
  } finally {
    process.stdout.write(`\n::${token}::\n`);
  }
}

/** Show a sentence above the log of the job. */
function annotate(sentence) {
  const escaped = sentence.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::error title=fixpoint::${escaped}\n`);
}

function append(variable, text) {
  const path = process.env[variable];
  if (path) appendFileSync(path, text);
}

process.exitCode = await main();
