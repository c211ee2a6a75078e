import { byId, make, setText } from "./dom.ts";
import { asker, takeToken } from "./source.ts";
import { counted } from "./words.ts";

async function show(): Promise<void> {
  const { folder, names } = await asker(takeToken())<{ folder: string; names: readonly string[] }>("specs");
  document.title = `${folder} - fixpoint`;
  setText(byId("headline"), `${counted(names.length, "spec", "specs")} in ${folder}`);
  byId("specs").append(...names.map((name, place) => make("li", {}, make("a", { href: `runs/${place}/` }, name))));
  document.documentElement.dataset["ready"] = "true";
}

show().catch((error: unknown) => {
  setText(byId("headline"), `These specs cannot be shown: ${String(error)}`);
});
