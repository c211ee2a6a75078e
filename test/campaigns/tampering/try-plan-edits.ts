import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Surroundings } from "../campaign.ts";
import { actAt, type Ground, isMade, saidIn, verifiedIn } from "../outside/ground.ts";
import type { Violation } from "../outside/judge.ts";
import { type Start, startOn } from "../outside/start.ts";
import { type PlanEdit, planText } from "./edit-plan.ts";
import { boxesIn, isForeignEdit } from "./plan-oracle.ts";
import type { Below } from "./tamper.ts";
import { anyTasks, begin, belowOf, conclude, consented, type Tried, words } from "./try-tampering.ts";

interface Made {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly isForeign: boolean;
  readonly kills: boolean;
}

const asks = /plan was changed|duplicate-id|ticked without a verdict|needs your consent/;
const mostStarts = 6;

/**
 * A foreign edit must raise a question before the run continues; an allowed edit must raise none. No unearned tick may
 * remain.
 */
export const tryPlanEdits =
  (edits: readonly PlanEdit[]) =>
  async (seed: number, number: number, surroundings: Surroundings): Promise<Tried> => {
    const below = belowOf(seed, number);
    const trial = begin(anyTasks(below));
    const { ground, starts, damage } = trial;
    const plan = join(ground.spec, "tasks.md");
    const begun = planText(ground.tasks);
    writeFileSync(plan, begun);
    const found: Violation[] = [];
    const acts = [...new Set([1 + below(3), 1 + below(5)])].map((call) => {
      const edit = edits[below(edits.length)] as PlanEdit;
      const kills = below(4) === 0;
      waitAt(ground, call, kills);
      return { call, edit, kills };
    });
    const tried = await conclude(trial, surroundings, async () => {
      let made = await startOnce(consented.words);
      for (let again = 0; again < mostStarts; again++) {
        const foreign = made.during.find(({ isForeign }) => isForeign);
        if (foreign !== undefined) made = await answer(foreign);
        else if (made.start.killed) made = await startOnce(words);
        else break;
      }
      for (const { call } of acts) writeFileSync(going(ground, call), "");
    });
    return { ...tried, violations: [...tried.violations, ...found] };

    async function startOnce(
      given: readonly string[],
    ): Promise<{ readonly start: Start; readonly during: readonly Made[] }> {
      const during: Made[] = [];
      const { child, end } = startOn(ground, surroundings, saidIn(ground).length, { words: given });
      while (child.exitCode === null && child.signalCode === null) {
        const act = acts.find(({ call }) => existsSync(waiting(ground, call)) && !existsSync(going(ground, call)));
        if (act === undefined) await sleep(5);
        else during.push(editNow(act));
      }
      const start = await end;
      starts.push(start);
      found.push(...judgeStart(ground, start, during));
      return { start, during };
    }

    function editNow({ call, edit, kills }: (typeof acts)[number]): Made {
      const own = saidIn(ground).findLast(({ kind }) => kind === "start")?.task ?? "";
      const before = readFileSync(plan, "utf8");
      const after = edit.make(before, { own, begun, below });
      writeFileSync(plan, after);
      damage.push({ name: `${edit.name}, during call ${call}`, afterStarts: starts.length, on: "plan" });
      writeFileSync(going(ground, call), "");
      return { name: edit.name, before, after, isForeign: isForeignEdit(before, after, own), kills };
    }

    async function answer({ before, name }: Made): ReturnType<typeof startOnce> {
      const { start: asked } = await startOnce(words);
      if (![2, 3].includes(asked.exitCode ?? 0) || !asks.test(asked.said)) {
        found.push({ kind: "not asked again", what: `${name}: ended with ${asked.exitCode}: ${tail(asked.said)}` });
      }
      const text = readFileSync(plan, "utf8");
      const hash = /--accept (\w+)/.exec(asked.said)?.[1];
      if (hash !== undefined && namesIn(before) === namesIn(text) && below(3) === 0) {
        return startOnce([...words, "--accept", hash]);
      }
      writeFileSync(plan, withBoxes(before, text, below));
      return startOnce(words);
    }
  };

const namesIn = (text: string): string =>
  text
    .split(/\r?\n/)
    .flatMap((line) => /^ *- \[.\] (\S+) |\*\*Verify\*\*: (.*\S)/.exec(line)?.slice(1, 3).join("") ?? [])
    .join("\n");

function withBoxes(text: string, other: string, below: Below): string {
  const boxes = boxesIn(other);
  return text.replace(/^- \[[ x]\] (\S+) /gm, (line, id: string) => {
    const same = boxes.filter((box) => box.id === id);
    const isTicked = same[below(same.length)]?.isTicked ?? false;
    return `- [${isTicked ? "x" : " "}]${line.slice(5)}`;
  });
}

function judgeStart(ground: Ground, start: Start, during: readonly Made[]): Violation[] {
  const { exitCode, said, killed } = start;
  const names = during.map(({ name }) => name).join(", ");
  const isForeign = during.some((edit) => edit.isForeign);
  const found: Violation[] = [];
  if (!killed && isForeign && (exitCode !== 3 || !/plan was changed/.test(said))) {
    found.push({ kind: "foreign edit not noticed", what: `${names}: ended with ${exitCode}: ${tail(said)}` });
  }
  if (!killed && !isForeign && /plan was changed while/.test(said)) {
    found.push({ kind: "allowed edit asked about", what: `${names}: ended with ${exitCode}: ${tail(said)}` });
  }
  // After a kill, after a refusal, or before consent, ticks are not verified yet.
  if (killed || exitCode === 2 || /needs your consent/.test(said)) return found;
  const verified = verifiedIn(ground);
  const ticked = boxesIn(readFileSync(join(ground.spec, "tasks.md"), "utf8")).filter(({ isTicked }) => isTicked);
  for (const { id } of ticked) {
    if (!isMade(ground, id) || !verified.has(id) || ticked.filter((box) => box.id === id).length > 1) {
      found.push({
        kind: "false tick",
        what: `${id} is ticked at the end of a start that ended with ${exitCode}: ${names}`,
      });
    }
  }
  return found;
}

const waiting = ({ folder }: Ground, call: number): string => join(folder, "acts", `${call}.waiting`);
const going = ({ folder }: Ground, call: number): string => join(folder, "acts", `${call}.going`);

function waitAt(ground: Ground, call: number, kills: boolean): void {
  const [wait, go] = [waiting(ground, call), going(ground, call)];
  actAt(ground, call, `touch ${wait}; while [ ! -e ${go} ]; do sleep 0.01; done${kills ? "; kill -9 $CALLER" : ""}`);
}

const tail = (text: string): string => JSON.stringify(text.trim().slice(-400));
