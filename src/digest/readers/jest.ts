import { listFindings } from "../finding-list.ts";
import type { Finding, LineReader, ToolReader } from "../reader.ts";
import { stackPlace } from "../stack-place.ts";

/** Coloured, the word has a blank at both sides. */
const fileForm = /^ ?(FAIL|PASS) {1,4}(\S.*)$/;
const suffix = / \(\d[^()]{0,60}\)$/;
const counted =
  /^Tests: {1,12}(?:(\d{1,9}) failed, )?(?:\d{1,9} skipped, )?(?:\d{1,9} todo, )?(?:(\d{1,9}) passed, )?\d{1,9} total$/;

/** Jest where it prints for people. An id is the path of a file and the names below it. */
export const jest: ToolReader = { tool: "jest", kind: "tests", open: readJest };

function readJest(): LineReader {
  const found = listFindings();
  let file: string | null = null;
  let current: Finding | null = null;
  let counts: { failed: number; ran: number } | null = null;
  let broken = 0;

  const finish = (): void => {
    if (current !== null) found.add(current);
    current = null;
  };
  const readTitle = (title: string): void => {
    finish();
    if (file === null || title === "Console" || title.startsWith(" ")) return;
    const isWhole = title === "Test suite failed to run";
    if (isWhole && found.size() < 500) broken += 1;
    const id = isWhole ? file : `${file} > ${title.replaceAll(" › ", " > ").trim()}`;
    current = { id, file, line: null, message: "" };
  };
  const readDetail = (finding: Finding, text: string): void => {
    const [, name, value = ""] = /^(Expected|Received)(?: [a-z ]{1,30})?: {1,4}(.{1,500})$/.exec(text) ?? [];
    if (name === "Expected" && finding.expected === undefined) current = { ...finding, expected: value };
    else if (name === "Received" && finding.actual === undefined) current = { ...finding, actual: value };
    else if (finding.line === null && text.startsWith("at ")) {
      const place = stackPlace(text);
      if (place !== null) current = { ...finding, ...place };
    }
    if (finding.message === "") current = { ...finding, message: text };
    // What Jest says about its configuration comes before what is wrong.
    else if (finding.message.startsWith("Jest encountered an unexpected token") && text.startsWith("SyntaxError: "))
      current = { ...finding, message: text.replace(/^SyntaxError: \/\S{1,500}: /, "SyntaxError: ") };
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x46 || first === 0x50 || line.startsWith(" FAIL ") || line.startsWith(" PASS ")) {
        const [, state, path = ""] = fileForm.exec(line) ?? [];
        if (state === undefined) return;
        finish();
        file = state === "FAIL" ? pathOf(path) : null;
        return;
      }
      if (first === 0x54 && line.startsWith("Test")) {
        if (line.startsWith("Test Suites: ")) finish();
        const [whole, failed = "0", passed = "0"] = counted.exec(line) ?? [];
        if (whole !== undefined) counts = { failed: Number(failed), ran: Number(failed) + Number(passed) };
        return;
      }
      if (file === null || first !== 0x20) return;
      if (line.startsWith("  ● ")) readTitle(line.slice(4));
      else if (current !== null && line.trim() !== "") readDetail(current, line.trim());
    },
    end: () => {
      finish();
      if (found.size() === 0) return null;
      return found.end(counts === null ? {} : { failed: counts.failed + broken, ran: counts.ran });
    },
  };
}

/** The last word is the path, where a project has a name that comes before; a duration may follow. */
function pathOf(shown: string): string | null {
  const path = shown.trim().replace(suffix, "").trim().replace(/^\.\//, "");
  return /\.\w{1,10}$/.test(path) ? path : null;
}
