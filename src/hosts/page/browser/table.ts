import type { MoreRows, RunRow } from "../../../model/run-row.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";
import { moveOf, rankOf, rowWords } from "./row-words.ts";
import { asker } from "./source.ts";
import { takeToken } from "./take-token.ts";
import { counted, lasted, moment, money } from "./words.ts";

/** Milliseconds between two looks, and the most where nobody answers. */
const [beat, longest] = [1000, 8000];

const rows = new Map<number, RunRow>();
const drawn = new Map<number, HTMLTableRowElement>();

/** Show runs until the page is left. A page that nobody sees asks for nothing. */
async function show(): Promise<void> {
  const ask = asker(takeToken());
  let seen = 0;
  for (let pause = beat; ; ) {
    try {
      const more = await ask<MoreRows>(`rows?seen=${seen}`);
      seen = more.seen;
      for (const row of more.rows) rows.set(row.place, row);
      setText(byId("link"), "live");
      draw(more);
      pause = more.isWhole ? beat : 0;
    } catch (error) {
      if (seen === 0) throw error;
      setText(byId("link"), "connection lost, trying again");
      pause = Math.min(2 * Math.max(pause, beat), longest);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (document.hidden) await seenAgain();
  }
}

const seenAgain = (): Promise<void> =>
  new Promise((resolve) => document.addEventListener("visibilitychange", () => resolve(), { once: true }));

function draw({ folder, of, isWhole }: MoreRows): void {
  const sorted = [...rows.values()].sort(inOrder);
  setText(byId("folder"), `${folder}, ${counted(of, "spec", "specs")}`);
  document.title = `${folder} - fixpoint`;
  const headline = byId("headline");
  setAttribute(headline, "data-kind", sorted[0] === undefined ? "quiet" : rowWords[sorted[0].state].kind);
  setText(headline, `${summary(sorted)}${isWhole ? "" : ` (${rows.size} of ${of} read)`}`);
  const now = Date.now();
  const place = byId("runs");
  for (const [index, row] of sorted.entries()) {
    const element = drawn.get(row.place) ?? newRow(row);
    // One that stands where it should is not moved: it may have the focus.
    if (place.children[index] !== element) place.insertBefore(element, place.children[index] ?? null);
    drawRow(element, row, now);
  }
  if (isWhole) document.documentElement.dataset["ready"] = "true";
}

/** What waits for a person comes first, then what is at work; what is over comes last. */
const inOrder = (one: RunRow, other: RunRow): number =>
  rankOf(one.state) - rankOf(other.state) || byName.compare(one.name, other.name);

const byName = new Intl.Collator("en", { numeric: true });

function summary(sorted: readonly RunRow[]): string {
  const counts = new Map<string, number>();
  for (const { state } of sorted) counts.set(rowWords[state].sum, (counts.get(rowWords[state].sum) ?? 0) + 1);
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  return parts.length === 0 ? "Reading" : parts.join(", ");
}

function newRow({ place }: RunRow): HTMLTableRowElement {
  const link = make("a", { href: `runs/${place}/` });
  const bar = make("progress", { "aria-label": "Tasks done" });
  const row = make("tr", {}, make("td"), make("td", {}, link), make("td", {}, bar, make("span")));
  row.append(make("td"), make("td"), make("td"));
  drawn.set(place, row);
  return row;
}

type Cells = [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];

function drawRow(element: HTMLTableRowElement, row: RunRow, now: number): void {
  const [state, spec, tasks, cost, since, move] = element.children as unknown as Cells;
  const { kind, sign, words } = rowWords[row.state];
  setAttribute(state, "data-kind", kind);
  setText(state, `${sign} ${words}`);
  setText(spec.firstElementChild as Element, row.name);
  const bar = tasks.firstElementChild as HTMLProgressElement;
  bar.max = Math.max(1, row.of);
  bar.value = row.done;
  setText(tasks.lastElementChild as Element, `${row.done} of ${row.of}`);
  setText(cost, [money(row.costUsd), row.tokens === 0 ? "" : counted(row.tokens, "token", "tokens")].join(" ").trim());
  setText(since, row.at === null ? "" : ago(now - row.at));
  setAttribute(since, "title", row.at === null ? null : moment(row.at));
  setText(move, moveOf(row));
}

/** Minutes are fine enough: what changes each second is not read. */
function ago(ms: number): string {
  const minute = 60_000;
  if (ms < minute) return "just now";
  if (ms < 48 * 60 * minute) return `${lasted(Math.floor(ms / minute) * minute)} ago`;
  return `${counted(Math.floor(ms / (24 * 60 * minute)), "day", "days")} ago`;
}

show().catch((error: unknown) => {
  setText(byId("headline"), `These runs cannot be shown: ${String(error)}`);
});
