// The expected result of each case with each tool, written manually:
//
//   complete  all tasks done              wait     the run waits and continues by itself
//   ask       one question to a person    attempt  a failed attempt, followed by one of the same kind
//   refused   the run does not begin      silence  the tool printed nothing until its time limit
//
// Both `wait` and `silence` are correct for a tool that may retry without output.
const table = `
case                     | claude   | codex    | opencode      | gemini        | qwen          | copilot  | droid
own command              | ask      | refused  | complete      | refused       | ask           | ask      | complete
edit                     | complete | refused  | complete      | refused       | refused       | complete | refused
full                     | complete | complete | complete      | complete      | complete      | complete | complete
fail, then fix           | complete | complete | complete      | complete      | complete      | complete | complete
commit                   | complete | complete | complete      | complete      | complete      | complete | complete
429                      | wait     | wait     | wait          | wait, silence | wait, silence | wait     | wait, silence
usage limit              | wait     | wait     | wait, silence | wait          | wait, silence | wait     | wait, silence
401                      | ask      | ask      | ask           | ask           | ask           | ask      | ask
no key                   | ask      | ask      | ask           | ask           | ask           | ask      | complete
403                      | ask      | ask      | ask           | ask           | ask           | ask      | ask
no credit                | ask      | ask      | ask           | ask           | ask, silence  | ask      | ask
500                      | wait     | wait     | wait, silence | wait, silence | wait, silence | wait     | wait, silence
503                      | wait     | wait     | wait, silence | wait, silence | wait, silence | wait     | wait, silence
529                      | wait     | wait     | wait, silence | wait, silence | wait, silence | wait     | wait, silence
overloaded in the answer | attempt  | wait     | wait, silence | wait, silence | wait, silence | wait     | wait, silence
cut answer               | wait     | wait     | wait, silence | wait, silence | wait, silence | wait     | wait, silence
refused                  | wait     | wait     | wait, silence | wait, silence | wait          | wait     | wait
gateway down             | wait     | wait     | wait, silence | wait, silence | wait          | wait     | wait
no such host             | wait     | wait     | wait, silence | wait, silence | wait          | wait     | wait
prompt too long          | attempt  | attempt  | attempt       | attempt       | attempt       | attempt  | attempt
time limit               | attempt  | attempt  | attempt       | attempt       | attempt       | attempt  | attempt
`;

const [[, ...tools], ...rows] = table
  .trim()
  .split("\n")
  .map((row) => row.split("|").map((cell) => cell.trim()));
const expectations = new Map(
  rows.map(([name, ...cells]) => [name, new Map(cells.map((cell, index) => [tools[index], cell.split(", ")]))]),
);

export function expectedOf(name, tool) {
  const kinds = expectations.get(name)?.get(tool);
  if (kinds !== undefined) return kinds;
  throw new Error(`Cannot judge \`${name}\` of ${tool}, expected a cell for it in scripts/agents/expected.mjs`);
}
