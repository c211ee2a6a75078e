import type { Random } from "../../src/model/random.ts";

export interface RandomPlan {
  readonly text: string;
  readonly needs: ReadonlyMap<string, readonly string[]>;
}

export function randomPlan(random: Random): RandomPlan {
  const needs = new Map<string, readonly string[]>();
  const lines = ["# Tasks", ""];
  const alone: string[] = [];
  let left = random.pick([1, 2, 2, 3, 3, 4, 5, 8]);
  for (let phase = 1; left > 0; phase++) {
    const size = Math.min(left, 1 + random.below(4));
    left -= size;
    lines.push(`## Phase ${phase}: ${random.pick(["Make", "Größe", "Refine", "Check"])}`, "");
    for (let number = 1; number <= size; number++) {
      const id = `${phase}.${number}`;
      const marker = random.among({ "": 5, "[P] ": 4, "[VERIFY] ": 1 });
      const command = `check ${id}`;
      if (marker !== "[P] ") {
        const [needed] = alone;
        if (needed !== undefined && random.chance(0.2)) needs.set(command, [needed]);
      }
      // Batch members have no dependencies, so their order has no effect.
      const isDone = random.chance(0.08);
      if (marker === "" && !isDone) alone.unshift(command);
      lines.push(...taskLines(random, { id, marker, command, isDone }), "");
    }
  }
  const ending = random.chance(0.15) ? "\r\n" : "\n";
  return { text: `${random.chance(0.05) ? "\uFEFF" : ""}${lines.join(ending)}`, needs };
}

function taskLines(
  random: Random,
  task: { readonly id: string; readonly marker: string; readonly command: string; readonly isDone: boolean },
): string[] {
  const { id, marker, command, isDone } = task;
  const title = random.pick(["Read the lines", "Sort `fields`", "Write *it* down", "Prüfe Länge"]);
  const files = random.chance(0.2) ? "src/shared.ts" : `src/${id}.ts`;
  return [
    `- [${isDone ? "x" : " "}] ${id} ${marker}${title}`,
    ...(random.chance(0.5) ? ["  - **Do**: Make it", "    1. First this"] : []),
    ...(random.chance(0.7) ? [`  - **Files**: ${files}`] : []),
    ...(random.chance(0.4) ? ["  - **Done when**: It is there"] : []),
    ...(random.chance(0.93) ? [`  - **Verify**: \`${command}\``] : ["  - **Verify**: Look at it"]),
    ...(random.chance(0.5) ? [`  - **Commit**: \`feat: ${id}\``] : []),
  ];
}
