import type { Fact } from "../../../model/explanation.ts";
import { attemptsOn } from "../../../model/ledger.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type RenderedFact, renderFact } from "../../../wording/render-fact.ts";
import type { Moment, TaskMark } from "../moment.ts";
import type { Clip, Printed } from "../page-data.ts";
import type { ShownRun } from "../shown-run.ts";
import type { TaskRow } from "../task-rows.ts";
import { byId, make, setText } from "./dom.ts";
import { drawFailures, drawGauges, drawLayers } from "./evidence.ts";
import type { Source } from "./source.ts";
import { clock, counted, lasted, money, signs } from "./words.ts";

/** Entries that are listed of what happened; of more only the last. */
const mostTold = 24;

/** The attempt that was chosen; null follows the last. */
let attempt: number | null = null;
let drawn = "";

/** What an executor has printed so far. */
export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
}

export interface StoryView {
  readonly run: ShownRun;
  readonly moment: Moment;
  readonly task: TaskRow;
  /** What its attempts have printed; null while that is read. */
  readonly printed: readonly Printed[] | null;
  readonly tail: Tail | null;
  /** Asks what an attempt changed; null where nobody answers. */
  readonly diff: Source["diff"];
  /** Draw again with another attempt. */
  redraw(): void;
}

/** Draw what is known of a task at a moment: how it stands, what was decided, and the evidence of one attempt. */
export function drawStory(view: StoryView): void {
  const { run, moment, task, printed } = view;
  const facts = run.factsAbout(task.id, moment.number).map(({ fact }) => fact);
  const mark = moment.markOf(task.id);
  const attempts = [
    ...new Set(facts.flatMap((fact) => (fact.kind === "delegated" && fact.task === task.id ? [fact.attempt] : []))),
  ];
  if (attempt !== null && !attempts.includes(attempt)) attempt = null;
  const at = attempt ?? attempts.at(-1) ?? null;
  // The same is not drawn again: a page that is read keeps its place.
  const live = liveTail(facts, at, view);
  const key = JSON.stringify([task.id, facts.length, mark, at, printed?.length, live !== null]);
  if (key !== drawn) drawAll(view, { facts, mark, attempts, at, live });
  drawn = key;
  drawTail(live);
}

interface Drawn {
  readonly facts: readonly Fact[];
  readonly mark: TaskMark;
  readonly attempts: readonly number[];
  readonly at: number | null;
  readonly live: Tail | null;
}

function drawAll(view: StoryView, { facts, mark, attempts, at, live }: Drawn): void {
  byId("story").replaceChildren(
    heading(view, mark),
    ...decision(facts),
    ...choice(attempts, at, view),
    ...(at === null ? [] : evidence(facts, at, view, live)),
    ...drawFailures(facts),
    ...drawGauges(facts),
    ...happened(facts),
    ...(facts.length === 0 ? [make("p", { class: "quiet" }, "Nothing is recorded of it.")] : []),
  );
}

/** A fact in the words of `fixpoint why`, with nothing in it that a browser would show as something else. */
function told(fact: Fact): RenderedFact {
  const { head, details } = renderFact(fact);
  return { head: escapeText(head), details: details.map(escapeText) };
}

/** What an attempt prints while nothing has come of it. */
function liveTail(facts: readonly Fact[], at: number | null, { tail, task }: StoryView): Tail | null {
  if (tail === null || tail.task !== task.id || tail.attempt !== at) return null;
  return facts.some((fact) => endsAttempt(fact, at)) ? null : tail;
}

const endsAttempt = (fact: Fact, at: number): boolean =>
  (fact.kind === "judged" || fact.kind === "failed") && fact.attempt === at;

/** Where its end is in sight the end stays in sight; elsewhere what is read keeps its place. */
function drawTail(live: Tail | null): void {
  const place = document.getElementById("tail")?.querySelector("pre");
  if (place == null || live === null) return;
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  setText(place, live.text.trim() === "" ? nothing : live.text);
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}

const nothing = "(nothing was printed)";

