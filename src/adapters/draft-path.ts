import { randomUUID } from "node:crypto";
import { join } from "node:path";

/** Tells the drafts of this process from those of others, also of one with the same id on another host. */
const mark = `${process.pid}-${randomUUID().slice(0, 8)}`;

/** Where a file is written before it takes its place; whoever takes the spec over puts it away. */
export const draftPath = (folder: string, name: string): string => join(folder, `${name}-${mark}.tmp`);
