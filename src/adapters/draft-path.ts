import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runFolders } from "./data-folder.ts";
import { refused } from "./refused.ts";

/** Tells the drafts of this process from those of others, also of one with the same id on another host. */
const mark = `${process.pid}-${randomUUID().slice(0, 8)}`;

const draftName = /^(?:replacement|state|journal-\d+\.ndjson|plan-\d+\.md|sum-\d+\.json)-\d+-[0-9a-f]{8}\.tmp$/;

/**
 * Where a file is written before it takes its place; whoever takes the spec over puts it away.
 *
 * @param name `replacement`, `state`, or the file's own in the folder of a run.
 */
export const draftPath = (folder: string, name: string): string => join(folder, `${name}-${mark}.tmp`);

/** What killed starts have left half-written: one that was stopped for long even in a run that others have ended. */
export const draftsIn = (base: string): string[] => [base, ...runFolders(base)].flatMap(draftsAt);

/** What killed starts have left of one file. */
export const draftsOf = (folder: string, name: string): string[] =>
  draftsAt(folder).filter((path) => path.startsWith(join(folder, `${name}-`)));

/** Nobody but fixpoint gives a regular file such a name. */
const draftsAt = (folder: string): string[] =>
  refused("read", folder, () => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && draftName.test(entry.name))
    .map(({ name }) => join(folder, name));