function heading({ run, moment, task }: StoryView, mark: TaskMark): HTMLElement {
  const attempts = attemptsOn(moment.state.tasks, task.id);
  const cost = money(run.costAt(task.id, moment.number));
  const made = task.madeFor === null ? "" : `${task.id.includes("~") ? "a part" : "a fix"} of ${task.madeFor}, `;
  const about = `${made}${signs[mark][1]}, ${counted(attempts, "attempt", "attempts")}${cost === "" ? "" : `, ${cost}`}`;
  return make(
    "div",
    { class: "about", "data-mark": mark },
    make("h2", {}, escapeText(`${task.id} ${task.title}`)),
    make("p", {}, about),
  );
}

/** The last decision, in the sentence of `why`, or the last question. */
function decision(facts: readonly Fact[]): HTMLElement[] {
  const last = facts.findLast(({ kind }) =>
    ["decided", "asked", "passed", "denied", "skipped", "collided"].includes(kind),
  );
  if (last === undefined) return [];
  const { head, details } = told(last);
  const lines = details.slice(0, last.kind === "asked" ? 2 : 8);
  return [
    make(
      "div",
      { class: `decision ${last.kind}` },
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

function evidence(
  facts: readonly Fact[],
  at: number,
  { printed, diff, task }: StoryView,
  live: Tail | null,
): HTMLElement[] {
  const judged = facts.findLast((fact) => fact.kind === "judged" && fact.attempt === at);
  const failed = facts.findLast((fact) => fact.kind === "failed" && fact.attempt === at);
  const shown = printed?.find((each) => each.attempt === at);
  const isOver = judged !== undefined || failed !== undefined;
  return [
    ...(failed === undefined ? [] : [make("p", { class: "error" }, told(failed).head)]),
    ...drawLayers(judged?.kind === "judged" ? judged : undefined),
    ...(live === null ? [] : [liveOutput()]),
    ...(isOver && shown !== undefined ? outputs(shown) : []),
    ...(isOver && printed !== null && shown === undefined
      ? [make("p", { class: "quiet" }, "What it has printed is not in this page: see fixpoint logs")]
      : []),
    ...(diff === null ? [] : [changes(() => diff(`${task.id}#${at}`), isOver)]),
  ];
}

function outputs({ message, verify }: Printed): HTMLElement[] {
  const ran =
    verify === null
      ? []
      : [
          output(
            `Verify: ${verify.command} (exit ${verify.exitCode ?? "by a signal"})`,
            verify.output,
            verify.exitCode !== 0,
          ),
        ];
  return [...ran, output("What the executor said", message, false)];
}

function output(name: string, { text, left }: Clip, isOpen: boolean): HTMLElement {
  const made = make("details", isOpen ? { open: "" } : {}, make("summary", {}, name));
  if (left > 0) made.append(make("p", { class: "quiet" }, `At least ${left} characters before this are left out`));
  made.append(make("pre", { tabindex: "0" }, text.trim() === "" ? nothing : text));
  return made;
}

/** What an attempt changed, asked for when it is opened. */
function changes(ask: () => Promise<Clip>, isOver: boolean): HTMLElement {
  const name = isOver ? "What it changed" : "What it changed so far";
  const text = make("pre", { tabindex: "0", class: "diff" }, "…");
  const made = make("details", {}, make("summary", {}, name), text);
  made.addEventListener("toggle", () => {
    if (!made.open) return;
    ask().then(
      (clip) => text.replaceChildren(...diffLines(clip)),
      (error: unknown) => setText(text, String(error)),
    );
  });
  return made;
}

const diffKinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

function diffLines({ text, left }: Clip): HTMLElement[] {
  if (text === "") return [make("span", { class: "quiet" }, "(nothing was changed)")];
  const lines = text.replace(/\n$/, "").split("\n");
  return [
    ...lines.map((line) => make("span", { class: diffKinds[line.charAt(0)] ?? "" }, `${line}\n`)),
    ...(left > 0
      ? [make("span", { class: "quiet" }, `${left} characters behind this are left out: see fixpoint diff`)]
      : []),
  ];
}

function liveOutput(): HTMLElement {
  const made = output("It prints", { text: "", left: 0 }, true);
  made.id = "tail";
  return made;
}

/** All that happened, newest first. */
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
  const more =
    facts.length > mostTold
      ? [make("p", { class: "quiet" }, `${facts.length - mostTold} entries before these: see fixpoint why`)]
      : [];
  return [
    make(
      "details",
      { class: "happened" },
      make("summary", {}, `All that happened (${facts.length})`),
      make("ol", {}, ...items),
      ...more,
    ),
  ];
}
