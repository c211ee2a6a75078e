/** The title of a line such as `==== FAILURES ====`; null when it is none. */
export function frameOf(line: string, mark: string): string | null {
  let start = 0;
  while (line[start] === mark) start += 1;
  let end = line.length;
  while (end > start && line[end - 1] === mark) end -= 1;
  const isFramed = start > 0 && end < line.length && line[start] === " " && line[end - 1] === " ";
  const title = isFramed ? line.slice(start + 1, end - 1) : "";
  // A line of `_ _ _` parts the calls of a traceback.
  return title === "" || title.startsWith(`${mark} `) ? null : title;
}
