import { listPlaces } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The compiler of Go and `go vet`, also when tests are built: errors below the name of their package. */
export const go: ToolReader = { tool: "go", kind: "findings", open: openGo };

const heading = /^# \[?[^\s[\]]{1,500}\]?(?: \[\S{1,500}\])?$/;
const placed = /^(?:vet: )?([^\s:][^:]{0,400}\.(?:go|mod|s)):(\d{1,9})(?::(\d{1,9}))?: (.{1,2000})$/;
const buildOutput = '"Action":"build-output"';

function openGo(): LineReader {
  const places = listPlaces();
  let isOpen = false;
  const read = (line: string): void => {
    const first = line.charCodeAt(0);
    if (first === 0x23) {
      isOpen = heading.test(line);
      return;
    }
    if (!isOpen) return;
    // More of the same message.
    if (first === 0x09 || first === 0x20) return;
    const [, file, at, column, message] = placed.exec(line) ?? [];
    isOpen = file !== undefined;
    if (file !== undefined && message !== undefined) places.add({ file, line: Number(at), column, message });
  };
  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x7b) read(line);
      else if (line.includes(buildOutput)) read(outputOf(line));
    },
    end: places.end,
  };
}

function outputOf(line: string): string {
  try {
    const { Output: output }: { Output?: unknown } = JSON.parse(line);
    return typeof output === "string" ? output.trimEnd() : "";
  } catch {
    return "";
  }
}
