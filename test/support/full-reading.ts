import { type Chunk, readChunk } from "../../src/markdown/document/chunk.ts";
import { preambleLength } from "../../src/markdown/document/cut-chunks.ts";

export function readingOf(chunks: readonly Omit<Chunk, "bytes">[]) {
  let [offset, line] = [0, 0];
  return chunks
    .map(({ text, lines, ...chunk }) => {
      const [start, first] = [offset, line];
      offset += text.length;
      line += lines;
      return {
        tasks: chunk.tasks.map((task) => ({
          ...{ id: task.id, title: task.title, markers: [...task.markers], done: task.done, depth: task.depth },
          ...{ aside: task.aside, fields: { ...task.fields }, line: first + task.line },
          ...{ start: start + task.start, end: start + task.end, box: start + task.box },
        })),
        headings: chunk.headings.map((heading) => ({
          ...{ title: heading.title, level: heading.level, start: start + heading.start, line: first + heading.line },
        })),
        oddities: chunk.oddities.map((odd) => ({ rule: odd.rule, line: first + odd.line })),
        open: chunk.open === null ? null : start + chunk.open,
      };
    })
    .reduce((above, { open, ...chunk }) => ({
      tasks: [...above.tasks, ...chunk.tasks],
      headings: [...above.headings, ...chunk.headings],
      oddities: [...above.oddities, ...chunk.oddities],
      open,
    }));
}

export function readInOnePiece(text: string) {
  const length = preambleLength(text);
  const above = text.slice(0, length);
  const lines = above.split(/\r\n|\n|\r/).length - 1;
  const preamble = { text: above, lines, tasks: [], headings: [], oddities: [], open: null };
  return readingOf([preamble, readChunk(text.slice(length))]);
}
