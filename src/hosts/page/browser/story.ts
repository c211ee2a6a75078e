import type { Clip, Printed, TaskRow, TaskStory, Told } from "../../../model/frame.ts";
import { byId, make } from "./dom.ts";
import { drawFailures, drawGauges, drawLayers } from "./evidence.ts";
import type { Film } from "./film.ts";
import type { Tail } from "./source.ts";
import { clock, counted, lasted, money, signs } from "./words.ts";

/** Entries that are listed of what happened; of more only the last. */
const mostTold = 24;

/** The attempt that was chosen; null follows the last. */
let attempt: number | null = null;
let drawn = "";

export interface StoryView {
  readonly film: Film;
  readonly frame: number;
  readonly task: TaskRow;
  /** Null while it is read, or where it was left out. */
  readonly story: TaskStory | null;
  readonly tail: Tail | null;
  /** Draw again with another attempt. */
  redraw(): void;
}

/** Draw what is known of a task by a frame: how it stands, what was decided, and the evidence of one attempt. */
export function drawStory(view: StoryView): void {
  const { film, frame, task, story, tail } = view;
  const told = story?.told.filter((each) => each.frame <= frame) ?? [];
  const mark = film.markAt(task, frame);
  const attempts = [
    ...new Set(told.flatMap((each) => (each.kind === "delegated" && each.task === task.id ? [each.attempt ?? 0] : []))),
  ];
  if (attempt !== null && !attempts.includes(attempt)) attempt = null;
  const at = attempt ?? attempts.at(-1) ?? null;
  // The same is not drawn again: a page that is read keeps its place.
  const key = JSON.stringify([task.id, told.length, mark, at, story === null, tail?.text.length ?? 0]);
  if (key === drawn) return;
  drawn = key;
  byId("story").replaceChildren(
    heading(view, mark),
    ...decision(told),
    ...choice(attempts, at, view),
    ...(at === null ? [] : evidence(told, at, view)),
    ...drawFailures(told),
    ...drawGauges(told),
    ...happened(told),
    ...(story === null
      ? [make("p", { class: "quiet" }, "Nothing is recorded of it, or it was left out of this page.")]
      : []),
    ...(story?.left == null ? [] : [make("p", { class: "quiet" }, story.left)]),
  );
}

function heading({ film, frame, task }: StoryView, mark: keyof typeof signs): HTMLElement {
  const attempts = film.attemptsAt(task.id, frame);
  const cost = money(film.costAt(task.id, frame));
  const made = task.madeFor === null ? "" : `${task.id.includes("~") ? "a part" : "a fix"} of ${task.madeFor}, `;
  const about = `${made}${signs[mark][1]}, ${counted(attempts, "attempt", "attempts")}${cost === "" ? "" : `, ${cost}`}`;
  return make(
    "div",
    { class: "about", "data-mark": mark },
    make("h2", {}, `${task.id} ${task.title}`),
    make("p", {}, about),
  );
}

/** The last decision, in the sentence of `why`, or the last question. */
function decision(told: readonly Told[]): HTMLElement[] {
  const last = told.findLast(({ kind }) => ["decided", "asked", "passed", "denied", "skipped"].includes(kind));
  if (last === undefined) return [];
  const lines = last.details.slice(0, last.kind === "asked" ? 2 : 8);
  return [
    make(
      "div",
      { class: `decision ${last.kind}` },
      make("p", { class: "lead" }, last.head),
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

function evidence(told: readonly Told[], at: number, { story, tail, task }: StoryView): HTMLElement[] {
  const judged = told.findLast((each) => each.kind === "judged" && each.attempt === at);
  const failed = told.findLast((each) => each.kind === "failed" && each.attempt === at);
  const printed = story?.printed.find((each) => each.attempt === at);
  const isOver = judged !== undefined || failed !== undefined;
  const live = tail !== null && tail.task === task.id && tail.attempt === at && !isOver ? tail : null;
  return [
    ...(failed === undefined ? [] : [make("p", { class: "error" }, failed.head)]),
    ...drawLayers(judged),
    ...(live === null ? [] : [output("It prints", { text: live.text, left: 0 }, true)]),
    ...(isOver && printed !== undefined ? outputs(printed) : []),
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
  made.append(make("pre", { tabindex: "0" }, text.trim() === "" ? "(nothing was printed)" : text));
  return made;
}

/** All that happened, newest first. */
function happened(told: readonly Told[]): HTMLElement[] {
  if (told.length === 0) return [];
  const first = told[0]?.at ?? 0;
  const items = told
    .slice(-mostTold)
    .reverse()
    .map(({ at, head }) => make("li", {}, `${clock(at)} +${lasted(at - first)} ${head}`));
  const more =
    told.length > mostTold
      ? [make("p", { class: "quiet" }, `${told.length - mostTold} entries before these: see fixpoint why`)]
      : [];
  return [
    make(
      "details",
      { class: "happened" },
      make("summary", {}, `All that happened (${told.length})`),
      make("ol", {}, ...items),
      ...more,
    ),
  ];
}
