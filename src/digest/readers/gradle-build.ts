import { listFindings } from "../finding-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";
import { steadyText } from "../steady-text.ts";

/** Why a build of Gradle failed, whatever it has started. */
export const gradleBuild: ToolReader = { tool: "gradle", kind: "wrapper", open: openGradleBuild };

const question = "* What went wrong:";
const problem = /^(?:Execution failed|A problem occurred|Could not|Cannot|Task|Project|Build file) /;
const task = /^Execution failed for task '([^']{1,500})'/;

function openGradleBuild(): LineReader {
  const findings = listFindings();
  let isAsked = false;
  let id: string | null = null;
  let reason: string | null = null;
  const close = (): void => {
    if (reason !== null) findings.add({ id: id ?? steadyText(reason), file: null, line: null, message: reason });
    id = null;
    reason = null;
  };
  return {
    read: (line) => {
      if (line.charCodeAt(0) === 0x2a) {
        if (line.startsWith("* ")) close();
        isAsked = line === question;
      } else if (isAsked && problem.test(line)) {
        isAsked = false;
        id = task.exec(line)?.[1] ?? null;
        reason = line;
      } else if (id !== null && line.startsWith("> ")) {
        reason = line.slice(2);
        close();
      }
    },
    end: () => {
      close();
      return findings.end();
    },
  };
}
