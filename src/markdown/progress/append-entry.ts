import type { ProgressEntry } from "../../ports/documents.ts";
import { appendCompleted } from "./append-completed.ts";
import { appendFixHistory } from "./append-fix-history.ts";
import { appendShipped } from "./append-shipped.ts";
import { appendSuggestion } from "./append-suggestion.ts";
import { writeRealityAfter } from "./write-reality-after.ts";

/** Write an entry into a progress log; the same text when it stands there already. */
export function appendEntry(progress: string, entry: ProgressEntry): string {
  switch (entry.kind) {
    case "completed":
      return appendCompleted(progress, entry);
    case "fixes":
      return appendFixHistory(progress, entry);
    case "suggestion":
      return appendSuggestion(progress, entry);
    case "pull-request":
      return appendShipped(progress, entry);
    case "reality":
      return writeRealityAfter(progress, entry);
  }
}
