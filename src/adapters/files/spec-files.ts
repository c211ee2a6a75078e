import { draftPath, writeAtomic, writeAtomicAside } from "./write-atomic.ts";

export interface SpecLease {
  /**
   * Check that this process holds the spec's lease, and that the path of the segment still leads to the open file.
   *
   * @throws {EnvironmentError} `spec-taken-over`, `run-data-removed`
   */
  checkHeld(): void;
  /**
   * Check as `checkHeld` does, and that the segment's folders are not links. Call it before creating a file in them, or
   * starting a process that may do so.
   *
   * @throws {EnvironmentError} `spec-taken-over`, `run-data-removed`, `file-refused`
   */
  checkFence(): void;
}

/** Writes the files of a spec. Checks the lease before each write, and again right before a file is replaced. */
export interface SpecFiles {
  /** Check this lease from now on. Before the first call, nothing is checked. */
  hold(lease: SpecLease): void;
  /** Check the lease before a change that is made without this object. */
  check(): void;
  /**
   * Replace a file like `writeAtomic`.
   *
   * @param how `draft` is the path of the temporary file.
   */
  replace<Mark = undefined>(path: string, content: string | Uint8Array, how?: Replacement<Mark>): Mark;
  /** Replace a file like `writeAtomicAside`. @param name Name of the temporary file. */
  replaceAside(path: string, content: Uint8Array, name: string): Promise<void>;
  edit<Result>(change: () => Result): Result;
}

interface Replacement<Mark> extends Partial<Pick<Parameters<typeof writeAtomic<Mark>>[2], "durable" | "mark">> {
  readonly draft?: string;
  /** Called right before the file is replaced. Throws to keep the old file. */
  readonly check?: () => void;
}

/** @param dataFolder Folder for temporary files; on the same file system. */
export function specFiles(dataFolder: string, lease?: SpecLease): SpecFiles {
  let held = lease;
  const check = (): void => held?.checkFence();
  return {
    check,
    hold: (lease) => {
      held = lease;
    },
    replace: (path, content, { draft, durable = true, mark, check: mayReplace } = {}) => {
      check();
      return writeAtomic(path, content, {
        temporary: draft ?? draftPath(dataFolder, "replacement"),
        durable,
        ...(mark && { mark }),
        check: () => {
          check();
          mayReplace?.();
        },
      });
    },
    replaceAside: (path, content, name) => {
      check();
      const temporary = draftPath(dataFolder, name);
      return writeAtomicAside(path, content, { temporary, check: () => held?.checkHeld() });
    },
    edit: (change) => {
      held?.checkHeld();
      return change();
    },
  };
}
