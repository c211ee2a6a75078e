import type { ListedSpec } from "../page-data.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";
import { asker, takeToken } from "./source.ts";
import { counted } from "./words.ts";

const ask = asker(takeToken());
/**
 * Minimum pause between two requests. A slow answer makes the pause longer, since the server reads every journal to
 * answer.
 */
const pauseMs = 2000;

async function show(): Promise<void> {
  const begun = performance.now();
  const { folder, specs } = await ask<{ folder: string; specs: readonly ListedSpec[] }>("specs");
  document.title = `${folder} - fixpoint`;
  setText(byId("headline"), `${counted(specs.length, "spec", "specs")} in ${folder}`);
  specs.forEach(draw);
  document.documentElement.dataset["ready"] = "true";
  setTimeout(showAgain, Math.max(pauseMs, 10 * (performance.now() - begun)));
}

function draw({ name, kind, state }: ListedSpec, place: number): void {
  const list = byId("specs");
  const row =
    list.children[place] ??
    make("li", {}, make("a", { href: `runs/${place}/` }, name), " ", make("span", { class: "state" }));
  if (row.parentElement === null) list.append(row);
  const shown = row.lastElementChild as HTMLElement;
  setAttribute(shown, "data-kind", kind);
  setText(shown, state);
}

function showAgain(): void {
  if (document.hidden) document.addEventListener("visibilitychange", showAgain, { once: true });
  else start();
}

function start(): void {
  show().catch((error: unknown) => {
    setText(byId("headline"), `These specs cannot be shown: ${String(error)}`);
  });
}

start();
