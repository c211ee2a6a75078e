import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { cli, type End } from "./cli.ts";
import { call } from "./cli-here.ts";
import { writeScript } from "./folder.ts";
import { copyOf, lastingFolder, type Project, projectAt, projectWith, twoTasks } from "./project.ts";
import { delegations, read } from "./traces.ts";

export const bin = lastingFolder();
writeScript(bin, "fixpoint", `exec "${process.execPath}" "${cli}" "$@"`);

export const withTools = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, HOME: bin };

export function useTools(): void {
  beforeAll(() => {
    for (const [name, value] of Object.entries(withTools)) vi.stubEnv(name, value);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
}

export async function paste(project: Project, line: string): Promise<Omit<End, "signal">> {
  const script = `fixpoint() { printf '%s\\0' "$@"; }\n${line}`;
  const words = execFileSync("sh", ["-c", script], { cwd: project.workspace, encoding: "utf8" });
  const { signal: _, ...end } = await call(project, ...words.split("\0").slice(0, -1));
  return end;
}

export function projectNamed(name: string, script: string, plan = twoTasks): Project {
  const { workspace, spec } = projectWith({ script, plan });
  const named = join(workspace, "specs", name);
  mkdirSync(join(workspace, "specs"));
  renameSync(spec, named);
  return projectAt(workspace, named);
}

export const start = (project: Project, ...words: string[]): Promise<End> =>
  call(project, "run", project.spec, "--exec", "./executor.sh", ...words);

export const adviceIn = ({ out, err }: Pick<End, "out" | "err">): { readonly said: string; readonly line: string }[] =>
  [...`${out}\n${err}`.matchAll(/^(?:- | +)?(.*): (fixpoint .*)$/gm)].map(([, said = "", line = ""]) => ({
    said,
    line,
  }));

export interface Pasted {
  readonly project: Project;
  readonly end: Omit<End, "signal">;
  readonly more: number;
}
export const tries = ({ end, more }: Pasted): void => expect([end.exitCode, more]).not.toEqual([2, 0]);

const promises: readonly (readonly [said: RegExp, holds: (pasted: Pasted) => void])[] = [
  [
    /^(?:Fix .* yourself, (?:.* )?then continue|fix .* then continue)(?: \(its Verify runs first\))?$/,
    ({ end, project }) => {
      expect(end.out).toContain("\nnotice: Verify of 1.2 passes now: it is done\n");
      expect(read(project.tasks)).toContain("- [x] 1.2 ");
      expect(end.exitCode).toBe(0);
    },
  ],
  [/^(?:Or raise the limit|Allow as much again|raise .*|Retry the task|Advise|Answer the question|To resume)$/, tries],
  [/^(?:Fix the cause first\. Retry the task|retry the task|advise the executor)$/, tries],
  [/^(?:have .*|try .*)$/, tries],
  [/^(?:change the text of .*)$/, ({ end }) => expect(end.exitCode).not.toBe(2)],
  [
    /^(?:See why the run stopped|See the state of the run|1\.\d comes first)$/,
    ({ end }) => expect([end.exitCode, end.err]).toEqual([0, ""]),
  ],
  [/^Skip 1\.2\.2$/, ({ end }) => expect(end.out).toContain("\nskipped 1.2.2: ")],
  [
    /^(?:Skip the task|[Ss]kip (?:all of )?1\.2|To skip the task)$/,
    ({ end }) => expect(end.out).toContain("\nskipped 1.2: "),
  ],
  [/^(?:End the run|To end the run)$/, ({ end }) => expect(end.out).toContain("\nOutcome: cancelled\n")],
  [
    /^(?:Read them, then agree|Look at what has changed, then agree|Begin one|Interrupted\. Continue|start the task now)$/,
    tries,
  ],
  [
    /^Or begin a new run$/,
    ({ end }) => expect(end.err).toMatch(/^$|Read them, then agree: fixpoint run .* --new-run --yes\n$/m),
  ],
  [/^(?:Allow the tool to write files, run Verify and commit|Or allow the tool to do everything)$/, tries],
  [/^Agree$/, ({ end }) => expect(end).toMatchObject({ exitCode: 0, out: expect.stringContaining("removed: ") })],
];

export async function pasteAll(project: Project, printed: Pick<End, "out" | "err">): Promise<string[]> {
  const advised = adviceIn(printed);
  await Promise.all(
    advised.map(async ({ said, line }) => {
      const promise = promises.find(([pattern]) => pattern.test(said));
      expect(promise, `no promise is known for the suggestion ${said}: ${line}`).toBeDefined();
      const own = copyOf(project);
      const isByHand = /yourself|by hand/.test(said);
      if (isByHand) writeFileSync(join(own.workspace, "two"), "");
      const before = delegations(own).length;
      // Imitates a person who replaces the placeholder.
      const end = await paste(own, line.replace('"…"', '"Make two"'));
      expect(end.err, line).not.toMatch(/Cannot run without an executor|No active spec|nknown option|Cannot use/);
      promise?.[1]({ project: own, end, more: delegations(own).length - before });
    }),
  );
  return advised.map(({ said }) => said);
}
