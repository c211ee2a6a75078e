import { countProofs, type Proof, type Proofs } from "../../../model/evidence.ts";
import { globalCap, runLimits } from "../../../model/limits.ts";
import { choiceOf, countedIn } from "../../../model/plan-parts.ts";
import { at } from "../../../model/run-state.ts";
import type { TaskId } from "../../../model/task.ts";
import { flagOf } from "../../../wording/explain-denial.ts";
import { proofCounts } from "../../../wording/render-proofs.ts";
import type { Moment } from "../moment.ts";
import type { ShownRun } from "../shown-run.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";
import { gauge } from "./evidence.ts";
import { counted, type HeadKind, headlineOf, hour, lasted, money } from "./words.ts";

let gauged = "";

interface HeadView {
  readonly run: ShownRun;
  readonly moment: Moment;
  /** Sentences about omitted data. */
  readonly left: readonly string[];
  /** Whether the page is connected to its server. Only then the displayed time of a working run increases. */
  readonly isLive: boolean;
}

/** Draw the status of the run at a moment, and its limits. */
export function drawHead({ run, moment, left, isLive }: HeadView): void {
  const rows = run.rows.map((row) => {
    return { ...row, fixOf: row.madeFor, done: ["passed", "doubtful", "before"].includes(moment.markOf(row.id)) };
  });
  const planned = countedIn(rows, choiceOf(run.policyAt(moment.number)));
  const done = planned.filter((row) => row.done);
  const proofs = countProofs(
    done.flatMap(({ id }): [TaskId, Proof][] => {
      const proof = at(moment.state.proofs, id);
      return proof === undefined ? [] : [[id, proof]];
    }),
  );
  const of = `${done.length} of ${planned.length}`;
  const { kind, state, text } = headlineOf(run, moment, proofs, of);
  const headline = byId("headline");
  setAttribute(headline, "data-kind", kind);
  setText(headline, text);
  document.title = `${state} - ${run.head.spec} - fixpoint`;
  setAttribute(byId("icon"), "href", iconOf(kind));
  const { workedMs, workingSince } = moment;
  const workingMs = workedMs + (isLive && workingSince !== null ? Math.max(0, Date.now() - workingSince) : 0);
  drawSpent({ moment, workingMs, proofs, done: `${of} done`, isOver: kind !== "ask" && moment.ending !== null });
  drawProgress(planned.length, done.length, proofs);
  drawLimits(run, moment, workingMs);
  setText(byId("left"), left.join(". "));
}

interface Spent {
  readonly moment: Moment;
  readonly workingMs: number;
  readonly proofs: Proofs;
  readonly done: string;
  readonly isOver: boolean;
}

function drawSpent({ moment: { state, at: time }, workingMs, proofs, done, isOver }: Spent): void {
  const { iterations, costUsd, tokens } = state;
  const shown = proofCounts(proofs).join(", ");
  const spent = [
    shown === "" ? done : `${done}: ${shown}`,
    counted(iterations, "delegation", "delegations"),
    ...(costUsd === 0 ? [] : [money(costUsd)]),
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
    lasted(workingMs),
    ...(isOver ? [`ended ${hour(time)}`] : []),
  ];
  setText(byId("spent"), spent.join(" \u00b7 "));
}

function drawProgress(of: number, done: number, { proven, checked, unproven, unverified }: Proofs): void {
  const shown = proven + checked;
  const doubtful = unproven.length + unverified.length;
  const parts = { good: shown, doubtful, before: done - shown - doubtful };
  const progress = byId("progress");
  setAttribute(progress, "aria-label", `${done} of ${of} tasks done`);
  const bars = Object.entries(parts).map(([kind, count]) => {
    const bar = make("span", { class: `bar ${kind}` });
    bar.style.width = `${(100 * count) / Math.max(1, of)}%`;
    return bar;
  });
  progress.replaceChildren(...bars);
}

function drawLimits(run: ShownRun, moment: Moment, workingMs: number): void {
  const { iterations, costUsd, tokens } = moment.state;
  const used = { maxGlobalIterations: iterations, maxRunTime: workingMs, maxCost: costUsd, maxTokens: tokens };
  const limits = limitsOf(run, moment).map(([limit, max]) => [limit, used[limit], max] as const);
  const key = JSON.stringify(limits);
  if (key === gauged) return;
  gauged = key;
  const gauges = limits.map(([limit, spent, max]) => gauge(flagOf(limit), spent, max, wordsOf(limit, spent, max)));
  byId("limits").replaceChildren(...gauges);
}

type RunLimit = keyof ReturnType<typeof runLimits>;

function wordsOf(limit: RunLimit, spent: number, max: number): string {
  if (limit === "maxRunTime") return `${lasted(spent)} of ${lasted(max)}`;
  return limit === "maxCost" ? `$${spent.toFixed(2)} of $${max.toFixed(2)}` : `${spent} of ${max}`;
}

function limitsOf(run: ShownRun, { number }: Moment): (readonly [RunLimit, number])[] {
  const policy = run.policyAt(number);
  if (policy === null) return [];
  const set = { ...runLimits(policy), maxGlobalIterations: globalCap(policy, run.head.open) };
  const limits: readonly RunLimit[] = ["maxGlobalIterations", "maxRunTime", "maxCost", "maxTokens"];
  return limits.flatMap((limit) => {
    const max = set[limit];
    return max === null ? [] : [[limit, max] as const];
  });
}

const icons: Readonly<Record<HeadKind, readonly [colour: string, sign: string]>> = {
  work: ["#1668cf", "M9 16h14"],
  good: ["#1a7a3c", "M9 16l5 5 9-10"],
  doubtful: ["#a86400", "M9 16l5 5 9-10"],
  bad: ["#c0281f", "M11 11l10 10M21 11L11 21"],
  ask: ["#a86400", "M16 8v10M16 22v2"],
  quiet: ["#616a75", "M11 16h10"],
};

function iconOf(kind: HeadKind): string {
  const [colour, sign] = icons[kind];
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/><path d="${sign}" stroke="#fff" stroke-width="4" fill="none"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
