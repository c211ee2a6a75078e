import { addressOf, type SpecAddress } from "../model/command-line.ts";
import { progressName } from "../model/file-names.ts";
import type { TaskId } from "../model/task.ts";
import type { Ports } from "../ports/ports.ts";

/** The last part of a folder's path, with `/` or `\` as separators. */
export const specName = (folder: string): string => folder.split(/[\\/]/).filter(Boolean).at(-1) ?? "";

/** Path of the progress log of the spec, or of a batch member. */
export const progressFileOf = (folder: string, member: TaskId | null): string =>
  `${folder}/${member === null ? progressName() : progressName(member)}`;

/** Address by which command lines name the spec. */
export const addressIn = ({ address, spec = "" }: Pick<Ports, "address" | "spec">): SpecAddress =>
  address ?? addressOf(specName(spec));
