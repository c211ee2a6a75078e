import { type LineReader, listFindings, listPlaces, steadyText, type ToolReader } from "../reader.ts";

/** GNU make, which prints the failed target last. */
export const make: ToolReader = { tool: "make", kind: "wrapper", open: openMake };

const stop = /^(?:g|mingw32-)?make(?:\[(\d{1,4})\])?: \*\*\* (\S.{0,2000})$/;
const inMakefile = /^([^\s:]{1,300}):\d{1,9}: \*\*\* (\S.{0,2000})$/;
/** `[Makefile:3: test] Error 1`; before version 4 without the position. */
const failedTarget = /^\[(?:([^\s:\]]{1,300}):(\d{1,9}): )?([^\]]{1,500})\] (\S.{0,300})$/;

function openMake(): LineReader {
  const findings = listFindings();
  /** Depth of the last failed make. The makes that called it fail, too, but are not counted. */
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

/** Compilers of C and related languages, mainly gcc and clang, and their linkers. Warnings are not failures. */
export const cc: ToolReader = { tool: "cc", kind: "findings", open: openCc };

/** Other tools print in the same form, so only files with these endings are read. */
const placed =
  /^([^\s:][^:]{0,500}\.(?:[cChHmsS]|cc|cpp|cxx|c\+\+|hh|hpp|hxx|h\+\+|inl|ipp|tcc|mm|cu|cuh|ino)):(\d{1,9}):(?:(\d{1,9}):)? (?:fatal )?error: (\S.{0,2000})$/;
const undefinedName =
  /^(?:[^\s:][^:]{0,500}: )?([^\s:()][^:()]{0,500}):(?:\(\.[^)]{1,200}\)|(\d{1,9})): (undefined reference to .{1,1000})$/;
const driver = /^(?:collect2|clang(?:\+\+)?(?:-\d{1,3})?): error: (\S.{0,500})$/;

function openCc(): LineReader {
  const places = listPlaces();
  let unlinked: string | null = null;
  return {
    read: (line) => {
      if (line.includes("error: ")) {
        const [, file, at, column, message] = placed.exec(line) ?? [];
        if (file !== undefined && message !== undefined) places.add({ file, line: Number(at), column, message });
        else if (line.charCodeAt(0) === 0x63) unlinked ??= driver.exec(line)?.[1] ?? null;
      } else if (line.includes("undefined reference to ")) {
        const [, file, at, message] = undefinedName.exec(line) ?? [];
        if (file === undefined || message === undefined) return;
        places.add({ file, line: at === undefined ? null : Number(at), message });
      }
    },
    // The driver also reports a failed linker. Count this only if the linker printed no error.
    end: () => places.end(places.size() === 0 && unlinked !== null ? { failed: 1 } : {}),
  };
}
