import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";

/** Documents to be tried, and the way around them: what really stands there, and an edit by somebody else. */
export interface DocumentsSubject {
  readonly documents: Documents;
  /** Empty when there is none. */
  text(name: "tasks.md" | ".progress.md" | "SUMMARY.md"): Promise<string>;
  /** What stands at a path that the documents have told. */
  reportAt(path: string): Promise<string>;
  overwrite(name: "tasks.md", text: string): Promise<void>;
  /** Write the log of a member of a batch, as its executor does. */
  writeMemberLog(member: TaskId, text: string): Promise<void>;
}

/** Makes documents that hold these texts, and other files of the spec by their names. */
export type OpenDocuments = (
  tasks: string,
  progress: string,
  artifacts?: Readonly<Record<string, string>>,
) => Promise<DocumentsSubject>;
