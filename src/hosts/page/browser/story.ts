import type { Fact } from "../../../model/explanation.ts";
import { lastAttempt } from "../../../model/ledger.ts";
import { at as valueAt } from "../../../model/run-state.ts";
import { errorIn, renderCheck } from "../../../recover/verify-error.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type RenderedFact, renderFact } from "../../../wording/render-fact.ts";
import { aboutOf, type Moment, type TaskMark } from "../moment.ts";
import type { Clip, Printed } from "../page-data.ts";
import type { ShownRun } from "../shown-run.ts";
import type { TaskRow } from "../task-rows.ts";
import { byId, make } from "./dom.ts";
import { drawFailures, drawGauges, drawLayers } from "./evidence.ts";
import { drawTail, fold, livePrint, outputsOf, type Tail } from "./outputs.ts";
import type { Source } from "./source.ts";
import { clock, counted, lasted, money, signs } from "./words.ts";

/** Maximum number of entries in the list of events. Older events are not shown. */
const mostTold = 24;

/** Number of the attempt that the user has chosen; null to show the last attempt. */
let attempt: number | null = null;
let drawn = "";

export interface StoryView {
  readonly run: ShownRun;
  readonly moment: Moment;
  readonly task: TaskRow;
  /** Outputs of the task's attempts; null while they are loading. */
  readonly printed: readonly Printed[] | null;
  readonly tail: Tail | null;
  readonly source: Source;
  redraw(): void;
}

export function drawStory(view: StoryView): void {
  const { run, moment, task, printed } = view;
  const facts = run.factsAbout(task.id, moment.number).map(({ fact }) => fact);
  const mark = moment.markOf(task.id);
  const attempts = [
    ...new Set(facts.flatMap((fact) => (isAttempt(fact) && fact.task === task.id ? [fact.attempt] : []))),
  ];
  if (attempt !== null && !attempts.includes(attempt)) attempt = null;
  const at = attempt ?? attempts.at(-1) ?? null;
  const isOver = facts.some((fact) => (fact.kind === "judged" || fact.kind === "failed") && fact.attempt === at);
  const tail = view.tail?.task === task.id && view.tail.attempt === at && !isOver ? view.tail : null;
  // Redraw only after a change, so that the page keeps its scroll position.
  const key = JSON.stringify([task.id, facts.length, mark, at, printed?.length, tail?.acts]);
  if (key !== drawn) drawAll({ ...view, tail }, { facts, mark, attempts, at, isOver });
  drawn = key;
  drawTail(tail);
}

/** Marks of tasks that need no more work: an error of their last attempt no longer matters. */
const done: ReadonlySet<TaskMark> = new Set<TaskMark>(["passed", "doubtful", "before"]);

/** Whether a fact begins an attempt; false for the delegation of a reviewer or a repair operator. */
const isAttempt = (fact: Fact): fact is Extract<Fact, { kind: "delegated" }> =>
  fact.kind === "delegated" && fact.role !== "reviewer" && fact.role !== "operator";

interface Drawn {
  readonly facts: readonly Fact[];
  readonly mark: TaskMark;
  readonly attempts: readonly number[];
  readonly at: number | null;
  readonly isOver: boolean;
}

function drawAll(view: StoryView, { facts, mark, attempts, at, isOver }: Drawn): void {
  const { run, moment, printed, source, task, tail } = view;
  const judged = facts.findLast((fact) => fact.kind === "judged" && fact.attempt === at);
  const shown = at === null ? undefined : printed?.find((each) => each.attempt === at);
  const { number } = moment;
  const isRunning = mark === "running";
  const outputs = { isOver, isRunning, isRead: printed !== null, isLast: number === run.last, shown, tail };
  byId("story").replaceChildren(
    heading(view, mark, facts),
    ...(at === null ? [] : livePrint(outputs, () => rawOf(source, task.id, at))),
    ...(at === null || (done.has(mark) && at === attempts.at(-1)) ? [] : firstError(view, facts, at)),
    ...decision(facts, mark, outputs.isLast),
    ...choice(attempts, at, view),
    ...(at === null ? [] : outputsOf(outputs, () => source.diff(`${task.id}#${at}`))),
    ...drawFailures(facts),
    ...drawLayers(judged?.kind === "judged" ? judged : undefined),
    ...drawGauges(facts),
    ...happened(facts),
    ...(facts.length === 0 ? [make("p", { class: "quiet" }, "This task has no records yet.")] : []),
  );
}

async function rawOf(source: Source, task: string, attempt: number): Promise<Clip> {
  const shown = (await source.printed(task)).find((each) => each.attempt === attempt);
  return shown?.raw ?? { text: "(see fixpoint logs)", left: 0 };
}

/** Render a fact as `fixpoint why` does, and escape characters that a browser would display misleadingly. */
function told(fact: Fact): RenderedFact {
  const { head, details } = renderFact(fact);
  return { head: escapeText(head), details: details.map(escapeText) };
}

