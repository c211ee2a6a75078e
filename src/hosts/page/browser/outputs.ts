import type { Clip, Printed } from "../page-data.ts";
import { make, setText } from "./dom.ts";

export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
  /** Whether the text lists acts instead of the output itself. */
  readonly acts: boolean;
}

interface AttemptOutputs {
  readonly shown: Printed | undefined;
  readonly tail: Tail | null;
  readonly isOver: boolean;
  readonly isRunning: boolean;
  readonly isRead: boolean;
  /** Whether the shown moment is the last one. */
  readonly isLast: boolean;
}

/**
 * Draw the output of an attempt that is running, or was interrupted: the acts that a known tool reports, and its raw
 * output in a closed fold. @param raw Fetches the raw output.
 */
export function livePrint({ shown, tail, isOver, isRunning }: AttemptOutputs, raw: () => Promise<Clip>): HTMLElement[] {
  if (isOver) return [];
  const name = isRunning ? "Output of the agent" : "Output of the agent until it was interrupted";
  const clip = tail === null ? shown?.message : { text: textOf(tail), left: 0 };
  const live = output({ id: "prints", name, isOpen: true }, clip ?? { text: "", left: 0 });
  live.id = "tail";
  const hasActs = tail?.acts ?? shown?.raw !== undefined;
  const head = { id: "raw", name: "Its raw output", isOpen: false };
  return hasActs ? [live, fetched(head, {}, raw, (got) => [got.text])] : [live];
}

const textOf = ({ text, acts }: Tail): string => {
  if (text.trim() !== "") return text;
  return acts ? "(the agent has not acted yet)" : nothing;
};

/**
 * Draw the changes of an attempt and, once it is over, the output of its Verify and its message. @param diff Fetches
 * the diff of the attempt.
 */
export function outputsOf({ shown, isOver, isRead, isLast }: AttemptOutputs, diff: () => Promise<Clip>): HTMLElement[] {
  const name = isOver ? "What the attempt changed" : "What the attempt has changed so far";
  const changed = fetched({ id: "diff", name, isOpen: isLast }, { class: "diff" }, diff, diffLines);
  if (!isOver) return [changed];
  if (shown === undefined) {
    const missing = make("p", { class: "quiet" }, "The output of this attempt is not in this page: see fixpoint logs");
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
  const more = left > 0 ? [make("p", { class: "quiet" }, `At least ${left} characters before this are omitted`)] : [];
  return fold(head, ...more, make("pre", { tabindex: "0" }, text.trim() === "" ? nothing : text));
}

/** Scroll position at which the user reads the live output of an attempt; null to follow the end of the output. */
let reading: { readonly of: string; readonly top: number } | null = null;

/** Update the live output, and scroll to its end unless the user has scrolled up. */
export function drawTail(live: Tail | null): void {
  const place = document.getElementById("tail")?.querySelector("pre");
  if (place == null || live === null) return;
  const of = `${live.task}#${live.attempt}`;
  if (reading?.of !== of) reading = null;
  setText(place, textOf(live));
  // Restore the scroll position: each redraw of the story creates a new element.
  place.scrollTop = reading?.top ?? place.scrollHeight;
  place.onscroll = () => {
    const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
    if (place.isConnected) reading = isAtEnd ? null : { of, top: place.scrollTop };
  };
}

interface FoldHead {
  readonly id: string;
  readonly name: string;
  /** Whether the fold is open until the user closes it. */
  readonly isOpen: boolean;
}

/** Folds that the user has opened (true) or closed (false), by id, so that a redraw keeps them. */
const chosen = new Map<string, boolean>();

export function fold({ id, name, isOpen }: FoldHead, ...children: readonly HTMLElement[]): HTMLDetailsElement {
  const summary = make("summary", {}, name);
  const made = make("details", {}, summary, ...children);
  made.open = chosen.get(id) ?? isOpen;
  summary.addEventListener("click", () => chosen.set(id, !made.open));
  return made;
}

/** A fold whose text is fetched when it is opened. */
function fetched(
  head: FoldHead,
  attributes: Readonly<Record<string, string>>,
  ask: () => Promise<Clip>,
  draw: (clip: Clip) => readonly (Node | string)[],
): HTMLElement {
  const text = make("pre", { tabindex: "0", ...attributes }, "…");
  const made = fold(head, text);
  made.addEventListener("toggle", () => {
    if (!made.open) return;
    ask().then(
      (clip) => text.replaceChildren(...draw(clip)),
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
      ? [make("span", { class: "quiet" }, `${left} characters after this are omitted: see fixpoint diff`)]
      : []),
  ];
}
