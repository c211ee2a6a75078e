import assert from "node:assert/strict";
import * as fc from "fast-check";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { taskAt } from "../../../src/markdown/document/find-task.ts";
import {
  applyEdit,
  type Edit,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../../src/markdown/document/plan-document.ts";
import { isReadElsewhere } from "../block-oracles.ts";
import { readInOnePiece, readingOf } from "../full-reading.ts";
import { pieces, plans } from "../markdown-arbitraries.ts";
import { property } from "./property.ts";
import { saying } from "./saying.ts";

interface Change {
  readonly place: number;
  readonly atLine: boolean;
  readonly deleted: number;
  readonly inserted: string;
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    atLine: fc.boolean(),
    deleted: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(40)),
    inserted: fc.oneof(fc.constantFrom("", "x", " ", "  ", "\n"), pieces),
  }),
  { minLength: 1, maxLength: 4 },
);

function editOf(text: string, { place, atLine, deleted, inserted }: Change): Edit {
  const at = Math.floor(place * text.length);
  const start = atLine ? Math.max(text.lastIndexOf("\n", at), text.lastIndexOf("\r", at)) + 1 : at;
  return { start, end: Math.min(text.length, start + deleted), text: inserted };
}

const withEdit = (text: string, { start, end, text: inserted }: Edit): string =>
  `${text.slice(0, start)}${inserted}${text.slice(end)}`;

/** Skips texts in which micromark deviates from commonmark.js. */
export function assertReadsInOnePiece({ chunks, text }: PlanDocument): void {
  assert.equal(chunks.map((chunk) => chunk.text).join(""), text);
  if (chunks.length > 0 && isReadElsewhere(text.slice(preambleLength(text)))) {
    assert.deepEqual(readingOf(chunks), readInOnePiece(text));
  }
}

type Step =
  | { readonly kind: "edit" | "reopen"; readonly change: Change }
  | { readonly kind: "tick"; readonly which: number };

const walks = fc.array(
  fc.record({
    from: fc.nat(),
    isRead: fc.boolean(),
    step: fc.oneof<fc.Arbitrary<Step>[]>(
      fc.record({
        kind: fc.constantFrom("edit" as const, "reopen" as const),
        change: changes.map(([one]) => one as Change),
      }),
      fc.record({ kind: fc.constant("tick" as const), which: fc.nat() }),
    ),
  }),
  { minLength: 2, maxLength: 8 },
);

const plain = (part: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `- [ ] ${part + 20}.${n} Task\n${n % 50 === 0 ? "\n## Part\n\n" : ""}`).join(
    "",
  );
const longPlans = fc
  .tuple(plans, fc.constantFrom(0, 0, 0, 0, 0, 300), plans)
  .map(([one, count, other]) => `${one}\n${plain(0, count)}\n${other}`);

function stepFrom(document: PlanDocument, step: Step): PlanDocument | null {
  if (step.kind === "tick") {
    const place = taskAt(document, step.which % Math.max(1, document.plan.tasks.length));
    if (place === undefined) return null;
    const { box, done } = place.task;
    return applyEdit(document, { start: box, end: box + 1, text: done ? " " : "x" });
  }
  const edit = editOf(document.text, step.change);
  return step.kind === "edit" ? applyEdit(document, edit) : reopenPlan(document, withEdit(document.text, edit));
}

export const refreshProperties = [
  property(
    "every version says what its text says, whichever was looked at",
    20_000,
    fc.tuple(longPlans, walks),
    ([text, walk]) => {
      const versions = [openPlan(text)];
      for (const { from, isRead, step } of walk) {
        const next = stepFrom(versions[from % versions.length] as PlanDocument, step);
        if (next === null) continue;
        versions.push(next);
        if (isRead) assert.deepEqual(saying(next), saying(openPlan(next.text)));
      }
      for (const version of versions) assert.deepEqual(saying(version), saying(openPlan(version.text)));
      return undefined;
    },
  ),

  property(
    "a plan opened again says what its text says in one piece",
    150_000,
    fc.tuple(plans, changes),
    ([text, edits]) => {
      let edited = text;
      for (const change of edits) edited = withEdit(edited, editOf(edited, change));
      const again = reopenPlan(openPlan(text), edited);
      assert.equal(again.text, edited);
      assert.deepEqual(saying(again), saying(openPlan(edited)));
      assertReadsInOnePiece(again);
      assert.deepEqual(saying(reopenPlan(again, text)), saying(openPlan(text)));
      return undefined;
    },
  ),

  property("an edited plan says what the edited text says", 50_000, fc.tuple(plans, changes), ([text, edits]) => {
    let document = openPlan(text);
    let edited = text;
    for (const change of edits) {
      const edit = editOf(edited, change);
      edited = withEdit(edited, edit);
      document = applyEdit(document, edit);
      assert.equal(document.text, edited);
      assert.deepEqual(saying(document), saying(openPlan(edited)));
    }
    return undefined;
  }),
];
