import { draftPath, writeAtomic, writeAtomicAside } from "./write-atomic.ts";

/** Shows whether this process still holds a spec. */
export interface SpecLease {
  /**
   * Check that this process holds the lease of the spec, and that the path of its segment leads to the file it has open.
   *
   * @throws {EnvironmentError} `spec-taken-over`, `run-data-removed`
   */
  checkHeld(): void;
  /**
   * Check the same, and that the folders of the segment are no links: before a file is created in them, or a process
   * starts that may create one.
   *
   * @throws {EnvironmentError} `spec-taken-over`, `run-data-removed`, `file-refused`
   */
  checkFence(): void;
}

/** The only way to write a spec's files: checks the lease before each write, and right before a file is replaced. */
export interface SpecFiles {
  /** From now on, check this lease. Until then nothing is checked. */
  hold(lease: SpecLease): void;
  /** Check the lease before something else is changed for the spec. */
  check(): void;
  /** Replace a file as `writeAtomic` does. @param draft Path of the file that is written first. */
  replace<Mark = undefined>(path: string, content: string | Uint8Array, how?: Replacement<Mark>): Mark;
  /** Replace a file as `writeAtomicAside` does. @param name Of the draft. */
  replaceAside(path: string, content: Uint8Array, name: string): Promise<void>;
  /** Change a file in place. */
  edit<Result>(change: () => Result): Result;
}

interface Replacement<Mark> extends Partial<Pick<Parameters<typeof writeAtomic<Mark>>[2], "durable" | "mark">> {
  readonly draft?: string;
  /** Called right before the file is replaced. Throws when the old one must stay. */
  readonly check?: () => void;
}

/** @param dataFolder Where drafts are made; on the same file system. */
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
