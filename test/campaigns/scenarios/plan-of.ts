/**
 * Text of a plan.
 *
 * @param lines Headings, tasks as `taskOf` writes them, and titles of such.
 */
export const planOf = (...lines: readonly string[]): string =>
  `# Tasks\n\n${lines.map((line) => (line.startsWith("#") ? `\n${line}\n\n` : isTask(line) ? line : taskOf(line))).join("")}`;

/**
 * A task of a plan.
 *
 * @param title With its id as prefix, which is the name of the file in `work` that its Verify checks.
 * @param fields In addition to that, or in place of it; a Verify of null is omitted.
 */
export function taskOf(title: string, fields: Readonly<Record<string, string | null>> = {}): string {
  const [id] = title.split(" ");
  const all = { Verify: `\`test -e work/${id}\``, ...fields };
  const written = Object.entries(all).flatMap(([name, text]) => (text === null ? [] : [`  - **${name}**: ${text}\n`]));
  return `- [ ] ${title}\n${written.join("")}`;
}

const isTask = (line: string): boolean => line.startsWith("- [");
