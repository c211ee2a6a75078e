import type { RunEnded } from "../../src/model/event.ts";
import type { Proof } from "../../src/model/evidence.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { RunState } from "../../src/model/run-state.ts";
import type { Worktrees } from "../../src/ports/git.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { CommandResult, Shell } from "../../src/ports/shell.ts";
import { continueRun, type MemoryRun, newRun } from "./memory-run.ts";
import { type Contents, memoryTrees, memoryWorktrees } from "./memory-trees.ts";

export interface EvidenceWorld {
  readonly plan: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Output by command. Exit code: 0 without output, `N` with a line `exit N`, otherwise 1. */
  readonly commands?: Readonly<Record<string, (files: ReadonlyMap<string, string>, call: number) => string>>;
  /** Work by delegation key or task; returns the message. Default: `TASK_COMPLETE`. */
  readonly work?: Readonly<
    Record<string, (files: Map<string, string>) => string | Reply | undefined | Promise<string | undefined>>
  >;
  readonly ticks?: Readonly<Record<string, string>>;
  readonly policy?: PolicyInput;
  readonly apart?: true;
}

export interface EvidenceRun {
  readonly made: MemoryRun;
  readonly files: Map<string, string>;
  readonly ended: RunEnded | null;
  readonly delegated: readonly string[];
  /** Commands in order, each followed by its exit code. */
  readonly ran: readonly string[];
  readonly proofs: Readonly<Record<string, string>>;
  readonly prompts: readonly string[];
  readonly notices: readonly string[];
  readonly state: RunState | null;
}

const complete = "TASK_COMPLETE";

export const failing = (...checks: readonly (readonly [name: string, file: string])[]): string =>
  checks.length === 0
    ? ""
    : [
        "TAP version 13",
        ...checks.flatMap(([name, file], index) => [
          `not ok ${index + 1} - ${name}`,
          "  ---",
          `  location: '/work/${file}:3:1'`,
          "  failureType: 'testCodeFailure'",
          "  error: 'no'",
          "  ...",
        ]),
        "1..9",
        "# tests 9",
        `# pass ${9 - checks.length}`,
        `# fail ${checks.length}`,
      ].join("\n");

/** @param kill Number of records after which the run is killed and resumed. */
export async function playEvidence(world: EvidenceWorld, kill = Number.POSITIVE_INFINITY): Promise<EvidenceRun> {
  const made = newRun(world.plan);
  const files = new Map(Object.entries(world.files ?? {}));
  const calls = new Map<string, number>();
  const [delegated, ran, prompts]: string[][] = [[], [], []];
  const shellOf = (place: ReadonlyMap<string, string>): Shell => ({
    exists: async () => true,
    run: async (command): Promise<CommandResult> => {
      const call = (calls.get(command) ?? 0) + 1;
      calls.set(command, call);
      const stdout = world.commands?.[command]?.(place, call) ?? "";
      const exitCode = stdout === "" ? 0 : Number(/^exit (\d+)/m.exec(stdout)?.[1] ?? 1);
      ran?.push(`${command} ${exitCode}`);
      return { exitCode, stdout: `${stdout}\n`, stderr: "", durationMs: 1, timedOut: false };
    },
  });
  const known: Contents = new Map();
  const places = new Map<string, Map<string, string>>();
  const worktrees = () =>
    memoryWorktrees(files, known, (place) => {
      places.set(place.workspace, place.files);
      return { shell: shellOf(place.files) };
    });
  const notices: string[] = [];
  const onProgress: Ports["onProgress"] = (event) => {
    if (event.type === "notice") notices.push(event.message);
  };
  const placesFor = (made: Worktrees) => ({ ...(world.policy?.worktrees && { worktrees: made }), lanes: made });
  const optionsOf = () => ({
    shell: shellOf(files),
    policy: { verifyBefore: true, recheck: true, knownFailures: "ask", ...world.policy } as PolicyInput,
    ports: { trees: memoryTrees(files, known), onProgress, ...(world.apart === true && placesFor(worktrees())) },
    onRecords: (_: unknown, memory: { readonly state: RunState }) => {
      state = memory.state;
    },
  });
  let state: RunState | null = null;
  type Work = { readonly key: string; readonly taskId: string; readonly prompt: string; readonly workspace: string };
  const execute = async ({ key, taskId, prompt, workspace }: Work) => {
    delegated?.push(key);
    prompts?.push(prompt);
    const act = world.work?.[key] ?? world.work?.[taskId];
    const said = (await act?.(places.get(workspace) ?? files)) ?? complete;
    const box = world.ticks?.[key];
    if (box !== undefined) made.store.tasks.text = made.store.tasks.text.replace(box, box.replace("[ ]", "[x]"));
    return typeof said === "string" ? { text: said } : said;
  };
  let ended = await continueRun(made, execute, { ...optionsOf(), killedAt: kill });
  if (ended === null) ended = await continueRun(made, execute, optionsOf());
  const shown = (task: string, proof: Proof) => [task, proof.kind === "unproven" ? proof.reason : proof.kind] as const;
  const passed = made.events.flatMap((event) => {
    if (event.type === "task.passed") return [shown(event.task, event.proof)];
    return event.type === "work.checked" ? Object.entries(event.proofs).map(([task, proof]) => shown(task, proof)) : [];
  });
  return {
    ...{ made, files, ended, proofs: Object.fromEntries(passed) },
    ...{ delegated: delegated ?? [], ran: ran ?? [], prompts: prompts ?? [], notices, state },
  };
}
