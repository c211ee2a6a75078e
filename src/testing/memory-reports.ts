import type { Documents } from "../ports/documents.ts";
import { isGuarded, reportOutside } from "../wording/report/report-text.ts";

/** In-memory reports, by the path shown to people. The workspace is the spec's own folder, without links. */
export function memoryReports(): Pick<Documents, "report"> & { readonly reports: Map<string, string> } {
  const reports = new Map<string, string>();
  return {
    reports,
    report: async (text, path) => {
      const told = path === null ? "stuck-report.md" : confined(path);
      reports.set(told, text);
      return told;
    },
  };
}

function confined(path: string): string {
  const way: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && way.pop() === undefined) throw reportOutside(path);
    if (part !== "" && part !== "." && part !== "..") way.push(part);
  }
  const told = way.join("/");
  if (told === "" || path.startsWith("/") || path.includes("\0") || isGuarded(told)) throw reportOutside(path);
  return told;
}
