import { listFindings, type ToolReader } from "../reader.ts";
import { type Place, stackPlace } from "../shapes.ts";

const plain = /^([^\s:(][^:(]{0,400}|[A-Za-z]:[^:(]{1,400})\((\d{1,9}),\d{1,9}\): error (TS\d{3,6}): (.+)$/;
const pretty = /^([^\s:(][^:]{0,400}|[A-Za-z]:[^:]{1,400}):(\d{1,9}):\d{1,9} - error (TS\d{3,6}): (.+)$/;
const placeless = /^error (TS\d{3,6}): (.+)$/;
const sum = /^Found (\d{1,9}) errors?(?: in |\.|, Watching)/;

/** TypeScript's compiler. An id is a path, the code of an error and the message. */
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
      // Use the stated count only if it covers all findings: other tools print the same words.
      end: () => (found.size() === 0 ? null : found.end(total >= found.size() ? { failed: total } : {})),
    };
  },
};

/** Programs that Node could not load, and uncaught errors. An id is the error. */
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

/** npm itself: used only if the started tool reports nothing. */
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

const nameOf = (shown: string): string => {
  const at = shown.lastIndexOf("@");
  return at > 0 ? shown.slice(0, at) : shown;
};

export interface NodeCrash {
  readonly error: string;
  readonly place: Place | null;
}

/** Read uncaught errors line by line: returns an error at the last line that belongs to it, else null. */
export function readNodeCrash(): (line: string) => NodeCrash | null {
  let error: string | null = null;
  let place: Place | null = null;
  return (line) => {
    const first = line.charCodeAt(0);
    if (first === 0x4e && error !== null && /^Node\.js v\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(line)) {
      const crash = { error, place };
      error = null;
      place = null;
      return crash;
    }
    if (first >= 0x41 && first <= 0x5a && /^[A-Z]?\w{0,60}Error(?: \[\w{1,60}\])?: \S/.test(line)) error = line;
    else if (error === null && (first === 0x2f || first === 0x66)) place = stackPlace(`at ${line}:1`) ?? place;
    else if (error !== null && place === null && first === 0x20) place = stackPlace(line);
    return null;
  };
}

/** Message of Node's runner for a file that it could not load. */
const unloaded = "test failed";

/** Use the crash if the runner has no message of its own. */
export const behindCrash = (message: string, crash: NodeCrash | null) =>
  message !== unloaded || crash === null ? { message } : { message: crash.error, ...crash.place };
