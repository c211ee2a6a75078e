import { lintProblem, type Problem, type Rule } from "../../model/rule.ts";

type Texts = readonly [message: string, hint: string];

/** Message and advice of each rule that needs only the plan. */
const texts = {
  "no-tasks": () => [
    "The plan has no task",
    "Write tasks as list items with a box, e.g. `- [ ] 1.1 Add the parser`; one of GSD is read by `fixpoint init`.",
  ],
  "duplicate-id": (id: string, lines: readonly number[]) => [
    `Task id \`${id}\` is on lines ${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`,
    "Give each of the tasks an id of its own.",
  ],
  "circular-order": (circle: readonly string[]) => [
    `Tasks depend on each other in a circle: ${[...circle, circle[0]].join(", ")}`,
    "Remove one of the remarks that say what they depend on.",
  ],
  "fix-without-original": (id: string, fixOf: string) => [
    `Task \`${id}\` is a fix of \`${fixOf}\`, which is not in the plan`,
    `Add task \`${fixOf}\`, or remove the marker \`[FIX ${fixOf}]\`.`,
  ],
  "open-command": (id: string) => [
    `A command of task \`${id}\` does not end within the task: the following lines no longer belong to it`,
    "Indent all of its lines like the field, or put it into a file that the task names.",
  ],
  "heading-task": (title: string) => [
    `The heading \`${title}\` is not read as a task`,
    "Write the task as a list item with a box; headings group tasks.",
  ],
  "near-miss-task": () => [
    "This line looks like a task but does not read as one",
    "Write `- [ ] ` with one blank after the bullet, in the box and after it.",
  ],
  "open-fence": () => [
    "This fence is never closed; nothing after it in its block is read",
    "Close the fence with a line that repeats its marks.",
  ],
  "stray-box": () => [
    "This box belongs to no task, so nothing ticks it",
    "If it is to be done, write it as a list item of its own, e.g. `- [ ] 1.1 Add the parser`; else leave out the box.",
  ],
  "near-miss-marker": (id: string, written: string, meant: string, isInside: boolean) =>
    isInside
      ? [
          `Task \`${id}\` has \`[${written}]\` inside its title, where it is not a marker and changes nothing`,
          `Write \`[${meant}]\` right after the id, as in \`- [ ] ${id} [${meant}] …\`, if the marker is meant.`,
        ]
      : [
          `Task \`${id}\` has \`[${written}]\`, which is not a marker and changes nothing`,
          `Write \`[${meant}]\` if that is meant.`,
        ],
  "missing-field": (id: string, missing: readonly string[], example: string) => [
    `Task \`${id}\` has no ${missing.join(", ")}, as other tasks have`,
    `Add a line below the task${missing.length === 1 ? "" : " for each"}, such as \`  - **${missing[0]}**: ${example}\`.`,
  ],
  "no-verify": () => [
    "No task has a Verify: a task counts as done when its executor says so",
    'Give one command for all of them, `fixpoint run --verify "npm test"`, or a task its own: `  - **Verify**: npm test`.',
  ],
  "number-order": (id: string, last: string) => [
    `Task \`${id}\` comes after \`${last}\`; tasks are done in the order in which they are written`,
    "Move it to where its number belongs, or give it another number.",
  ],
  "unreachable-fix": (id: string, original: string) => [
    `Task \`${id}\` is marked as a fix of \`${original}\`, but its id is not \`${original}\` and a number`,
    `Give it the id \`${original}.1\`, or the next number that no task has: fixes are found by their ids.`,
  ],
  "misplaced-fix": (id: string, original: string) => [
    `Task \`${id}\` is a fix of \`${original}\`, but does not come right after it and its other fixes`,
    `Move it to the end of task \`${original}\`, where the next fix will be written.`,
  ],
  "unknown-dependency": (id: string, word: string) => [
    `Task \`${id}\` depends on \`${word}\`, which is not in the plan: it waits for nothing`,
    "Name a task of the plan, or describe the requirement in words.",
  ],
  "shared-file": (owner: string, id: string, paths: readonly string[]) => [
    `Tasks \`${owner}\` and \`${id}\` are both marked [P] and name ${paths.map((path) => `\`${path}\``).join(", ")}`,
    "Take [P] from one of them: tasks that are done at the same time must not write the same file.",
  ],
  "pr-lifecycle": (title: string, hasTasks: boolean) => [
    `fixpoint creates and watches no pull request: of "${title}" ${hasTasks ? "only the tasks are done" : "nothing is done, as it has no task"}`,
    "Write what is to be done as tasks, or do it yourself",
  ],
  "unrunnable-verify": (id: string, reason: string) => [
    `The Verify of task \`${id}\` is not run: ${reason}`,
    "Write one command in a code span or a fence, and what to expect under Done when.",
  ],
  "prose-verify": (id: string, isProse: boolean, command: string, meant: string) => [
    `The Verify of task \`${id}\` is ${
      isProse ? "a sentence, not a command" : "written with the prompt of a terminal"
    }: ${quote(command)}`,
    meant === ""
      ? "Write a command in a code span, and the sentence under Done when."
      : `Write the command alone, in a code span: ${quote(meant)}`,
  ],
  "endless-verify": (id: string, command: string) => [
    `The Verify of task \`${id}\` does not end by itself: ${quote(command)}`,
    "Write a command that runs once, such as `vitest run`, or asks the server something and ends it.",
  ],
  "inverted-verify": (id: string, search: string) => [
    `The Verify of task \`${id}\` passes when ${quote(search)} finds something, but the task wants nothing to be found`,
    `Negate it: \`! ${search}\``,
  ],
  "vacuous-verify": (id: string, why: string, isPiped: boolean) => [
    `The Verify of task \`${id}\` passes whatever the task did: ${why}`,
    isPiped
      ? "Remove the part after the last `|`: only the exit code of the last command counts."
      : "Write a command that fails as long as the task is not done.",
  ],
  "red-verify": (id: string) => [
    `The Verify of task \`${id}\` exits with 0 only if its tests pass, but a task marked [RED] writes one that fails`,
    "Negate it, as in `! npm test`, or look for the failure: `npm test 2>&1 | grep -q FAIL && echo RED_PASS`.",
  ],
} as const satisfies Partial<Record<Rule, (...values: never[]) => Texts>>;

/** Create a problem on a line. @param values Values for its texts. */
export function finding<Name extends keyof typeof texts>(
  rule: Name,
  line: number,
  ...values: Parameters<(typeof texts)[Name]>
): Problem {
  const write = texts[rule] as (...values: Parameters<(typeof texts)[Name]>) => Texts;
  return lintProblem(rule, line, ...write(...values));
}

/** Render a command as code, shortened if it is long. */
export const quote = (command: string): string => `\`${command.length > 60 ? `${command.slice(0, 59)}…` : command}\``;
