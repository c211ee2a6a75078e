import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../model/errors.ts";
import { interpreted } from "../../model/parse-json.ts";
import { isRealFolder } from "../files/folder.ts";
import { readRegular } from "../files/own-file.ts";
import { identifyProcess } from "../processes/process-identity.ts";

export interface Lease {
  readonly holder: LeaseHolder;
  /** Holders that ended without a release; this lease has ended their claims. */
  readonly ended: readonly LeaseHolder[];
  /** Return whether the lease is valid: no other process took it over, and its files still exist. */
  isHeld(): boolean;
  /** Release the lease. Never throws, so that an earlier error of the run is reported. */
  release(): void;
}

interface LeaseClaim {
  readonly who: Omit<LeaseHolder, "claim">;
  isAtWork(holder: LeaseHolder): boolean;
  excludes(holder: LeaseHolder): boolean;
}

/**
 * Take a lease. Of several processes that exclude each other, only one gets the lease; the others get its holder.
 *
 * Each claim is a compare-and-swap: read the latest generation and publish the next generation. Only one process can
 * publish a generation. A process that is suspended between these steps may publish a generation that others already
 * removed. Later generations do not list this process, so it claims again.
 *
 * @returns The lease, or the holder that excludes this process.
 */
export function takeLease(folder: LeaseFolder, { who, isAtWork, excludes }: LeaseClaim): Lease | LeaseHolder {
  for (;;) {
    const before = folder.latest();
    const listed = before === 0 ? [] : folder.read(before);
    if (listed === null) continue;
    const unreleased = listed.filter((each) => folder.isMarked(each));
    const others = unreleased.filter(isAtWork);
    const rival = others.find(excludes);
    if (rival !== undefined) return rival;
    const holder: LeaseHolder = { ...who, claim: before + 1 };
    if (!folder.publish(holder, others)) continue;
    if (!isListed(folder, holder)) {
      folder.unmark(holder);
      continue;
    }
    folder.tidy(holder.claim, others);
    return {
      holder,
      ended: unreleased.filter((each) => !others.includes(each)),
      isHeld: () => folder.isMarked(holder) && isListed(folder, holder),
      release: () => {
        try {
          folder.unmark(holder);
        } catch {
          // Ignore the error: a mark that cannot be removed stays valid until this process ends.
        }
      },
    };
  }
}

/** Return the holders of a lease that have not released it, dead or alive. */
export function holdersOf(folder: LeaseFolder): readonly LeaseHolder[] {
  for (;;) {
    const latest = folder.latest();
    const listed = latest === 0 ? [] : folder.read(latest);
    if (listed !== null) return listed.filter((each) => folder.isMarked(each));
  }
}

function isListed(folder: LeaseFolder, { claim, id }: LeaseHolder): boolean {
  for (;;) {
    const latest = folder.latest();
    if (latest === claim) return true;
    const listed = latest < claim ? [] : folder.read(latest);
    if (listed !== null) return listed.some((each) => each.id === id);
  }
}

