/**
 * Text of a plan.
 *
 * @param lines Headings, tasks written by `taskOf`, and titles of tasks.
 */
export const planOf = (...lines: readonly string[]): string =>
  `# Tasks\n\n${lines.map((line) => (line.startsWith("#") ? `\n${line}\n\n` : isTask(line) ? line : taskOf(line))).join("")}`;

/**
 * A task of a plan.
 *
 * @param title Title with the id as prefix; by default the Verify checks the file in `work` with this id as name.
 * @param fields Further fields, or another Verify; a field of null is omitted.
 */
export function taskOf(title: string, fields: Readonly<Record<string, string | null>> = {}): string {
  const [id] = title.split(" ");
  const all = { Verify: `\`test -e work/${id}\``, ...fields };
  const written = Object.entries(all).flatMap(([name, text]) => (text === null ? [] : [`  - **${name}**: ${text}\n`]));
  return `- [ ] ${title}\n${written.join("")}`;
}

const isTask = (line: string): boolean => line.startsWith("- [");
