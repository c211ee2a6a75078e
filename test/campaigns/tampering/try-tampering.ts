import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { livingIn } from "../../support/processes.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import type { Surroundings } from "../campaign.ts";
import { bringToEnd } from "../outside/bring-to-end.ts";
import {
  actAt,
  type Fate,
  type Ground,
  type GroundTask,
  newGround,
  saidIn,
  surroundingsOf,
} from "../outside/ground.ts";
import { type Damage, judge, type Violation } from "../outside/judge.ts";
import { type Start, startOn } from "../outside/start.ts";
import { anyTamper, type Below, keepOld, singleOps, type Tamper } from "./tamper.ts";

export interface Tried {
  readonly starts: number;
  readonly kills: number;
  readonly damage: readonly string[];
  readonly violations: readonly Violation[];
}

const limit = 2;
export const words = ["--max-task-iterations", String(limit)];
export const consented = { words: [...words, "--yes"] };

export interface Trial {
  readonly ground: Ground;
  readonly starts: Start[];
  readonly damage: Damage[];
  readonly before: string;
}

export function belowOf(seed: number, number: number): Below {
  const next = randomNumbers(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35));
  return (limit) => Math.floor(next() * limit);
}

export function begin(tasks: readonly GroundTask[]): Trial {
  const ground = newGround(tasks);
  return { ground, starts: [], damage: [], before: surroundingsOf(ground) };
}

const grounds: readonly { readonly name: string; readonly tasks: readonly GroundTask[]; readonly starts: number }[] = [
  {
    name: "at a limit, behind a start that was killed",
    tasks: [
      { id: "1.1", fates: ["fails"] },
      { id: "1.2", fates: ["kills early", "lies", "fails", "fails", "fails", "fails", "fails"] },
      { id: "1.3", fates: [] },
    ],
    starts: 2,
  },
  {
    name: "killed behind a task",
    tasks: [
      { id: "1.1", fates: [] },
      { id: "1.2", fates: ["fails", "kills"] },
      { id: "1.3", fates: ["fails"] },
    ],
    starts: 1,
  },
];

export const singleTrials = singleOps.length * grounds.length;

export async function tryMutation(seed: number, number: number, surroundings: Surroundings): Promise<Tried | null> {
  const ground = grounds[number % grounds.length];
  const op = singleOps[Math.floor(number / grounds.length) % singleOps.length];
  if (ground === undefined || op === undefined) return null;
  const below = belowOf(seed, number);
  const trial = begin(ground.tasks);
  return conclude(trial, surroundings, async () => {
    for (let start = 0; start < ground.starts; start++) {
      await startOnce(trial, surroundings, start === 0);
      if (start === 0) perform({ name: "keep", on: "run data", script: keepOld(trial.ground) });
    }
    damage(trial, op.make(trial.ground, below), "between");
  });
}

const longestWorkMs = 1500;

const fates: readonly Fate[] = ["does", "does", "does", "fails", "lies", "kills", "kills early"];

export const anyTasks = (below: Below): GroundTask[] =>
  ["1.1", "1.2", "1.3", "1.4"].slice(0, 2 + below(3)).map((id) => ({
    id,
    fates: Array.from({ length: below(4) }, () => fates[below(fates.length)] as Fate),
  }));

export async function tryBetween(seed: number, number: number, surroundings: Surroundings): Promise<Tried> {
  const below = belowOf(seed, number);
  const trial = begin(anyTasks(below));
  // Every eighth trial only kills and changes nothing, because kills alone must raise no question.
  const most = number % 8 === 7 ? 0 : 1 + below(3);
  return conclude(trial, surroundings, async () => {
    await startOnce(trial, surroundings, true);
    for (let time = 0; time < most; time++) {
      if (trial.starts.at(-1)?.exitCode === 0) break;
      if (time === 0) perform({ name: "keep", on: "run data", script: keepOld(trial.ground) });
      damage(trial, anyTamper(trial.ground, below), "between");
      if (time < most - 1 && below(2) === 0) await startOnce(trial, surroundings, false);
    }
  });
}

export async function tryByExecutors(seed: number, number: number, surroundings: Surroundings): Promise<Tried> {
  const below = belowOf(seed, number);
  const trial = begin(anyTasks(below));
  const { ground } = trial;
  actAt(ground, 1, keepOld(ground));
  return conclude(trial, surroundings, async () => {
    for (const call of new Set([1 + below(3), 1 + below(5)])) {
      const tamper = anyTamper(ground, below);
      const kills = below(3) === 0 ? "\nkill -9 $CALLER" : "";
      actAt(ground, call, `${call === 1 ? keepOld(ground) : ""}\n( ${tamper.script}\n)${kills}`);
      trial.damage.push({
        name: `${tamper.name}, during call ${call}${kills === "" ? "" : ", and kill"}`,
        afterStarts: 0,
        on: tamper.on,
      });
    }
    await startOnce(trial, surroundings, true);
  });
}

export async function tryDuring(seed: number, number: number, surroundings: Surroundings): Promise<Tried> {
  const below = belowOf(seed, number);
  const trial = begin(anyTasks(below));
  const { ground, starts } = trial;
  const call = 1 + below(3);
  actAt(ground, call, `${keepOld(ground)}\nsleep ${longestWorkMs / 1000}`);
  const isShared = below(3) === 0;
  return conclude(
    trial,
    surroundings,
    async () => {
      const { child, end } = startOn(ground, surroundings, 0, consented);
      while (child.exitCode === null && child.signalCode === null && calls(ground) < call) await sleep(10);
      await sleep(100);
      if (child.exitCode === null && child.signalCode === null) {
        damage(trial, anyTamper(ground, below), "during");
        if (isShared) starts.push(await startOn(ground, surroundings, saidIn(ground).length, { words }).end);
        else if (below(3) === 0) child.kill("SIGKILL");
      }
      starts.push(await end);
    },
    isShared,
  );
}

const calls = (ground: Ground): number => saidIn(ground).filter(({ kind }) => kind === "start").length;

async function startOnce({ ground, starts }: Trial, surroundings: Surroundings, isFirst: boolean): Promise<void> {
  starts.push(await startOn(ground, surroundings, saidIn(ground).length, isFirst ? consented : { words }).end);
}

function perform({ script }: Tamper): string {
  try {
    return execFileSync("sh", ["-c", script], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
  } catch {
    return "";
  }
}

function damage({ damage, starts }: Trial, tamper: Tamper, when: "between" | "during"): void {
  perform(tamper);
  damage.push({ name: `${tamper.name}, ${when}`, afterStarts: starts.length, on: tamper.on });
}

async function livingStill(folder: string): Promise<readonly number[]> {
  const end = Date.now() + 2 * longestWorkMs;
  while (livingIn(folder).length > 0 && Date.now() < end) await sleep(100);
  return livingIn(folder);
}

export async function conclude(
  trial: Trial,
  surroundings: Surroundings,
  play: () => Promise<void>,
  isShared = false,
): Promise<Tried> {
  const { ground, damage, before } = trial;
  try {
    await play();
    const starts = await bringToEnd(ground, surroundings, { before: trial.starts, optionsOf: () => ({ words }) });
    const alive = await livingStill(ground.folder);
    const left = alive.length === 0 ? [] : [{ kind: "left alive", what: `processes ${alive}` }];
    return {
      starts: starts.length,
      kills: starts.filter(({ killed }) => killed).length,
      damage: damage.map(({ name }) => name),
      violations: [...judge({ ground, starts, limit, before, damage, isShared }), ...left],
    };
  } finally {
    ground.remove();
  }
}
