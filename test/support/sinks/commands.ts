import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lint } from "../../../src/hosts/cli/commands/lint.ts";
import { status } from "../../../src/hosts/cli/commands/status.ts";
import { why } from "../../../src/hosts/cli/commands/why.ts";
import { renderError } from "../../../src/hosts/cli/render-error.ts";
import { assertPrintable } from "./assert-printable.ts";
import { fileSink } from "./file-sink.ts";
import { noTime } from "./no-time.ts";
import { isRefusal } from "./refusal.ts";

export const commandSink = fileSink("terminal, commands", 10, (folder) => {
  const spec = join(folder, "specs", "sample");
  mkdirSync(spec, { recursive: true });
  return async (text) => {
    writeFileSync(
      join(spec, "tasks.md"),
      `# ${text}\n\n- [ ] 1.1 ${text}\n  - **Do**: ${text}\n  - **Verify**: ${text}\n- [x] ${text}\n`,
    );
    for (const json of [false, true]) {
      for (const [command, given] of [
        [lint, "sample"],
        [status, "sample"],
        [why, "1.1"],
        [why, text],
      ] as const) {
        const out = await printed(command, given, json);
        assertPrintable(out);
        if (json && out !== "" && !out.startsWith("ERROR: ")) assert.equal(typeof JSON.parse(out), "object");
        if (json && !out.startsWith("ERROR: ")) assert.equal(out.indexOf("\n"), out.length - 1);
      }
    }
  };

  async function printed(command: typeof lint, given: string, json: boolean): Promise<string> {
    let out = "";
    const print = (text: string): void => {
      out += text;
    };
    const terminal = { out: print, err: print, isTTY: false, columns: 80, rows: 24, colour: false, ...noTime };
    const surroundings = { terminal, folder, signal: new AbortController().signal };
    try {
      await command.run({ words: [given, "sample"], values: { json }, commands: [], surroundings });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return renderError(error).text.replaceAll("\t", "");
    }
    return out;
  }
});
