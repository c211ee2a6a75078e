import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atAnyMoment } from "../coordinator/at-any-moment.ts";
import { callProgram, type Ended, type Kill } from "../coordinator/call-program.ts";
import type { Project } from "../coordinator/project.ts";
import type { Play } from "./plays.ts";

export interface Stepped {
  readonly kills: readonly string[];
  readonly changes: readonly number[];
  readonly violations: readonly string[];
}

export type StepKills = (call: number, kills: number) => Kill | undefined;

interface Step {
  readonly kind: string;
  readonly tasks?: readonly { readonly nonce: string; readonly key: string }[];
  readonly outcome?: string;
}

const mostCalls = 60;

export async function playSteps(project: Project, play: Play, plan: StepKills): Promise<Stepped> {
  const kills: string[] = [];
  const changes: number[] = [];
  const violations: string[] = [];
  const nonces = new Map<string, string>();
  const hands = { XDG_STATE_HOME: join(project.folder, "state"), WRITES_WITHIN: project.folder };
  let calls = 0;
  const call = async (words: readonly string[]): Promise<Ended & { readonly isAgain: boolean }> => {
    for (let tries = 0; ; tries += 1) {
      const kill = plan(calls, kills.length);
      const ended = await callProgram(project, [...words, "--json"], kill, hands);
      violations.push(...atAnyMoment(project));
      if (ended.killed) {
        kills.push(`${words[0]} ${calls} ${kill?.atChange === undefined ? "" : `before change ${kill.atChange}`}`);
        continue;
      }
      changes[calls] = ended.changes ?? 0;
      calls += 1;
      return { ...ended, isAgain: tries > 0 };
    }
  };
  const ask = async (): Promise<Step> => readStep(await call(["next", "spec", "--yes", ...(play.flags ?? [])]));
  const take = async (nonce: string): Promise<Step> => {
    const ended = await call(["report", nonce, "spec", "--claim", "complete"]);
    // The killed call had accepted the report, so the repeated call is refused.
    if (ended.isAgain && ended.exitCode === 2 && ended.said.includes("it was reported")) return await ask();
    return (JSON.parse(ended.out || `{"next":{"kind":${JSON.stringify(ended.said)}}}`) as { next: Step }).next;
  };
  let step = await ask();
  while (step.kind === "work" && calls < mostCalls) {
    for (const { key, nonce } of step.tasks ?? []) {
      if ((nonces.get(key) ?? nonce) !== nonce) violations.push(`${key} was handed out with another nonce`);
      nonces.set(key, nonce);
    }
    const [task] = step.tasks ?? [];
    if (task === undefined) break;
    doTask(project, play, task.key);
    step = await take(task.nonce);
  }
  if (step.kind !== "ended" || step.outcome !== play.outcome) {
    violations.push(`the last step is ${JSON.stringify(step).slice(0, 600)}, not ${play.outcome}`);
  }
  return { kills, changes, violations };
}

const readStep = ({ out, said }: Ended): Step => (out === "" ? { kind: said } : (JSON.parse(out) as Step));

function doTask({ workspace }: Project, { forgets }: Play, key: string): void {
  const [id = "", attempt = ""] = key.split("#");
  if (attempt === "1" && forgets.includes(id)) return;
  const of = forgets.find((other) => id.startsWith(`${other}.`)) ?? id;
  mkdirSync(join(workspace, "work"), { recursive: true });
  writeFileSync(join(workspace, "work", of), "");
}
