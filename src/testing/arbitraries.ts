import * as fc from "fast-check";
import type { PolicyInput, Rung } from "../model/policy.ts";

const remedies: readonly Rung[][] = [["retry"], ["fix"], ["retry", "fix"], ["fix", "retry"]];

/** Small policies, of which every limit is reached soon. */
export const policies = (): fc.Arbitrary<PolicyInput> =>
  fc.record({
    recovery: fc.constantFrom(...remedies),
    maxTaskIterations: fc.integer({ min: 1, max: 3 }),
    maxFixTasksPerOriginal: fc.integer({ min: 0, max: 3 }),
    maxFixTaskDepth: fc.integer({ min: 0, max: 3 }),
    maxFixTasksPerRoot: fc.integer({ min: 0, max: 9 }),
  });

/** Ids of planned tasks, of every form that plans use. */
export const taskIds = (): fc.Arbitrary<string> => fc.constantFrom("1.3", "V4", "VF", "T001", "3", "1.2.3a", "H482913");

/** Texts of well-formed plans with a Verify command that always passes. */
export const planTexts = ({ maxTasks = 6 }: { maxTasks?: number } = {}): fc.Arbitrary<string> =>
  fc
    .array(fc.record({ title: fc.stringMatching(/^[A-Za-z][a-z ]{0,20}[a-z]$/), done: fc.boolean() }), {
      minLength: 1,
      maxLength: maxTasks,
    })
    .map((tasks) =>
      tasks
        .map(({ title, done }, index) => `- [${done ? "x" : " "}] 1.${index + 1} ${title}\n  - **Verify**: \`true\`\n`)
        .join("\n"),
    );
