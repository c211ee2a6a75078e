import { renderProof } from "../../../model/evidence.ts";
import { lastAttempt } from "../../../model/ledger.ts";
import { at } from "../../../model/run-state.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import type { Moment } from "../moment.ts";
import type { ShownRun } from "../shown-run.ts";
import type { TaskRow } from "../task-rows.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";
import { money, signs } from "./words.ts";

/** Height of a row in pixels, as in the style sheet. */
const height = 48;
/** Number of extra rows drawn above and below the visible part. */
const margin = 2;

let shown: readonly TaskRow[] = [];
let selected: string | null = null;
let seen = "";
let redraw: () => void = () => {};

/** Let the user choose tasks by pointer and keys. @param choose Called with the chosen task. */
export function openTree(choose: (task: string) => void, draw: () => void): void {
  const tree = byId("tree");
  redraw = draw;
  tree.addEventListener("scroll", () => redraw(), { passive: true });
  tree.addEventListener("click", ({ target }) => {
    const task = target instanceof Element ? target.closest<HTMLElement>("[data-task]")?.dataset["task"] : undefined;
    if (task !== undefined) choose(task);
  });
  tree.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(tree.clientHeight / height) - 1);
    const by: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -shown.length,
      End: shown.length,
    };
    const step = by[event.key];
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const at = shown.findIndex(({ id }) => id === selected);
    const next = shown[Math.min(shown.length - 1, Math.max(0, at + step))];
    if (next !== undefined) choose(next.id);
  });
}

export function drawTree(run: ShownRun, moment: Moment, task: string | null): void {
  const tree = byId("tree");
  const list = byId("rows");
  shown = run.rows.filter(({ from }) => from <= moment.number);
  selected = task;
  list.style.height = `${shown.length * height}px`;
  const at = shown.findIndex(({ id }) => id === task);
  if (seen !== `${task}` && at >= 0) bringIntoView(tree, at);
  seen = `${task}`;
  const first = Math.max(0, Math.floor(tree.scrollTop / height) - margin);
  const last = Math.min(shown.length, Math.ceil((tree.scrollTop + tree.clientHeight) / height) + margin);
  while (list.childElementCount > last - first) list.lastElementChild?.remove();
  for (let index = first; index < last; index += 1) {
    const row = (list.children[index - first] as HTMLElement | undefined) ?? newRow(list);
    drawRow(row, shown[index] as TaskRow, index, { run, moment });
  }
  setAttribute(tree, "aria-activedescendant", at >= first && at < last ? `row-${at}` : null);
}

function bringIntoView(tree: HTMLElement, at: number): void {
  const top = at * height;
  if (top < tree.scrollTop || top + height > tree.scrollTop + tree.clientHeight) {
    tree.scrollTop = Math.max(0, top - tree.clientHeight / 3);
  }
}

function newRow(list: HTMLElement): HTMLElement {
  const row = make("div", { role: "treeitem", class: "row" });
  row.append(
    make("span", { class: "sign", role: "img" }),
    make("span", { class: "title" }),
    make("span", { class: "meta" }),
  );
  list.append(row);
  return row;
}

function drawRow(
  row: HTMLElement,
  task: TaskRow,
  index: number,
  { run, moment }: { run: ShownRun; moment: Moment },
): void {
  const mark = moment.markOf(task.id);
  const [sign, word] = signs[mark];
  const attempts = lastAttempt(moment.state.tasks, task.id);
  const proof = at(moment.state.proofs, task.id);
  const times = attempts > 1 ? `${attempts}\u00d7` : "";
  const meta = [times, proof?.kind ?? "", money(run.costAt(task.id, moment.number))]
    .filter((part) => part !== "")
    .join(" ");
  row.style.top = `${index * height}px`;
  setAttribute(row, "id", `row-${index}`);
  setAttribute(row, "data-task", task.id);
  setAttribute(row, "data-mark", mark);
  setAttribute(row, "aria-level", String(task.depth + 1));
  setAttribute(row, "aria-setsize", String(shown.length));
  setAttribute(row, "aria-posinset", String(index + 1));
  setAttribute(row, "aria-selected", String(task.id === selected));
  const [first, second, third] = row.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
  first.style.marginInlineStart = `${Math.min(task.depth, 6) * 14}px`;
  setText(first, sign);
  setAttribute(first, "aria-label", word);
  setText(second, escapeText(`${task.id} ${task.title}`));
  setText(third, meta);
  setAttribute(third, "title", proof === undefined ? null : renderProof(proof));
}
