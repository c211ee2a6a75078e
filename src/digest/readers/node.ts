import { listFindings, type ToolReader } from "../reader.ts";
import { readNodeCrash } from "./node-crash.ts";

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

/** A program that Node could not load or that has ended by an error nobody caught: named by that error. */
export const node: ToolReader = {
  tool: "node",
  kind: "wrapper",
  open: () => {
    const found = listFindings();
    const readCrash = readNodeCrash();
    return {
      read: (line) => {
        const crash = readCrash(line);
        if (crash === null) return;
        const { error, place } = crash;
        found.add({ id: error, file: place?.file ?? null, line: place?.line ?? null, message: error });
      },
      end: () => found.end(),
    };
  },
};

const said = /^npm (?:error|ERR!) (\S.*)$/;

/** npm itself, which counts only when what it has started says nothing. */
export const npm: ToolReader = {
  tool: "npm",
  kind: "wrapper",
  open: () => {
    const found = listFindings();
    let script: string | null = null;
    let code: string | null = null;
    const finish = (): void => {
      if (code !== null) found.add({ id: code, file: null, line: null, message: code });
      code = null;
    };
    return {
      read: (line) => {
        if (line.charCodeAt(0) !== 0x6e) return;
        const [, text = ""] = said.exec(line) ?? [];
        if (text === "") return;
        if (/^Missing script: "[^"]{1,200}"$/.test(text)) {
          found.add({ id: text, file: null, line: null, message: text });
          return;
        }
        const [, lifecycle] = /^Lifecycle script `([^`]{1,200})` failed with error:$/.exec(text) ?? [];
        if (lifecycle !== undefined) {
          script = lifecycle;
          return;
        }
        if (script !== null && text.startsWith("workspace ")) {
          const workspace = nameOf(text.slice("workspace ".length).trim());
          const message = `Script ${script} of ${workspace} failed`;
          found.add({ id: `${workspace}: ${script}`, file: null, line: null, message });
          script = null;
          return;
        }
        const [, name] = /^code (E[A-Z\d_]{2,40})$/.exec(text) ?? [];
        if (name !== undefined) {
          finish();
          code = name;
        } else if (code !== null && !/^(?:syscall|path|errno|network|dest|command)\b/.test(text)) {
          found.add({ id: code, file: null, line: null, message: text });
          code = null;
        }
      },
      end: () => {
        finish();
        return found.end();
      },
    };
  },
};

/** The name of a package without its version. */
const nameOf = (shown: string): string => {
  const at = shown.lastIndexOf("@");
  return at > 0 ? shown.slice(0, at) : shown;
};
