import { listFindings } from "../finding-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The goals of Maven that failed, whatever they have started. */
export const mavenBuild: ToolReader = { tool: "maven", kind: "wrapper", open: openMavenBuild };

const opening = "[ERROR] Failed to execute goal ";
const goal =
  /^([^\s:]{1,200}):([^\s:]{1,200}):[^\s:]{1,100}:([^\s:]{1,100}) (?:\(([^)]{1,200})\) )?on project ([^\s:]{1,200}): (.{0,2000})$/;

function openMavenBuild(): LineReader {
  const findings = listFindings();
  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x5b || !line.startsWith(opening)) return;
      const [, , plugin, name, execution, project, message] = goal.exec(line.slice(opening.length)) ?? [];
      if (plugin === undefined) return;
      const id = `${plugin}:${name}${execution === undefined ? "" : ` (${execution})`} on ${project}`;
      findings.add({ id, file: null, line: null, message: message ?? "failed" });
    },
    end: findings.end,
  };
}
