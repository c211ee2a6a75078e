import { parseEvent } from "./output/stream-event.ts";
import { presets } from "./presets.ts";

/** Reads the acts of an agent from the stdout of a known tool, as the terminal shows them. */
export interface ActReader {
  /** Take the next bytes of stdout. Skips lines without an act. */
  take(bytes: Buffer): void;
  /** The acts so far, one per line, such as `Bash npm test`; null unless stdout is the stream of a known tool. */
  read(): string | null;
}

/** The first event of a known tool, which may come long before its first act. */
const opening = /^\s*\{"type":"(?:system|init|thread\.started|step_start|assistant\.turn_start)"/;
/** Maximum length of a line, and of the acts. If the acts are twice as long, the oldest acts are dropped. */
const [longestLine, longestActs] = [8 * 1024 * 1024, 64 * 1024];

export function openActs(): ActReader {
  const watches = presets.flatMap(({ openWatch }) => openWatch?.() ?? []);
  let rest: Buffer = Buffer.alloc(0);
  let acts: string | null = null;
  let last = "";
  let isFirst = true;
  const see = (line: string): void => {
    const event = parseEvent(line.trim());
    if (event === null) return;
    for (const watch of watches) {
      const { tool, line: said } = watch(event) ?? {};
      const act = [tool, said].filter((part) => part !== undefined && part !== "").join(" ");
      if (act === "") continue;
      // Some tools report the start and the end of an act.
      if (act !== last) acts = `${acts ?? ""}${act}\n`;
      last = act;
      return;
    }
  };
  return {
    take: (bytes) => {
      const all = Buffer.concat([rest, bytes]);
      if (isFirst && opening.test(all.toString("utf8", 0, 100))) acts ??= "";
      isFirst &&= all.length < 100;
      const end = all.lastIndexOf(0x0a) + 1;
      for (const line of all.toString("utf8", 0, end).split("\n")) see(line);
      // An act of a longer line is lost.
      rest = all.length - end > longestLine ? Buffer.alloc(0) : all.subarray(end);
      if (acts !== null && acts.length > 2 * longestActs) {
        acts = `\u2026\n${acts.slice(acts.indexOf("\n", acts.length - longestActs) + 1)}`;
      }
    },
    read: () => acts,
  };
}

/** Read the acts in the end of a tool's stdout; null unless it is the stream of a known tool. */
export function actsIn(stdout: string): string | null {
  const reader = openActs();
  reader.take(Buffer.from(`${stdout}\n`));
  return reader.read();
}
