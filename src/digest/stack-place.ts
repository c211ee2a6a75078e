/** Where something is in a file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

const form = /^(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():][^():]{0,400}):(\d{1,9})(?::\d{1,9})?\)?$/;

/** The place that a line of a stack of JavaScript names, such as `at test (src/a.js:3:5)`; null outside the project. */
export function stackPlace(text: string): Place | null {
  const line = text.trim();
  if (!/^(?:at|❯|›) /.test(line) || line.length > 1000) return null;
  const called = line.lastIndexOf("(");
  const place = called === -1 ? line.replace(/^(?:at|❯|›) (?:async )?/, "") : line.slice(called + 1);
  const [, file, number] = form.exec(place) ?? [];
  if (file === undefined || /^node:|^internal\/|node_modules\//.test(file) || place.startsWith("node:")) return null;
  return { file, line: Number(number) };
}
