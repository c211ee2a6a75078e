import { listPlaces } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The compiler of Kotlin, as Gradle and Maven start it. */
export const kotlinc: ToolReader = { tool: "kotlinc", kind: "findings", open: openKotlinc };

/** Before version 1.8 with brackets around the place. */
const placed =
  /^e: (?:file:\/\/)?(\/?[^\s:][^:]{0,500}\.kts?):(?: \((\d{1,9}), (\d{1,9})\):|(\d{1,9}):(\d{1,9}):?) (\S.{0,2000})$/;

function openKotlinc(): LineReader {
  const places = listPlaces();
  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x65 || !line.startsWith("e: ")) return;
      const [, file, oldLine, oldColumn, newLine, newColumn, message] = placed.exec(line) ?? [];
      if (file === undefined || message === undefined) return;
      places.add({ file, line: Number(oldLine ?? newLine), column: oldColumn ?? newColumn, message });
    },
    end: places.end,
  };
}
