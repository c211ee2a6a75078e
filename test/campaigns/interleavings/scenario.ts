import * as fc from "fast-check";
import type { PersonDecision, PersonEvent } from "../../../src/model/person-event.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";

/** `late`: the executor ignores an abort, and replies anyway. */
export type Fate = "done" | "failed" | "rejected" | "denied" | "limited" | "split" | "late";

interface Word {
  readonly behind: number;
  readonly word: PersonEvent | { readonly type: "abort" };
}

export interface Scenario {
  readonly tasks: readonly ("[P]" | "[P] shares" | "alone")[];
  readonly maxParallel: number;
  readonly recovery: NonNullable<PolicyInput["recovery"]>;
  readonly fates: readonly (readonly Fate[])[];
  readonly findings: number | null;
  readonly words: readonly Word[];
  readonly answers: readonly (PersonDecision | "advice")[];
  readonly killedAt: number | null;
}

const task = fc.constantFrom("[P]" as const, "[P]" as const, "[P] shares" as const);
const ladders: readonly Scenario["recovery"][] = [["retry"], ["fix"], ["fix", "repair"], ["retry", "pivot"]];
const fate = fc.constantFrom<Fate>("done", "failed", "failed", "rejected", "denied", "limited", "split", "late");
const word = fc.record<Word>({
  behind: fc.nat(60),
  word: fc.oneof(
    fc.constant({ type: "pause" } as const),
    fc.constant({ type: "resume" } as const),
    fc.constant({ type: "guidance.given", text: "Use the other library" } as const),
    fc.constantFrom({ type: "cancel" } as const, { type: "abort" } as const),
    fc.constantFrom<PersonDecision>("retry", "skip", "skip-task", "stop").map((decision) => ({
      type: "decision.made" as const,
      decision,
    })),
  ),
});

const base = {
  tasks: fc
    .tuple(fc.array(task, { minLength: 2, maxLength: 4 }), fc.boolean())
    .map(([members, follows]): Scenario["tasks"] => (follows ? [...members, "alone"] : members)),
  maxParallel: fc.integer({ min: 2, max: 4 }),
  recovery: fc.constantFrom(...ladders),
  fates: fc.array(fc.array(fate, { maxLength: 3 }), { maxLength: 5 }),
};

/** Executors reply the same in any order of events. */
export const calmScenarios: fc.Arbitrary<Scenario> = fc
  .record({
    ...base,
    recovery: fc.constantFrom(...ladders.slice(0, 2)),
    findings: fc.constantFrom(null, 0, 1),
    words: fc.constant([]),
    answers: fc.constant([]),
    killedAt: fc.constant(null),
  })
  // Omit reviews if a task is split: every fifth task is reviewed, and a split changes the count.
  .map((scenario) => (scenario.fates.flat().includes("split") ? { ...scenario, findings: null } : scenario));

export const livelyScenarios: fc.Arbitrary<Scenario> = fc.record({
  ...base,
  findings: fc.constantFrom(null, null, 0, 2),
  words: fc.array(word, { maxLength: 4 }),
  answers: fc.array(fc.constantFrom<Scenario["answers"][number]>("retry", "skip", "skip-task", "stop", "advice"), {
    maxLength: 3,
  }),
  killedAt: fc.option(fc.nat(40), { freq: 3 }),
});

const marks = { "[P]": " [P]", "[P] shares": " [P]", alone: "" };

export function planOf({ tasks }: Scenario): string {
  const lines = tasks.map((kind, index) => {
    const file = kind === "[P] shares" ? index - 1 : index;
    const id = `1.${index + 1}`;
    return `- [ ] ${id}${marks[kind]} Make ${id}\n  - **Files**: src/${file}.ts\n  - **Verify**: \`check ${id}\`\n`;
  });
  return `# Tasks\n\n## Phase 1: Make\n\n${lines.join("")}- [ ] 2.1 [VERIFY] All\n  - **Verify**: \`check 2.1\`\n`;
}
