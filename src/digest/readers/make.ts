import { listFindings } from "../finding-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";
import { steadyText } from "../steady-text.ts";

/** GNU make, which says last which of its targets failed. */
export const make: ToolReader = { tool: "make", kind: "wrapper", open: openMake };

const stop = /^(?:g|mingw32-)?make(?:\[(\d{1,4})\])?: \*\*\* (\S.{0,2000})$/;
const inMakefile = /^([^\s:]{1,300}):\d{1,9}: \*\*\* (\S.{0,2000})$/;
/** `[Makefile:3: test] Error 1`, before version 4 without the place. */
const failedTarget = /^\[(?:([^\s:\]]{1,300}):(\d{1,9}): )?([^\]]{1,500})\] (\S.{0,300})$/;

function openMake(): LineReader {
  const findings = listFindings();
  /** How deep the make is that stopped last: the ones that have started it stop, too. */
  let deepest = -1;
  const readStop = (level: number, said: string): void => {
    if (said.startsWith("Waiting for unfinished jobs")) return;
    const [, file = null, at, target, reason] = failedTarget.exec(said) ?? [];
    if (deepest > level && target !== undefined) {
      deepest = level;
      return;
    }
    deepest = level;
    if (target === undefined) {
      const message = said.replace(/ {2}Stop\.$/, "");
      findings.add({ id: steadyText(message), file: null, line: null, message });
      return;
    }
    const line = at === undefined ? null : Number(at);
    findings.addEach({ id: steadyText(target), file, line, message: reason ?? said });
  };
  return {
    read: (line) => {
      if (!line.includes("*** ")) return;
      const [, level = "0", said] = stop.exec(line) ?? [];
      if (said !== undefined) {
        readStop(Number(level), said);
        return;
      }
      const [, file, message] = line.endsWith("  Stop.") ? (inMakefile.exec(line) ?? []) : [];
      if (file === undefined || message === undefined) return;
      const reason = message.slice(0, -"  Stop.".length);
      findings.add({ id: `${file}: ${steadyText(reason)}`, file, line: null, message: reason });
    },
    end: findings.end,
  };
}
