import { type BigIntStats, existsSync, fstatSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { EnvironmentError, takenOver } from "../../model/errors.ts";
import { isRealFolder } from "../files/data-folder.ts";
import { refused } from "../files/refused.ts";

/** What a fence looks at. */
export interface FencedSegment {
  /** Of the segment that holds the spec, and of the one that takes it over. */
  readonly path: string;
  readonly successor: string;
  /** Descriptor of the segment. */
  readonly file: number;
  /** Whether another coordinator works with the run data that stands there now. */
  readonly isHeldByAnother: () => boolean;
}

/**
 * Tells whether a segment still holds the spec: nobody has begun the one after it, and its name is that of the very
 * file that is open here, in folders that are no links.
 *
 * @returns Throws `spec-taken-over`, `run-data-removed` or `file-refused` when it does not.
 */
export function segmentFence({ path, successor, file, isHeldByAnother }: FencedSegment): () => void {
  const held = fstatSync(file, { bigint: true });
  const folder = dirname(path);
  const folders = [dirname(folder), folder, join(folder, "out")];
  const look = (): BigIntStats | undefined => lookAt(path);
  return () => {
    if (existsSync(successor)) throw takenOver(`\`${folder}\``);
    if (!isSame(held, refused("look at", path, look))) {
      throw isHeldByAnother() ? takenOver(`\`${folder}\``) : removed(path);
    }
    for (const each of folders) isRealFolder(each);
  };
}

const removed = (path: string): EnvironmentError =>
  new EnvironmentError(
    `Cannot go on with the run, its data was removed or replaced while it was at work: \`${path}\` is not the file that it has begun`,
    {
      code: "run-data-removed",
      hint: "Find out who has done it, such as an agent with `git clean` or `git stash`, then run again",
    },
  );

const isSame = (held: BigIntStats, found: BigIntStats | undefined): boolean =>
  found !== undefined && found.dev === held.dev && found.ino === held.ino && found.nlink > 0n;

/** Undefined also where a folder on the way is none any more. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