export const LeaseHolder = z.object({
  /** Generation in which the holder took the lease, from 1. */
  claim: z.int().min(1),
  /** Name of the holder's mark in that generation, unique to the claim. */
  id: z.string().regex(/^[0-9a-f-]{36}$/),
  spec: z.string(),
  /** At least 1, because a signal to 0 or below would reach other processes. */
  pid: z.int().min(1),
  /** Start time of the process in the unit of the system; null if unreadable. */
  pidStart: z.string().nullable(),
  host: z.string(),
  /** Boot id of the machine; null if the system has none. */
  boot: z.string().nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
export type LeaseHolder = z.infer<typeof LeaseHolder>;

/**
 * A lease in numbered generations, of which the latest is valid. A generation lists its holders and never changes. Each
 * method is one atomic operation of the file system.
 */
export interface LeaseFolder {
  /** Return 0 if there is no generation. */
  latest(): number;
  /** Return the holders that a generation lists; null if the generation was removed. */
  read(generation: number): readonly LeaseHolder[] | null;
  /**
   * Add the generation of a claim, with the claim's mark and a list of the claim and other holders. Returns false if
   * the number is taken.
   */
  publish(holder: LeaseHolder, others: readonly LeaseHolder[]): boolean;
  /** Return whether the holder has not released its claim. */
  isMarked(holder: LeaseHolder): boolean;
  /** Release a claim. Works on a full disk. */
  unmark(holder: LeaseHolder): void;
  /**
   * Remove the drafts of ended processes, and the generations before `before`, except generations with a mark of a
   * `kept` holder.
   */
  tidy(before: number, kept: readonly LeaseHolder[]): void;
}

const generationName = /^[1-9]\d{0,14}$/;
const draftName = /^draft-(\d+)-/;
const listName = "holders.json";

/** Keep each generation in a folder. A rename creates the complete folder, and fails if another folder has its name. */
export function leaseFolder(folder: string): LeaseFolder {
  const at = (generation: number, name = ""): string => join(folder, String(generation), name);
  const names = (): string[] => orElse(["ENOENT"], [], () => readdirSync(folder));
  const generations = (): number[] =>
    names()
      .filter((name) => generationName.test(name))
      .map(Number);
  const latest = (): number => generations().reduce((most, each) => Math.max(most, each), 0);
  return {
    latest,
    read(generation) {
      if (!isRealFolder(at(generation))) return null;
      const list = readRegular(at(generation, listName));
      if (list !== null) return holdersIn(list.toString("utf8"));
      // The list is missing while the generation is being removed. A missing list of the latest generation is damage.
      return latest() === generation ? [] : null;
    },
    publish(holder, others) {
      const generation = holder.claim;
      if (!generationName.test(String(generation))) throw noNumberLeft(at(generation - 1));
      const draft = join(folder, `draft-${process.pid}-${randomUUID()}`);
      const { id } = holder;
      mkdirSync(draft, { mode: 0o700 });
      try {
        writeFileSync(join(draft, listName), JSON.stringify([...others, holder]), { mode: 0o600 });
        writeFileSync(join(draft, id), "");
        renameSync(draft, at(generation));
        return true;
      } catch (error) {
        rmSync(draft, { recursive: true, force: true });
        // A network file system may repeat a rename after it lost the response, and report the second result.
        if (existsSync(at(generation, id))) return true;
        if (isCode(error, ["ENOTEMPTY", "EEXIST"])) return false;
        throw error;
      }
    },
    isMarked: ({ claim, id }) => existsSync(at(claim, id)),
    unmark: ({ claim, id }) => orElse(["ENOENT", "ENOTDIR"], undefined, () => unlinkSync(at(claim, id))),
    tidy(before, kept) {
      const claims = new Set(kept.map(({ claim }) => claim));
      for (const each of generations()) if (each < before && !claims.has(each)) remove(at(each));
      for (const name of names()) {
        const pid = draftName.exec(name)?.[1];
        if (pid !== undefined && identifyProcess(Number(pid)) === null) remove(join(folder, name));
      }
    },
  };
}

const noNumberLeft = (latest: string): EnvironmentError =>
  new EnvironmentError(`Cannot use \`${latest}\`, expected a lower number`, {
    code: "file-refused",
    hint: "Remove this folder, then run again to resume",
  });

/** A power cut damages only lists whose processes have ended, so a damaged list counts as empty. */
function holdersIn(text: string): readonly LeaseHolder[] {
  try {
    return z.array(LeaseHolder).parse(JSON.parse(text), interpreted);
  } catch {
    return [];
  }
}

/** Ignore errors: the next process removes the folder. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

const isCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? "");

function orElse<Result>(codes: readonly string[], otherwise: Result, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!isCode(error, codes)) throw error;
    return otherwise;
  }
}
