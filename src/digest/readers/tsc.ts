import { listFindings } from "../finding-list.ts";
import type { ToolReader } from "../reader.ts";

const plain = /^([^\s:(][^:(]{0,400}|[A-Za-z]:[^:(]{1,400})\((\d{1,9}),\d{1,9}\): error (TS\d{3,6}): (.+)$/;
const pretty = /^([^\s:(][^:]{0,400}|[A-Za-z]:[^:]{1,400}):(\d{1,9}):\d{1,9} - error (TS\d{3,6}): (.+)$/;
const placeless = /^error (TS\d{3,6}): (.+)$/;
const sum = /^Found (\d{1,9}) errors?(?: in |\.|, Watching)/;

/** The compiler of TypeScript. An id is a path, the code of an error and what it says. */
export const tsc: ToolReader = {
  tool: "tsc",
  kind: "findings",
  open: () => {
    const found = listFindings();
    let total = 0;
    return {
      read: (line) => {
        if (line.startsWith("Found ")) {
          const [, number = "0"] = sum.exec(line) ?? [];
          total += Number(number);
          return;
        }
        if (!line.includes("error TS")) return;
        const [, file, number, code, said = ""] = plain.exec(line) ?? pretty.exec(line) ?? [];
        if (file !== undefined) {
          found.addEach({ id: `${file}: ${code} ${said}`, file, line: Number(number), message: `${code}: ${said}` });
          return;
        }
        const [, global, text = ""] = placeless.exec(line) ?? [];
        if (global !== undefined) {
          found.addEach({ id: `${global} ${text}`, file: null, line: null, message: `${global}: ${text}` });
        }
      },
      // Other tools count in the same words.
      end: () => (found.size() === 0 ? null : found.end(total >= found.size() ? { failed: total } : {})),
    };
  },
};
