import { listFindings } from "../finding-list.ts";
import type { ToolReader } from "../reader.ts";

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
