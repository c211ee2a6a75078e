import { boxesOf, type Ground, type GroundTask, isMade, saidIn, surroundingsOf } from "./ground.ts";
import type { Start } from "./start.ts";

/** All that the judge knows of a trial. The judge imports no code of the product, and reads none of its files. */
export interface Story {
  readonly ground: Ground;
  readonly starts: readonly Start[];
  readonly limit: number;
  readonly before: string;
  readonly damage: readonly Damage[];
  readonly isShared?: boolean;
  /** Whether the machine may fail. A start that then ends with exit code 5 spends no attempt. */
  readonly isMachines?: boolean;
  readonly isHarder?: boolean;
}

export interface Damage {
  readonly name: string;
  readonly afterStarts: number;
  readonly on: "run data" | "state file" | "configuration" | "plan";
}

export interface Violation {
  readonly kind: string;
  readonly what: string;
}

const words =
  /run data|journal|\.fixpoint|consent|unverified|agreed|damaged|another coordinator|taken over|fixpoint\.config|tampered/i;
const stateWords = /\.ralph-state/;
const planWords = /plan was changed|tasks\.md|duplicate-id|is ticked/;
const asking = new Set([2, 3, 4, 5]);

export function judge(story: Story): Violation[] {
  const { starts } = story;
  return [
    ...starts.flatMap((start, index) => judgeStart(story, start, index)),
    ...judgeAttempts(story),
    ...judgePrograms(story),
    ...judgeBoxes(story),
    ...judgeSurroundings(story),
    ...judgeControl(story),
  ];
}

function isTickedByHand({ damage }: Story): boolean {
  const ticks = damage.findIndex(({ name }) => name.startsWith("tick all boxes"));
  return ticks >= 0 && damage.slice(ticks + 1).some(({ name }) => name.startsWith("put all older run data back"));
}

function judgeStart(story: Story, start: Start, index: number): Violation[] {
  const { isShared = false, damage } = story;
  const { exitCode, said, hung } = start;
  const name = `start ${index + 1}`;
  const found: Violation[] = [];
  if (hung) found.push({ kind: "hang", what: `${name} did not end${exitCode === null ? ", nor at SIGTERM" : ""}` });
  if (exitCode === 70 || /\n {4}at .*:\d+:\d+/.test(said)) {
    found.push({ kind: "internal error", what: `${name} ended with ${exitCode}: ${tail(said)}` });
  }
  if (exitCode !== 0 && exitCode !== null && said.trim() === "") {
    found.push({ kind: "no words", what: `${name} ended with ${exitCode} without a word` });
  }
  if (exitCode === 4 && !isShared && damage.every(({ name: done }) => !/during/.test(done))) {
    found.push({ kind: "wrong words", what: `${name} says that the spec is held, and nobody holds it: ${tail(said)}` });
  }
  const isComplete = /^ALL_TASKS_COMPLETE$/m.test(said);
  if (isComplete && exitCode !== 0)
    found.push({ kind: "two words", what: `${name} is complete, and ended with ${exitCode}` });
  if (!isComplete || isTickedByHand(story)) return found;
  const { unmade, unticked, unverified } = start.left;
  if (unmade.length > 0)
    found.push({ kind: "false completion", what: `${name} is complete, while Verify fails of ${unmade}` });
  if (unticked.length > 0)
    found.push({ kind: "false completion", what: `${name} is complete, without a tick of ${unticked}` });
  if (unverified.length > 0) {
    found.push({ kind: "unverified completion", what: `${name} is complete, Verify was never run of ${unverified}` });
  }
  return found;
}

function judgeAttempts(story: Story): Violation[] {
  const { ground, starts, limit, damage, isMachines = false, isHarder = false } = story;
  const said = saidIn(ground);
  const calls = said.map((line, index) => ({ ...line, index })).filter(({ kind }) => kind === "start");
  const kills = starts.filter(({ killed }) => killed).length;
  const refused = isMachines ? starts.filter(({ exitCode }) => exitCode === 5).length : 0;
  const found: Violation[] = [];
  for (const id of new Set(calls.map(({ task }) => task))) {
    const own = calls.filter(({ task }) => task === id);
    const task = ground.tasks.find((each) => each.id === id);
    if (task === undefined) {
      found.push({ kind: "unplanned task", what: `${id} was worked on, and is not in the plan` });
      continue;
    }
    const spared = kills + refused;
    const allowed = limit + spared;
    const beyond = own[allowed];
    if (beyond !== undefined && !wasTold(story, beyond.index)) {
      found.push({
        kind: "beyond its limit",
        what: `${id} was begun ${own.length} times, ${limit} allowed and ${spared} repeated after kills, and nobody was asked: ${renderDamage(damage)}`,
      });
    }
    const bad = task.fates.filter((fate) => fate === "fails" || fate === "lies").length + spoiled(story, id);
    const needed = (isHarder ? limit : Math.min(limit, bad + 1)) + spared;
    const repeated = own[needed];
    if (repeated !== undefined && beyond === undefined && !wasTold(story, repeated.index)) {
      found.push({
        kind: "silent loss",
        what: `${id} was begun ${own.length} times and needs ${needed}, and no start said why: ${renderDamage(damage)}`,
      });
    }
  }
  return found;
}

