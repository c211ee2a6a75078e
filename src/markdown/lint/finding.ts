import { findingBy } from "../finding.ts";

export const finding = findingBy({
  "stray-box": () => [
    "This box belongs to no task, so nothing ticks it",
    "If it is to be done, write it as a list item of its own, e.g. `- [ ] 1.1 Add the parser`; else remove the box.",
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
    'Give one command for all of them, `fixpoint run --verify "npm test"`, or give each task its own: `  - **Verify**: npm test`.',
  ],
  "number-order": (id: string, last: string) => [
    `Task \`${id}\` comes after \`${last}\`; tasks are done in the order in which they are written`,
    "Move it to where its number belongs, or give it another number.",
  ],
  "unreachable-fix": (id: string, original: string) => [
    `Task \`${id}\` is marked as a fix of \`${original}\`, but its id is not \`${original}.\` and a number`,
    `Give it the id \`${original}.1\`, or the next number that no task has: fixes are found by their ids.`,
  ],
  "misplaced-fix": (id: string, original: string) => [
    `Task \`${id}\` is a fix of \`${original}\`, but does not come right after it and its other fixes`,
    `Move it to the end of task \`${original}\`, where the next fix will be written.`,
  ],
  "unknown-dependency": (id: string, word: string) => [
    `Task \`${id}\` depends on \`${word}\`, which is not in the plan: the dependency has no effect`,
    "Name a task of the plan, or describe the requirement in words.",
  ],
  "unrunnable-verify": (id: string, reason: string) => [
    `The Verify of task \`${id}\` is not run: ${reason}`,
    "Write one command in a code span or a fence, and what to expect under Done when.",
  ],
  "prose-verify": (id: string, isProse: boolean, command: string, meant: string) => [
    `The Verify of task \`${id}\` is ${
      isProse ? "a sentence, not a command" : "preceded by a terminal prompt"
    }: ${quote(command)}`,
    meant === ""
      ? "Write a command in a code span, and move the sentence to `Done when`."
      : `Write the command alone, in a code span: ${quote(meant)}`,
  ],
  "endless-verify": (id: string, command: string) => [
    `The Verify of task \`${id}\` does not end by itself: ${quote(command)}`,
    "Write a command that runs once, such as `vitest run`, or one that starts the server, queries it and stops it.",
  ],
  "inverted-verify": (id: string, search: string) => [
    `The Verify of task \`${id}\` passes when ${quote(search)} finds something, but the task wants nothing to be found`,
    `Negate it: \`! ${search}\``,
  ],
  "vacuous-verify": (id: string, why: string, isPiped: boolean) => [
    `The Verify of task \`${id}\` passes whatever the task did: ${why}`,
    isPiped
      ? "Remove the part after the last `|`: only the exit code of the last command counts."
      : "Write a command that fails until the task is done.",
  ],
  "red-verify": (id: string) => [
    `The Verify of task \`${id}\` exits with 0 only if its tests pass, but a task marked [RED] writes one that fails`,
    "Negate it, as in `! npm test`, or look for the failure: `npm test 2>&1 | grep -q FAIL && echo RED_PASS`.",
  ],
});

export const quote = (command: string): string => `\`${command.length > 60 ? `${command.slice(0, 59)}…` : command}\``;
