import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type End, launch } from "./cli.ts";
import { call } from "./cli-here.ts";
import { lastingFolder } from "./project.ts";

export function workspaceWith(plan: string, name = "spec"): string {
  const workspace = lastingFolder();
  mkdirSync(join(workspace, "specs", name), { recursive: true });
  writeFileSync(join(workspace, "specs", name, "tasks.md"), plan);
  return workspace;
}

export const make = (workspace: string, id: string): void => {
  mkdirSync(join(workspace, "made"), { recursive: true });
  writeFileSync(join(workspace, "made", id), "");
};

export interface Handed {
  readonly nonce: string;
  readonly key: string;
  readonly role: string;
  readonly task: { readonly id: string; readonly title: string };
  readonly workspace: string;
  readonly promptFile?: string;
  readonly prompt: string;
}

export interface Told {
  readonly kind: string;
  readonly tasks?: readonly Handed[];
  readonly outcome?: string;
  readonly question?: string;
  readonly hint?: string;
}

export interface Verdict {
  readonly kind: string;
  readonly reason?: string;
  readonly layer?: string;
}

export const agentShell = join(import.meta.dirname, "agent-shell.mjs");

type Command = (workspace: string, words: readonly string[]) => Promise<End>;

export const here = (workspace: string, ...words: readonly string[]): Promise<End> => call({ workspace }, ...words);

function stepsBy(command: Command) {
  const told = async <Form = Told>(workspace: string, ...words: string[]): Promise<End & { json: Form }> => {
    const end = await command(workspace, [...words, "--json"]);
    return { ...end, json: (end.out === "" ? {} : JSON.parse(end.out)) as Form };
  };
  const next = (workspace: string, ...words: string[]) =>
    told(workspace, "next", "spec", "--yes", "--recovery-mode", ...words);
  const report = (workspace: string, nonce: string, ...words: string[]) =>
    told<{ key: string; verdict: Verdict; next: Told }>(workspace, "report", nonce, ...words);
  const workOff = async (workspace: string, first: Told, does: (task: Handed) => void): Promise<Told> => {
    let step = first;
    while (step.kind === "work") {
      const [task] = step.tasks as readonly [Handed];
      does(task);
      step = (await report(workspace, task.nonce, "--claim", "complete")).json.next;
    }
    return step;
  };
  return { told, next, report, workOff };
}

export const { told, next, report, workOff } = stepsBy((workspace, words) => here(workspace, ...words));

export const byAgent = stepsBy(
  (workspace, words) => launch(workspace, words, {}, (command) => [process.execPath, agentShell, ...command]).end,
);

export function only({ tasks = [] }: Told): Handed {
  const [task] = tasks;
  if (task === undefined || tasks.length !== 1) throw new Error(`Expected one task, found ${tasks.length}`);
  return task;
}

/** Reads the journal of the latest run without code of the product. */
export function delegationsIn(workspace: string, spec = "spec"): string[] {
  const data = join(workspace, "specs", spec, ".fixpoint");
  if (!existsSync(data)) return [];
  const run = readdirSync(data).filter((name) => name.startsWith("run-"));
  if (run.length === 0) return [];
  const folder = join(data, `run-${Math.max(...run.map((name) => Number(name.slice(4))))}`);
  const numbers = readdirSync(folder).flatMap((name) => /^journal-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
  return numbers
    .map(Number)
    .sort((one, other) => one - other)
    .flatMap((number) =>
      readFileSync(join(folder, `journal-${number}.ndjson`), "utf8")
        .trimEnd()
        .split("\n"),
    )
    .flatMap((line) => (JSON.parse(line) as { records?: { type: string; key: string }[] }).records ?? [])
    .filter(({ type }) => type === "delegated")
    .map(({ key }) => key);
}
