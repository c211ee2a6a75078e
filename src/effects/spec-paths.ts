import { addressOf, type SpecAddress } from "../model/command-line.ts";
import { progressName } from "../model/file-names.ts";
import type { TaskId } from "../model/task.ts";
import type { Ports } from "../ports/ports.ts";

export const specName = (folder: string): string => folder.split(/[\\/]/).filter(Boolean).at(-1) ?? "";

export const progressFileOf = (folder: string, member: TaskId | null): string =>
  `${folder}/${member === null ? progressName() : progressName(member)}`;

export const addressIn = ({ address, spec = "" }: Pick<Ports, "address" | "spec">): SpecAddress =>
  address ?? addressOf(specName(spec));
