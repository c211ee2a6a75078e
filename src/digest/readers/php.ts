import { listPlaces } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** PHP itself, where it cannot read a file or stops. It may print the same twice, with and without its name. */
export const php: ToolReader = { tool: "php", kind: "findings", open: openPhp };

const opening = /^(?:PHP )?(?:Parse|Fatal) error: {1,2}(?=\S)/;
const onLine = /^(\S{1,500}) on line (\d{1,9})$/;
const afterColon = /^([^\s:]{1,500}):(\d{1,9})$/;

function openPhp(): LineReader {
  const places = listPlaces();
  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if ((first !== 0x50 && first !== 0x46) || !line.includes(" error: ")) return;
      const [head] = opening.exec(line) ?? [];
      const end = line.lastIndexOf(" in ");
      if (head === undefined || end <= head.length) return;
      const where = line.slice(end + " in ".length);
      const [, file, at] = onLine.exec(where) ?? afterColon.exec(where) ?? [];
      if (file !== undefined) places.add({ file, line: Number(at), message: line.slice(head.length, end) });
    },
    end: places.end,
  };
}
