import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Project } from "./project.ts";
import { until } from "./until.ts";

const root = resolve(import.meta.dirname, "../..");
export const cli = join(process.env["FIXPOINT_BUILD_UNDER_TEST"] ?? join(root, "dist"), "src/hosts/cli/main.js");
export const dyingAtWrite = `--import ${join(root, "test/support/die-at-write.mjs")}`;

export interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly end: Promise<End>;
}

export function launch(
  workspace: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  through = (command: readonly string[]): readonly string[] => command,
): Launched {
  const [program = "", ...args] = through([process.execPath, cli, ...words]);
  const child = spawn(program, args, {
    cwd: workspace,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<Pick<End, "exitCode" | "signal">>((settle) =>
    child.once("close", (exitCode, signal) => settle({ exitCode, signal })),
  );
  const end = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([how, out, err]) => ({
    ...how,
    out,
    err,
  }));
  return { child, end };
}

export const runWords = ({ spec }: Project, ...words: readonly string[]): string[] => [
  "run",
  spec,
  "--exec",
  "./executor.sh",
  "--reporter",
  "plain",
  ...words,
];

export const run = (project: Project, ...words: readonly string[]): Promise<End> =>
  launch(project.workspace, runWords(project, "--yes", ...words)).end;

export const runAgain = (project: Project, ...words: readonly string[]): Promise<End> =>
  launch(project.workspace, runWords(project, ...words)).end;

export const acceptWords = ({ err }: Pick<End, "err">): string[] => [
  "--accept",
  /--accept (\w+)/.exec(err)?.[1] ?? "nothing was asked",
];

export const runAccepting = (project: Project, asked: Pick<End, "err">, ...words: readonly string[]): Promise<End> =>
  runAgain(project, ...acceptWords(asked), ...words);

/** Kills the program right before durable action number `write`, counted from 1. */
export const runUntil = (project: Project, write: number, ...words: readonly string[]): Promise<End> =>
  launch(project.workspace, runWords(project, "--yes", ...words), {
    NODE_OPTIONS: dyingAtWrite,
    DIE_AT_WRITE: String(write),
  }).end;

/** The executor must contain `touch started`. */
export const begun = ({ workspace }: Project): Promise<void> => until(() => existsSync(join(workspace, "started")));

export async function atWork(project: Project, ...words: readonly string[]): Promise<Launched> {
  const launched = launch(project.workspace, runWords(project, "--yes", ...words));
  await begun(project);
  return launched;
}

export const call = ({ workspace }: Project, ...words: readonly string[]): Promise<End> => launch(workspace, words).end;
