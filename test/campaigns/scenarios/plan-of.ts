export const planOf = (...lines: readonly string[]): string =>
  `# Tasks\n\n${lines.map((line) => (line.startsWith("#") ? `\n${line}\n\n` : isTask(line) ? line : taskOf(line))).join("")}`;

/**
 * @param title Begins with the id. By default, Verify expects a file in `work` with the id as its name.
 * @param fields More fields, or another Verify; null omits a field.
 */
export function taskOf(title: string, fields: Readonly<Record<string, string | null>> = {}): string {
  const [id] = title.split(" ");
  const all = { Verify: `\`test -e work/${id}\``, ...fields };
  const written = Object.entries(all).flatMap(([name, text]) => (text === null ? [] : [`  - **${name}**: ${text}\n`]));
  return `- [ ] ${title}\n${written.join("")}`;
}

const isTask = (line: string): boolean => line.startsWith("- [");
