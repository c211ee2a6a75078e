import type { Clip, Printed, TaskRow, TaskStory, Told } from "../../../model/frame.ts";
import { byId, make, setText } from "./dom.ts";
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
  const { film, frame, task, story } = view;
  const told = story?.told.filter((each) => each.frame <= frame) ?? [];
  const mark = film.markAt(task, frame);
  const attempts = [
    ...new Set(told.flatMap((each) => (each.kind === "delegated" && each.task === task.id ? [each.attempt ?? 0] : []))),
  ];
  if (attempt !== null && !attempts.includes(attempt)) attempt = null;
  const at = attempt ?? attempts.at(-1) ?? null;
  // The same is not drawn again: a page that is read keeps its place.
  const live = liveTail(told, at, view);
  const key = JSON.stringify([task.id, told.length, mark, at, story === null, live !== null]);
  if (key !== drawn) drawAll(view, { told, mark, attempts, at, live });
  drawn = key;
  drawTail(live);
}

interface Drawn {
  readonly told: readonly Told[];
  readonly mark: keyof typeof signs;
  readonly attempts: readonly number[];
  readonly at: number | null;
  readonly live: Tail | null;
}

function drawAll(view: StoryView, { told, mark, attempts, at, live }: Drawn): void {
  const { story } = view;
  byId("story").replaceChildren(
    heading(view, mark),
    ...decision(told),
    ...choice(attempts, at, view),
    ...(at === null ? [] : evidence(told, at, view, live)),
    ...drawFailures(told),
    ...drawGauges(told),
    ...happened(told),
    ...(story === null
      ? [make("p", { class: "quiet" }, "Nothing is recorded of it, or it was left out of this page.")]
      : []),
    ...(story?.left == null ? [] : [make("p", { class: "quiet" }, story.left)]),
  );
}

/** What an attempt prints while nothing has come of it. */
function liveTail(told: readonly Told[], at: number | null, { tail, task }: StoryView): Tail | null {
  if (tail === null || tail.task !== task.id || tail.attempt !== at) return null;
  const isOver = told.some((each) => each.attempt === at && (each.kind === "judged" || each.kind === "failed"));
  return isOver ? null : tail;
}

/** Where its end is in sight the end stays in sight; elsewhere what is read keeps its place. */
function drawTail(live: Tail | null): void {
  const place = document.getElementById("tail")?.querySelector("pre");
  if (place == null || live === null) return;
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  setText(place, live.text.trim() === "" ? nothing : live.text);
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}

const nothing = "(nothing was printed)";

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

function evidence(told: readonly Told[], at: number, { story }: StoryView, live: Tail | null): HTMLElement[] {
  const judged = told.findLast((each) => each.kind === "judged" && each.attempt === at);
  const failed = told.findLast((each) => each.kind === "failed" && each.attempt === at);
  const printed = story?.printed.find((each) => each.attempt === at);
  const isOver = judged !== undefined || failed !== undefined;
  return [
    ...(failed === undefined ? [] : [make("p", { class: "error" }, failed.head)]),
    ...drawLayers(judged),
    ...(live === null ? [] : [liveOutput()]),
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
  made.append(make("pre", { tabindex: "0" }, text.trim() === "" ? nothing : text));
  return made;
}

function liveOutput(): HTMLElement {
  const made = output("It prints", { text: "", left: 0 }, true);
  made.id = "tail";
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
