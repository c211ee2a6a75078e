import packageJson from "../../package.json" with { type: "json" };
import type { Terminal } from "../../src/hosts/cli/cli-command.ts";
import { renderError } from "../../src/hosts/cli/render-error.ts";
import { runCli } from "../../src/hosts/cli/run-cli.ts";
import type { RunStatus } from "../../src/model/status.ts";
import { acceptWords, type End, runWords } from "./cli.ts";
import type { Project } from "./project.ts";

// Executes commands of `cli.ts` inside the test process, ten times as fast as a separate program. Unsuitable for tests
// that kill or suspend a process, or expect the process id in records.

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

export const run = (project: Project, ...words: readonly string[]): Promise<End> =>
  call(project, ...runWords(project, "--yes", ...words));

export const runAgain = (project: Project, ...words: readonly string[]): Promise<End> =>
  call(project, ...runWords(project, ...words));

export const runAccepting = (project: Project, asked: Pick<End, "err">, ...words: readonly string[]): Promise<End> =>
  runAgain(project, ...acceptWords(asked), ...words);

export const resume = (project: Project, ...words: readonly string[]): Promise<End> =>
  call(project, "resume", project.spec, "--exec", "./executor.sh", "--reporter", "plain", ...words);

export const statusOf = async (project: Project): Promise<RunStatus> =>
  JSON.parse((await call(project, "status", project.spec, "--json")).out) as RunStatus;
