import { listPlaces } from "../place-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** Compilers of C and its kin, gcc and clang above all, and their linkers. Warnings are no failures. */
export const cc: ToolReader = { tool: "cc", kind: "findings", open: openCc };

/** Other tools write in the same form: it is the file that tells. */
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
    // The linker says so after each error that it names.
    end: () => places.end(places.size() === 0 && unlinked !== null ? { failed: 1 } : {}),
  };
}
