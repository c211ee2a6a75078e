import * as fc from "fast-check";
import type { EscalationEvent, FailedAttempt } from "../model/escalation.ts";
import { TaskLimits } from "../model/limits.ts";
import type { PersonEvent } from "../model/person-event.ts";
import type { PolicyInput } from "../model/policy.ts";
import type { Rung } from "../model/rung.ts";

const remedies: readonly Rung[][] = [["retry"], ["fix"], ["retry", "fix"], ["fix", "retry"]];

const fewFixes = (): Record<string, fc.Arbitrary<number>> => {
  const names = TaskLimits.keyof().options.filter((name) => name.startsWith("maxFix"));
  return Object.fromEntries(names.map((name) => [name, fc.integer({ min: 0, max: 3 })]));
};

/** Small policies, so that every limit is reached soon. */
export const policies = (): fc.Arbitrary<PolicyInput> =>
  fc.record({
    recovery: fc.constantFrom(...remedies),
    maxTaskIterations: fc.integer({ min: 1, max: 3 }),
    ...fewFixes(),
    maxFixTasksPerRoot: fc.integer({ min: 0, max: 9 }),
  });

/** Failed attempts with few different errors, strategies and file states, so that they repeat. */
export const failedAttempts = (): fc.Arbitrary<FailedAttempt> =>
  fc.record(
    {
      error: fc.constantFrom("Too many re-renders", "Expected 2, received 1", "No such file: a.ts"),
      fingerprint: fc.constantFrom("f1", "f2"),
      strategy: fc.option(fc.constantFrom("useReducer", "debounce", "refs")),
      findings: fc.array(fc.constantFrom("react-hook-form is installed", "zod is in use"), { maxLength: 2 }),
      admission: fc.option(fc.constant("i don't know how to"), { freq: 9 }),
      fileState: fc.option(fc.constantFrom("s1", "s2", "s3")),
      changed: fc.option(fc.boolean()),
    },
    { requiredKeys: ["error"] },
  );

/** Event histories of an escalation machine; mostly failures, so that every level is reached. */
export const escalationHistories = ({
  maxLength = 40,
}: {
  maxLength?: number;
} = {}): fc.Arbitrary<(EscalationEvent | PersonEvent)[]> =>
  fc.array(
    fc.oneof(
      { weight: 12, arbitrary: failedAttempts().map((failure) => ({ type: "attempt.failed", failure }) as const) },
      { weight: 3, arbitrary: fc.constant({ type: "attempt.rejected" } as const) },
      { weight: 1, arbitrary: fc.constant({ type: "attempts.exhausted" } as const) },
      { weight: 1, arbitrary: fc.constant({ type: "attempt.passed" } as const) },
      { weight: 1, arbitrary: fc.constant({ type: "guidance.given", text: "use zod" } as const) },
    ),
    { maxLength },
  );

/** Ids of planned tasks in every form that plans use. */
export const taskIds = (): fc.Arbitrary<string> => fc.constantFrom("1.3", "V4", "VF", "T001", "3", "1.2.3a", "H482913");

/** Well-formed plans whose Verify commands always pass. */
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
