import { listPlaces } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** MSBuild and the compilers of .NET, also under `dotnet build`. */
export const msbuild: ToolReader = { tool: "msbuild", kind: "findings", open: openMsbuild };

const error = /: error ((?:CS|FS|BC|VB|MSB|NETSDK|NU|CA|IDE|SA|RZ|SYSLIB|C|LNK)\d{3,5}): (?=\S)/;
/** `Calc.cs(3,10)`, where several build at once with a number before it. */
const place = /^(?:\d{1,3}>)?([^\s(:][^(]{0,500})\((\d{1,9})(?:,(\d{1,9}))?(?:,[\d,]{1,30})?\)$/;
const tool = /^(?:\d{1,3}>)?((?:[A-Za-z]:)?[^\s(:][^(:]{0,300})$/;

function openMsbuild(): LineReader {
  const places = listPlaces();
  return {
    read: (line) => {
      if (!line.includes(": error ")) return;
      const match = error.exec(line);
      if (match === null) return;
      const where = line.slice(0, match.index).trim();
      const message = withoutProject(line.slice(match.index + match[0].length));
      const [, file, at, column] = place.exec(where) ?? [];
      if (file !== undefined) places.add({ file, line: Number(at), column, code: match[1], message });
      else {
        const [, name] = tool.exec(where) ?? [];
        if (name !== undefined) places.add({ file: name.trim(), line: null, code: match[1], message });
      }
    },
    end: places.end,
  };
}

/** The same error is printed for each framework that a project is built for. */
function withoutProject(text: string): string {
  const start = text.endsWith("]") ? text.lastIndexOf(" [") : -1;
  const project = text.slice(start + 2, -1).split("::", 1)[0] ?? "";
  return start > 0 && project.endsWith("proj") ? text.slice(0, start) : text;
}