function spoiled({ starts, damage, ground }: Story, id: string): number {
  if (!damage.some(({ name }) => /: (?:an output|any file) .*during/.test(name))) return 0;
  const told = starts
    .flatMap(({ said }) => said.split("\n"))
    .filter((line) => line.startsWith(`failed ${id}: `)).length;
  const fates = ground.tasks.find((task) => task.id === id)?.fates ?? [];
  return Math.max(0, told - fates.filter((fate) => fate === "fails" || fate === "lies").length);
}

function wasTold({ starts, damage }: Story, line: number): boolean {
  const onState = damage.some(({ on }) => on === "state file");
  const onPlan = damage.some(({ on }) => on === "plan");
  return starts.some(({ from, said, exitCode }) => {
    if (from > line) return false;
    // A resuming start reports damage at once. A start that asks about damage ends before any work.
    const lines = said
      .split("\n")
      .filter((each) => words.test(each) || (onState && stateWords.test(each)) || (onPlan && planWords.test(each)));
    const isOnlyState = lines.every((each) => stateWords.test(each) && !onState);
    return (
      lines.length > 0 &&
      !isOnlyState &&
      (exitCode === null || exitCode === 0 || asking.has(exitCode) || exitCode === 1)
    );
  });
}

function judgePrograms({ ground }: Story): Violation[] {
  const said = saidIn(ground);
  const planned = new Set(ground.tasks.map(({ id }) => id));
  return [
    ...said
      .filter(({ kind }) => kind === "overlap")
      .map(({ task, key }) => ({
        kind: "two at once",
        what: `${key} began while another executor was at work (${task})`,
      })),
    ...said
      .filter(({ kind }) => kind === "foreign")
      .map(({ task }) => ({ kind: "foreign program", what: `${task} was run without consent` })),
    ...said
      .filter(({ kind, task }) => kind === "verify" && !planned.has(task))
      .map(({ task }) => ({ kind: "foreign program", what: `a Verify of ${task} was run, and the plan has none` })),
  ];
}

function judgeBoxes(story: Story): Violation[] {
  const { ground, starts } = story;
  const boxes = boxesOf(ground);
  if (boxes === null) return [];
  const last = starts.at(-1);
  const isAsked = last?.exitCode !== 0;
  const isByHand = isTickedByHand(story);
  const found: Violation[] = [];
  for (const { id } of ground.tasks) {
    if (!boxes.has(id)) found.push({ kind: "plan damaged", what: `${id} is not in the plan any more` });
    // Boxes may be wrong while a start asks a person about them.
    else if (boxes.get(id) === true && !isMade(ground, id) && !isAsked && !isByHand)
      found.push({ kind: "false tick", what: `${id} is ticked, but not done` });
  }
  return found;
}

function judgeSurroundings({ ground, before }: Story): Violation[] {
  const after = surroundingsOf(ground);
  if (after === before) return [];
  const lines = new Set(before.split("\n"));
  const now = new Set(after.split("\n"));
  const changed = [
    ...[...lines].filter((line) => !now.has(line)).map((line) => `gone: ${line}`),
    ...[...now].filter((line) => !lines.has(line)).map((line) => `new: ${line}`),
  ];
  return [{ kind: "touched outside", what: changed.join("; ").slice(0, 600) }];
}

function judgeControl({ ground, starts, damage, limit, isMachines = false }: Story): Violation[] {
  if (damage.length > 0 || isMachines) return [];
  const isHard = ({ fates }: GroundTask) => fates.filter((fate) => fate === "fails" || fate === "lies").length >= limit;
  const last = starts.findLast(({ killed }) => !killed);
  if (last === undefined || last.exitCode === 0 || (last.exitCode === 1 && ground.tasks.some(isHard))) return [];
  return [
    {
      kind: "asked for nothing",
      what: `ended with ${last.exitCode}, though nothing was done to it: ${tail(last.said)}`,
    },
  ];
}

const renderDamage = (damage: readonly Damage[]): string =>
  damage.length === 0
    ? "nothing was done to it"
    : damage.map(({ name, afterStarts }) => `${name} after ${afterStarts} starts`).join(", ");

const tail = (text: string): string => JSON.stringify(text.trim().slice(-400));
