import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";

/** Documents under test, with direct access to read their content, and to edit them as someone else. */
export interface DocumentsSubject {
  readonly documents: Documents;
  /** Read a document; empty if it does not exist. */
  text(name: "tasks.md" | ".progress.md" | "SUMMARY.md"): Promise<string>;
  /** Read the report at a path that the documents returned. */
  reportAt(path: string): Promise<string>;
  overwrite(name: "tasks.md", text: string): Promise<void>;
  /** Write the log of a batch member, as the executor of the member would. */
  writeMemberLog(member: TaskId, text: string): Promise<void>;
}

/** Creates documents with these texts, and other spec files by name. */
export type OpenDocuments = (
  tasks: string,
  progress: string,
  artifacts?: Readonly<Record<string, string>>,
) => Promise<DocumentsSubject>;
