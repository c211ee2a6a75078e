import assert from "node:assert/strict";
import * as fc from "fast-check";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";
import { fixTexts, plans } from "../markdown-arbitraries.ts";
import { attempt } from "./insert.ts";
import { property } from "./property.ts";
import { saidOfTasks, saying } from "./saying.ts";

const steps = fc.array(fc.tuple(fixTexts, fc.nat(20)), { minLength: 2, maxLength: 6 });

export const seriesProperties = [
  property(
    "I3: fixes of a task stand behind it in the order of their numbers",
    20_000,
    fc.tuple(plans, steps),
    ([text, all]) => {
      let document = openPlan(text);
      const before = saidOfTasks(document);
      const planned = new Set(document.plan.tasks.map(({ id }) => id));
      const made = new Map<string, number[]>();
      const blocks: { start: number; length: number }[] = [];
      for (const [texts, which] of all) {
        const of = which % 2 === 0 ? which >> 2 : document.plan.tasks.findLastIndex(({ id }) => made.has(id));
        const id = document.plan.tasks[of % Math.max(1, document.plan.tasks.length)]?.id ?? "";
        const found = attempt(document, texts, Math.max(0, of), made.get(id)?.length ?? 0);
        if (typeof found === "string") continue;
        const { edit, fix, task } = found;
        made.set(task.id, [...(made.get(task.id) ?? []), Number(fix.id.slice(task.id.length + 1))]);
        blocks.push({ start: edit.start, length: edit.text.length });
        document = applyEdit(document, edit);
      }
      if (made.size === 0) return "no insertion";
      assert.deepEqual(saying(document), saying(openPlan(document.text)));

      const { tasks } = document.plan;
      for (const [id, numbers] of made) {
        const places = numbers.map((number) => tasks.findIndex((task) => task.id === `${id}.${number}`));
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
          `fixes of ${id}`,
        );
        assert.ok((places[0] ?? -1) > tasks.findIndex((task) => task.id === id));
        for (let number = 1; number < (numbers.at(-1) ?? 0); number += 1) {
          assert.ok(numbers.includes(number) || planned.has(`${id}.${number}`), `gap at ${id}.${number}`);
        }
      }
      const fixes = new Set([...made].flatMap(([id, numbers]) => numbers.map((number) => `${id}.${number}`)));
      assert.equal(tasks.length, before.length + fixes.size);
      assert.deepEqual(
        saidOfTasks(document).filter(({ id }) => !fixes.has(id)),
        before,
      );

      for (const { start, length } of blocks.reverse()) {
        document = applyEdit(document, { start, end: start + length, text: "" });
      }
      assert.deepEqual(saying(document), saying(openPlan(text)));
      return undefined;
    },
  ),
];
