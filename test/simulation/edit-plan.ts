import type { Random } from "../../src/model/random.ts";
import type { Scene } from "./scene.ts";

type PlanEdit =
  | "tickOwn"
  | "tickOther"
  | "untick"
  | "note"
  | "noteOther"
  | "verify"
  | "add"
  | "remove"
  | "swap"
  | "rename"
  | "double"
  | "break"
  | "empty";

const weights: Readonly<Record<PlanEdit, number>> = {
  ...{ tickOwn: 6, tickOther: 6, untick: 4, note: 8, noteOther: 3, verify: 2, add: 2, remove: 2, swap: 2, rename: 1 },
  ...{ double: 1, break: 1, empty: 1 },
};

export function editPlan(scene: Scene, kind: PlanEdit = scene.random.among(weights)): void {
  const { world, delegation, random } = scene;
  const text = editedPlan(world.store.tasks.text, delegation.taskId, kind, random);
  if (text === world.store.tasks.text) return;
  world.count(`plan edit: ${kind}`);
  world.tell(`${delegation.key} changes the plan: ${kind}`);
  world.store.tasks.text = text;
}

export function editedPlan(text: string, own: string, kind: PlanEdit, random: Random): string {
  const boxes = [...text.matchAll(/^- \[([ x])\] (\S+) /gm)];
  const [first, ...rest] = boxes;
  if (first === undefined) return text;
  const other = random.pick([first, ...rest]);
  const mine = boxes.find(([, , id]) => id === own) ?? other;
  const at = (box: RegExpExecArray, from: string, to: string): string =>
    box[1] === from ? text.slice(0, box.index + 3) + to + text.slice(box.index + 4) : text;
  const behind = (box: RegExpExecArray, line: string): string => {
    const end = text.indexOf("\n", box.index) + 1;
    return end === 0 ? text : `${text.slice(0, end)}${line}\n${text.slice(end)}`;
  };
  const next = boxes.find(({ index }) => index > other.index)?.index ?? text.length;
  switch (kind) {
    case "tickOwn":
      return at(mine, " ", "x");
    case "tickOther":
      return at(other, " ", "x");
    case "untick":
      return at(other, "x", " ");
    case "note":
      return text.includes(`- A note on ${own}`) ? text : behind(mine, `  - A note on ${own}`);
    case "noteOther":
      return behind(other, "  - **Do**: Something else");
    case "verify":
      return text.replace(/\*\*Verify\*\*: `check/, "**Verify**: `recheck");
    case "add":
      return `${text}\n- [ ] 9.${1 + random.below(3)} Added\n  - **Verify**: \`check 9\`\n`;
    case "remove":
      return text.slice(0, other.index) + text.slice(next);
    case "swap":
      return text.slice(0, other.index) + text.slice(next) + text.slice(other.index, next);
    case "rename":
      return text.slice(0, other.index + 6) + text.slice(other.index + 6).replace(/^\S+/, "8.8");
    case "double":
      return text + text.slice(other.index, next);
    case "break":
      return behind(other, random.pick(["```", "<!--", "    ~~~", "\u0000"]));
    case "empty":
      return random.pick(["", "# Tasks\n"]);
  }
}