function heading({ run, moment, task }: StoryView, mark: TaskMark, facts: readonly Fact[]): HTMLElement {
  const attempts = lastAttempt(moment.state.tasks, task.id);
  const proof = valueAt(moment.state.proofs, task.id);
  const begun = facts.findLast((fact) => fact.kind === "delegated");
  const about = [
    ...(task.madeFor === null ? [] : [`${task.id.includes("~") ? "a part" : "a fix"} of ${task.madeFor}`]),
    mark === "running" && begun !== undefined ? `under way since ${clock(Date.parse(begun.at))}` : signs[mark][1],
    ...(proof === undefined ? [] : [proof.kind]),
    ...(attempts === 0 ? [] : [counted(attempts, "attempt", "attempts")]),
    money(run.costAt(task.id, moment.number)),
  ];
  return make(
    "div",
    { class: "about", "data-mark": mark },
    make("h2", {}, escapeText(`${task.id} ${task.title}`)),
    make("p", {}, about.filter((part) => part !== "").join(", ")),
  );
}

/**
 * Draw the first real error of the last Verify, with its file and line. Before the first Verify of a fix, use the
 * Verify of the repaired task. Without an error of a Verify, draw the error of the attempt.
 */
function firstError({ run, moment, task }: StoryView, facts: readonly Fact[], at: number): HTMLElement[] {
  const own = verifyAt(run, task.id, at, moment.number);
  const verify = own ?? (task.madeFor === null ? null : verifyAt(run, task.madeFor, Infinity, moment.number));
  const error = verify?.digest && errorIn(verify.digest);
  if (verify && error) {
    const place = error.file === null ? "" : `${error.file}${error.line === null ? "" : `:${error.line}`}`;
    const of = own === null ? ` of ${task.madeFor}` : "";
    return [
      make(
        "div",
        { class: "error" },
        make("p", { class: "lead" }, `First error of Verify${of}, attempt ${verify.attempt}`),
        ...(place === "" ? [] : [make("code", {}, escapeText(place))]),
        make("p", {}, escapeText(renderCheck(error))),
      ),
    ];
  }
  const failed = facts.findLast((fact) => fact.kind === "failed" && fact.attempt === at);
  return failed === undefined ? [] : [make("p", { class: "error" }, told(failed).head)];
}

function verifyAt(run: ShownRun, task: string, attempt: number, moment: number) {
  for (const record of run.records.slice(0, moment).reverse()) {
    if ((record.type !== "answered" && record.type !== "judged") || record.verify === undefined) continue;
    const about = aboutOf(record);
    if (about.task === task && (about.attempt ?? 0) <= attempt) return { attempt: about.attempt, ...record.verify };
  }
  return null;
}

/** Draw the last decision as `why` shows it, or the last question; an open question is shown above instead. */
function decision(facts: readonly Fact[], mark: TaskMark, isLast: boolean): HTMLElement[] {
  const last = facts.findLast(({ kind }) =>
    ["decided", "asked", "passed", "denied", "skipped", "collided"].includes(kind),
  );
  if (last === undefined || (last.kind === "asked" && isLast)) return [];
  const { head, details } = told(last);
  const lines = details.slice(0, last.kind === "asked" ? 2 : 8);
  return [
    make(
      "div",
      { class: "decision", "data-mark": mark },
      make("p", { class: "lead" }, head),
      ...(lines.length === 0 ? [] : [make("p", { class: "lines" }, lines.join("\n"))]),
    ),
  ];
}

function choice(attempts: readonly number[], at: number | null, { redraw }: StoryView): HTMLElement[] {
  if (attempts.length < 2) return [];
  const select = make(
    "select",
    { id: "attempt" },
    ...attempts.slice(-50).map((number) => make("option", { value: String(number) }, `Attempt ${number}`)),
  );
  select.value = String(at);
  select.addEventListener("change", () => {
    attempt = Number(select.value);
    redraw();
    byId("attempt").focus();
  });
  return [make("p", {}, make("label", { for: "attempt" }, "Evidence of "), select)];
}

function happened(facts: readonly Fact[]): HTMLElement[] {
  if (facts.length === 0) return [];
  const first = Date.parse(facts[0]?.at ?? "");
  const items = facts
    .slice(-mostTold)
    .reverse()
    .map((fact) => {
      const at = Date.parse(fact.at);
      return make("li", {}, `${clock(at)} +${lasted(at - first)} ${told(fact).head}`);
    });
  const left = facts.length - mostTold;
  const more = left > 0 ? [make("p", { class: "quiet" }, `${left} entries before these: see fixpoint why`)] : [];
  const list = make("ol", { class: "happened" }, ...items);
  return [fold({ id: "happened", name: `All events (${facts.length})`, isOpen: false }, list, ...more)];
}
