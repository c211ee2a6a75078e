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

/** What is asked of a segment before something is written. */
export interface SegmentFence {
  /**
   * Whether it still holds the spec: nobody has begun the one after it, and its name is that of the very file that is
   * open here.
   *
   * @throws {EnvironmentError} `spec-taken-over`, `run-data-removed`
   */
  checkHeld(): void;
  /**
   * The same, and that its folders are no links: before a file is made in them, or somebody begins who may make one.
   *
   * @throws {EnvironmentError} `spec-taken-over`, `run-data-removed`, `file-refused`
   */
  checkFence(): void;
}

export function segmentFence({ path, successor, file, isHeldByAnother }: FencedSegment): SegmentFence {
  const held = fstatSync(file, { bigint: true });
  const folder = dirname(path);
  const folders = [dirname(folder), folder, join(folder, "out")];
  const look = (): BigIntStats | undefined => lookAt(path);
  const checkHeld = (): void => {
    if (existsSync(successor)) throw takenOver(`\`${folder}\``);
    if (!isSame(held, refused("look at", path, look))) {
      throw isHeldByAnother() ? takenOver(`\`${folder}\``) : removed(path);
    }
  };
  return {
    checkHeld,
    checkFence: () => {
      checkHeld();
      for (const each of folders) isRealFolder(each);
    },
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
