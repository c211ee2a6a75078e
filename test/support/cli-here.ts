import packageJson from "../../package.json" with { type: "json" };
import type { Terminal } from "../../src/hosts/cli/cli-command.ts";
import { renderError } from "../../src/hosts/cli/render-error.ts";
import { runCli } from "../../src/hosts/cli/run-cli.ts";
import type { RunStatus } from "../../src/model/status.ts";
import { acceptWords, type End, runWords } from "./cli.ts";
import type { Project } from "./project.ts";

// The commands of `cli.ts`, run in the process of the tests at a tenth of the cost of a separate program. Only for
// tests in which no process is killed, stopped or named in the records of a run.

/** Runs any command in a project's workspace. */
export async function call({ workspace }: Pick<Project, "workspace">, ...words: readonly string[]): Promise<End> {
  const printed = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    ...{ isTTY: false, columns: 80, rows: 24, colour: false, now: Date.now, everySecond: () => () => {} },
  };
  const { signal } = new AbortController();
  const surroundings = { terminal, folder: workspace, signal };
  const exitCode = await runCli(words, surroundings, packageJson.version).catch((error: unknown) => {
    const told = renderError(error);
    printed.err += told.text;
    return told.exitCode;
  });
  return { exitCode, signal: null, ...printed };
}

/** Runs a project's spec to its end, with consent. */
export const run = (project: Project, ...words: readonly string[]): Promise<End> =>
  call(project, ...runWords(project, "--yes", ...words));

/** Runs a project's spec without giving new consent. */
export const runAgain = (project: Project, ...words: readonly string[]): Promise<End> =>
  call(project, ...runWords(project, ...words));

/** Runs a project's spec with exactly the consent that an earlier start asked for. */
export const runAccepting = (project: Project, asked: Pick<End, "err">, ...words: readonly string[]): Promise<End> =>
  runAgain(project, ...acceptWords(asked), ...words);

/** Resumes a stopped run. */
export const resume = (project: Project, ...words: readonly string[]): Promise<End> =>
  call(project, "resume", project.spec, "--exec", "./executor.sh", "--reporter", "plain", ...words);

/** The output of `fixpoint status` for a project's spec. */
export const statusOf = async (project: Project): Promise<RunStatus> =>
  JSON.parse((await call(project, "status", project.spec, "--json")).out) as RunStatus;
