import * as z from "zod";
import { option } from "./option.ts";

/**
 * A remedy for a failed attempt. `retry`; `fix`: write a fix task first; `repair`: a repair operator chooses; `pivot`:
 * another approach; `research`: gather context first; `race`: several attempts at once; `checkpoint`: stop with a
 * report and ask.
 */
export const Rung = z.enum(["retry", "fix", "repair", "pivot", "research", "race", "checkpoint"]);
export type Rung = z.infer<typeof Rung>;

/** Rungs for stuck tasks only, in the order in which they are tried. */
export const escalationRungs = ["pivot", "research", "race", "checkpoint"] as const satisfies readonly Rung[];
export type EscalationRung = (typeof escalationRungs)[number];

export const isEscalationRung = (rung: Rung): rung is EscalationRung =>
  (escalationRungs as readonly Rung[]).includes(rung);

const levelRungs = ["pivot", "research", "race"] as const satisfies readonly EscalationRung[];
export type LevelRung = (typeof levelRungs)[number];
export const isLevelRung = (rung: Rung | "normal"): rung is LevelRung =>
  (levelRungs as readonly string[]).includes(rung);

export const hasLevels = ({ recovery }: { readonly recovery: readonly Rung[] }): boolean => recovery.some(isLevelRung);

export const escalates = ({ recovery }: { readonly recovery: readonly Rung[] }): boolean =>
  recovery.some(isEscalationRung);

/** Whether no rung is repeated, and the rungs for stuck tasks come last, in the order of `escalationRungs`. */
export function isLadder(rungs: readonly Rung[]): boolean {
  const ordered = [
    ...rungs.filter((rung) => !isEscalationRung(rung)),
    ...escalationRungs.filter((rung) => rungs.includes(rung)),
  ];
  return new Set(rungs).size === rungs.length && rungs.every((rung, index) => rung === ordered[index]);
}

/** A person's changes to a ladder: true adds the rungs of a remedy, false removes them. */
export const LadderChoices = z.strictObject({
  recoveryMode: option(z.boolean().optional(), "limit", "Fix tasks", {
    group: "Recovery",
    flags: "--recovery-mode",
    basic: true,
    summary: "when a task fails, write a fix task into the plan instead of only trying again",
    opposite: "write no more fix tasks in a run started with --recovery-mode",
  }),
  repair: option(z.boolean().optional(), "limit", "A repair operator", {
    group: "Recovery",
    flags: "--repair",
    summary: "when a task fails, ask a repair operator what to do; with --recovery-mode, after the fix tasks",
    opposite: "stop asking a repair operator in a run started with --repair",
  }),
  escalation: option(z.boolean().optional(), "limit", "Pivot, research and checkpoint", {
    group: "Recovery",
    flags: "--escalation",
    basic: true,
    summary: "when stuck: ask for a new approach, then for research, then stop with a report for you",
    opposite: "skip new approaches, research and reports in a run started with --escalation",
  }),
});
export type LadderChoices = Readonly<z.infer<typeof LadderChoices>>;

/** Apply choices to a ladder. Other rungs stay in order; without `fix` and `repair`, a ladder gets `retry`. */
export function changeLadder(ladder: readonly Rung[], { recoveryMode, repair, escalation }: LadderChoices): Rung[] {
  const before = ladder.filter((rung) => !isEscalationRung(rung));
  const isReplaced = String(before) === "retry" && (recoveryMode === true || repair === true);
  const lower = withRung(withRung(isReplaced ? [] : before, "fix", recoveryMode), "repair", repair);
  const upper = escalationRungs.filter((rung) => (rung === "race" ? undefined : escalation) ?? ladder.includes(rung));
  const isBare = lower.length === 0 && (before.length > 0 || upper.length === 0);
  return [...(isBare ? (["retry"] as const) : lower), ...upper];
}

/** Add the rung `race`, or remove it if `race` is null. */
export function ladderWith(ladder: readonly Rung[], race: number | null): Rung[] {
  const others = ladder.filter((rung) => rung !== "race");
  if (race === null) return others.length > 0 ? others : ["retry"];
  const at = others.indexOf("checkpoint");
  return at === -1 ? [...others, "race"] : [...others.slice(0, at), "race", ...others.slice(at)];
}

/**
 * Add or remove a rung. A new rung goes before `repair`; if the ladder has no `repair`, the new rung goes to the end.
 */
function withRung(rungs: readonly Rung[], rung: Rung, choice: boolean | undefined): readonly Rung[] {
  if (choice === undefined || choice === rungs.includes(rung)) return rungs;
  if (!choice) return rungs.filter((each) => each !== rung);
  const at = rungs.indexOf("repair");
  return at === -1 ? [...rungs, rung] : [...rungs.slice(0, at), rung, ...rungs.slice(at)];
}

export function renderLadderChange(before: readonly Rung[], after: readonly Rung[]): string | null {
  const added = after.filter((rung) => !before.includes(rung));
  const gone = before.filter((rung) => !after.includes(rung));
  const parts = [
    ...(added.length === 0 ? [] : [`${added.join(", ")} added`]),
    ...(gone.length === 0 ? [] : [`${gone.join(", ")} removed`]),
  ];
  return parts.length === 0 ? null : `The recovery of this run is ${after.join(", ")}: ${parts.join(", ")}`;
}
