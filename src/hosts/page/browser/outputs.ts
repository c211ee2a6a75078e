import type { Clip, Printed } from "../page-data.ts";
import { make, setText } from "./dom.ts";

/** What an executor has printed so far. */
export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
}

interface AttemptOutputs {
  /** What it has printed; undefined where that is not there. */
  readonly shown: Printed | undefined;
  readonly tail: Tail | null;
  readonly isOver: boolean;
  readonly isRunning: boolean;
  /** Whether what is there was read. */
  readonly isRead: boolean;
  /** Whether nothing has happened since. */
  readonly isLast: boolean;
}

/** What an attempt that is not over prints, or had printed. */
export function livePrint({ shown, tail, isOver, isRunning }: AttemptOutputs): HTMLElement[] {
  if (isOver) return [];
  const name = isRunning ? "What the agent prints" : "What the agent had printed";
  const clip = tail === null ? shown?.message : { text: tail.text, left: 0 };
  const live = output({ id: "prints", name, isOpen: true }, clip ?? { text: "", left: 0 });
  live.id = "tail";
  return [live];
}

/** What an attempt changed, and what was printed by its Verify and by itself once it is over. @param diff Asks for a diff. */
export function outputsOf({ shown, isOver, isRead, isLast }: AttemptOutputs, diff: () => Promise<Clip>): HTMLElement[] {
  const name = isOver ? "What it changed" : "What it changed so far";
  const changed = changes({ id: "diff", name, isOpen: isLast }, diff);
  if (!isOver) return [changed];
  if (shown === undefined) {
    const missing = make("p", { class: "quiet" }, "What it has printed is not in this page: see fixpoint logs");
    return isRead ? [changed, missing] : [changed];
  }
  const { message, verify } = shown;
  const ran = verify === null ? [] : [verifyOutput(verify)];
  return [changed, ...ran, output({ id: "said", name: "What the executor said", isOpen: false }, message)];
}

function verifyOutput({ command, exitCode, output: text }: NonNullable<Printed["verify"]>): HTMLElement {
  const name = `Verify: ${command} (exit ${exitCode ?? "by a signal"})`;
  return output({ id: `verify ${exitCode !== 0}`, name, isOpen: exitCode !== 0 }, text);
}

const nothing = "(nothing was printed)";

function output(head: FoldHead, { text, left }: Clip): HTMLElement {
  const more = left > 0 ? [make("p", { class: "quiet" }, `At least ${left} characters before this are left out`)] : [];
  return fold(head, ...more, make("pre", { tabindex: "0" }, text.trim() === "" ? nothing : text));
}

/** Where its end is in sight the end stays in sight; elsewhere what is read keeps its place. */
export function drawTail(live: Tail | null): void {
  const place = document.getElementById("tail")?.querySelector("pre");
  if (place == null || live === null) return;
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  setText(place, live.text.trim() === "" ? nothing : live.text);
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}

interface FoldHead {
  readonly id: string;
  readonly name: string;
  /** Whether it is open until somebody closes it. */
  readonly isOpen: boolean;
}

/** Folds that somebody has opened or closed: they stay so when they are drawn again. */
const chosen = new Map<string, boolean>();

export function fold({ id, name, isOpen }: FoldHead, ...children: readonly HTMLElement[]): HTMLDetailsElement {
  const summary = make("summary", {}, name);
  const made = make("details", {}, summary, ...children);
  made.open = chosen.get(id) ?? isOpen;
  summary.addEventListener("click", () => chosen.set(id, !made.open));
  return made;
}

/** What an attempt changed, asked for when it is opened. */
function changes(head: FoldHead, ask: () => Promise<Clip>): HTMLElement {
  const text = make("pre", { tabindex: "0", class: "diff" }, "…");
  const made = fold(head, text);
  made.addEventListener("toggle", () => {
    if (!made.open) return;
    ask().then(
      (clip) => text.replaceChildren(...diffLines(clip)),
      (error: unknown) => setText(text, error instanceof Error ? error.message : String(error)),
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
