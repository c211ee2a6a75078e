import { type Lease, type LeaseFolder, type LeaseHolder, takeLease } from "../../../src/adapters/lease/lease.ts";

interface Generation {
  readonly holders: readonly LeaseHolder[];
  readonly marks: readonly string[];
}

interface Moment {
  readonly folder: Readonly<Record<number, Generation>>;
  readonly answers: readonly (readonly unknown[])[];
  readonly killed: readonly number[];
}

type Place = "claiming" | "holding" | "refused" | "done";

class Suspended extends Error {}

type Step = (moment: Moment) => readonly [answer: unknown, folder: Moment["folder"]];

const holderOf = (process: number): LeaseHolder => ({
  ...{ claim: 1, id: `id-${process}`, spec: "/spec", pid: process, pidStart: null, host: "here", boot: null, at: 0 },
});

export interface Explored {
  readonly moments: number;
  readonly violations: readonly string[];
  readonly winners: Readonly<Record<number, number>>;
}

interface World {
  readonly processes: number;
  readonly kills: number;
  readonly before?: Readonly<Record<number, Generation>>;
}

/**
 * Tries all orders of the steps. Code cannot be suspended, so each step executes its process again, with the answers
 * received so far.
 */
export function explore({ processes, kills, before = {} }: World): Explored {
  const seen = new Set<string>();
  const violations: string[] = [];
  const winners: Record<number, number> = {};
  const first: Moment = { folder: before, answers: Array.from({ length: processes }, () => []), killed: [] };
  const stack: Moment[] = [first];
  seen.add(JSON.stringify(first));
  for (let moment = stack.pop(); moment !== undefined; moment = stack.pop()) {
    const now = moment;
    const places = now.answers.map((_, process) => advance(now, process));
    const alive = places.map((_, process) => process).filter((process) => !now.killed.includes(process));
    const holding = alive.filter((process) => places[process]?.place === "holding");
    if (holding.length > 1) violations.push(`${holding} hold the lease at once: ${JSON.stringify(now)}`);
    const open = alive.filter((process) => places[process]?.next !== null);
    if (open.length === 0) {
      const won = places.filter(({ place }) => place === "done" || place === "holding").length;
      winners[won] = (winners[won] ?? 0) + 1;
      if (won === 0 && now.killed.length === 0) violations.push(`none gets the lease: ${JSON.stringify(now)}`);
    }
    const nexts = [
      ...open.map((process) => stepped(now, process, places[process]?.next as Step)),
      ...(now.killed.length < kills
        ? open.map((process) => ({ ...now, killed: [...now.killed, process].sort() }))
        : []),
    ];
    for (const next of nexts) {
      const key = JSON.stringify(next);
      if (seen.has(key)) continue;
      seen.add(key);
      stack.push(next);
    }
  }
  return { moments: seen.size, violations, winners };
}

function stepped(moment: Moment, process: number, step: Step): Moment {
  const [answer, folder] = step(moment);
  return { ...moment, folder, answers: moment.answers.map((had, of) => (of === process ? [...had, answer] : had)) };
}

function advance(moment: Moment, process: number): { readonly place: Place; readonly next: Step | null } {
  const answers = [...(moment.answers[process] ?? [])];
  let next: Step | null = null;
  const take = <Answer>(step: Step): Answer => {
    if (answers.length > 0) return answers.shift() as Answer;
    next = step;
    throw new Suspended();
  };
  let place: Place = "claiming";
  try {
    const taken = takeLease(folderOf(take, process), {
      who: holderOf(process),
      isAtWork: ({ pid }) =>
        take(({ killed, folder, answers: all }) => [pid < all.length && !killed.includes(pid), folder]),
      excludes: () => true,
    });
    if (!("release" in taken)) return { place: "refused", next: null };
    place = "holding";
    hold(taken, take);
    taken.release();
    place = "done";
  } catch (error) {
    if (!(error instanceof Suspended)) throw error;
  }
  return { place, next };
}

function hold(lease: Lease, take: (step: Step) => unknown): void {
  take(({ folder }) => ["works", folder]);
  if (!lease.isHeld()) throw new Error("Cannot continue, expected to hold the lease");
}

function folderOf(take: <Answer>(step: Step) => Answer, _process: number): LeaseFolder {
  const numbers = (folder: Moment["folder"]): number[] => Object.keys(folder).map(Number);
  return {
    latest: () => take(({ folder }) => [Math.max(0, ...numbers(folder)), folder]),
    read: (generation) => take(({ folder }) => [folder[generation]?.holders ?? null, folder]),
    publish: (holder, others) =>
      take(({ folder }) => {
        if (folder[holder.claim] !== undefined) return [false, folder];
        return [true, { ...folder, [holder.claim]: { holders: [...others, holder], marks: [holder.id] } }];
      }),
    isMarked: ({ claim, id }) => take(({ folder }) => [folder[claim]?.marks.includes(id) ?? false, folder]),
    unmark: ({ claim, id }) =>
      take(({ folder }) => {
        const found = folder[claim];
        if (found === undefined) return [null, folder];
        return [null, { ...folder, [claim]: { ...found, marks: found.marks.filter((mark) => mark !== id) } }];
      }),
    tidy: (before, kept) =>
      take(({ folder }) => {
        const claims = new Set(kept.map(({ claim }) => claim));
        const left = Object.entries(folder).filter(
          ([number]) => Number(number) >= before || claims.has(Number(number)),
        );
        return [null, Object.fromEntries(left)];
      }),
  };
}
