import { type LineReader, listPlaces, type ToolReader } from "../reader.ts";
import { fieldsOf, listOf, numberOf } from "../shapes.ts";

/** ShellCheck, which fails for every message, including notes. */
export const shellcheck: ToolReader = { tool: "shellcheck", kind: "findings", open: openShellcheck };

const heading = /^In (\S.{0,500}) line (\d{1,9}):$/;
const pointer = /^\s{0,4096}\^-[-^]{0,4096} (SC\d{4})(?: \(\w{1,10}\))?: (\S.{0,2000})$/;
const gcc = /^([^\s:][^:]{0,500}):(\d{1,9}):(\d{1,9}): (?:error|warning|note): (\S.{0,2000}) \[(SC\d{4})\]$/;

function openShellcheck(): LineReader {
  const places = listPlaces();
  let file: string | null = null;
  let at = 0;
  const addComments = (value: unknown): void => {
    for (const comment of listOf(Array.isArray(value) ? value : fieldsOf(value)["comments"])) {
      const { file: path, line, column, code, message } = fieldsOf(comment);
      if (typeof path !== "string" || typeof code !== "number" || typeof message !== "string") continue;
      places.add({ file: path, line: numberOf(line), column: String(column), code: `SC${code}`, message });
    }
  };
  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x49 && line.startsWith("In ")) {
        const [, path, number] = heading.exec(line) ?? [];
        if (path === undefined) return;
        file = path;
        at = Number(number);
      } else if (file !== null && line.includes("^-")) {
        const [, code, message] = pointer.exec(line) ?? [];
        const column = String(line.indexOf("^"));
        if (message !== undefined) places.add({ file, line: at, column, code, message });
      } else if (line.endsWith("]") && line.includes(" [SC")) {
        const [, path, number, column, message, code] = gcc.exec(line) ?? [];
        if (path !== undefined && message !== undefined) {
          places.add({ file: path, line: Number(number), column, code, message });
        }
      }
    },
    json: addComments,
    end: places.end,
  };
}
