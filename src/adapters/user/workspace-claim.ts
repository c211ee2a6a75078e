import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { interpreted } from "../../model/interpreted.ts";
import { refused } from "../files/refused.ts";
import { bootId, identifyProcess, isAlive } from "../processes/process-identity.ts";

/** Who works in a workspace, and since when. */
const WorkspaceHolder = z.object({
  /** Real path of the spec's folder. */
  spec: z.string(),
  pid: z.int(),
  pidStart: z.string().nullable(),
  /** The start of the machine that the process belongs to. */
  boot: z.string().nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
export type WorkspaceHolder = z.infer<typeof WorkspaceHolder>;

/** What a claim comes to: who is there already, or how to let go again. */
export type ClaimOutcome = { readonly holder: WorkspaceHolder; readonly release?: never } | HeldWorkspace;

interface HeldWorkspace {
  readonly holder: null;
  /** Folders of the specs whose runs were killed there; told once. */
  readonly killed: readonly string[];
  release(): void;
}

/**
 * The run of another spec that works in a workspace; null when there is none, or it has been killed. Runs of the same
 * spec do not count: the journal of the spec tells who holds that.
 *
 * @param folder The user's folder for the workspace.
 * @param spec Real path of the spec's folder.
 */
export const otherHolder = (folder: string, spec: string): WorkspaceHolder | null =>
  claimsIn(folder)
    .map((number) => readClaim(claimPath(folder, number)))
    .find((holder) => holder !== null && holder.spec !== spec && isAtWork(holder)) ?? null;

/**
 * Claim a workspace for the run of a spec. Of several that begin at the same moment exactly one succeeds.
 *
 * Each claim is a folder with the next number, which appears complete and only once. The last one stays when it is let
 * go, so that numbers only rise. A claim counts when everybody who came before it has let go or is dead; whoever comes
 * at the same time looks behind its own claim, so that one of two always sees the other.
 *
 * @param folder The user's folder for the workspace.
 * @param spec Real path of the spec's folder.
 * @param shared Work there beside others; those that do not share are refused all the same.
 * @throws {EnvironmentError} `file-refused`
 */
export function claimWorkspace(folder: string, spec: string, shared: boolean): ClaimOutcome {
  return refused("write", folder, () => {
    for (;;) {
      const before = shared ? null : otherHolder(folder, spec);
      if (before !== null) return { holder: before };
      const number = latestIn(folder) + 1;
      if (!isPut(folder, number, spec)) continue;
      // Who has looked long ago may have taken a number that was put away since.
      const isLate = latestIn(folder) > number;
      const beside = shared || isLate ? null : otherHolder(folder, spec);
      if (!isLate && beside === null) {
        return { holder: null, killed: bury(folder), release: () => release(folder, number) };
      }
      letGo(claimPath(folder, number));
      if (beside !== null) return { holder: beside };
    }
  });
}

const claimName = /^[1-9]\d*$/;
const draftName = /^draft-(\d+)-/;
/** The file of a claim that counts, and its name once it has been let go. */
const [heldName, leftName] = ["holder.json", "left.json"];
/** How many claims stay behind the last one. */
const keptClaims = 8;

const claimPath = (folder: string, number: number): string => join(folder, String(number));

const claimsIn = (folder: string): number[] =>
  readdirSync(folder)
    .filter((name) => claimName.test(name))
    .map(Number);

const latestIn = (folder: string): number => claimsIn(folder).reduce((most, number) => Math.max(most, number), 0);

/** Null for one that was let go, or torn by a power cut. */
function readClaim(path: string): WorkspaceHolder | null {
  try {
    return WorkspaceHolder.parse(JSON.parse(readFileSync(join(path, heldName), "utf8")), interpreted);
  } catch {
    return null;
  }
}

const isAtWork = (holder: WorkspaceHolder): boolean => holder.boot === bootId() && isAlive(holder);

/** Put a claim there. Answers whether its number was free: a folder takes the place of no other that holds a file. */
function isPut(folder: string, number: number, spec: string): boolean {
  const draft = join(folder, `draft-${process.pid}-${randomUUID()}`);
  const who = identifyProcess(process.pid) ?? { pid: process.pid, pidStart: null };
  const holder: WorkspaceHolder = { spec, ...who, boot: bootId(), at: Date.now() };
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(join(draft, heldName), JSON.stringify(holder), { mode: 0o600 });
    renameSync(draft, claimPath(folder, number));
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (isTaken(error)) return false;
    throw error;
  }
}

const isTaken = (error: unknown): boolean =>
  ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");

function release(folder: string, number: number): void {
  letGo(claimPath(folder, number));
  try {
    tidy(folder);
  } catch {
    // The next one does it.
  }
}

/** Let go for those that were killed. Answers which specs they worked on. */
function bury(folder: string): string[] {
  return claimsIn(folder).flatMap((number) => {
    const path = claimPath(folder, number);
    const holder = readClaim(path);
    if (holder === null || isAtWork(holder)) return [];
    letGo(path);
    return [holder.spec];
  });
}

/** Renamed, not removed: that works on a full disk, and keeps the number taken. */
function letGo(claim: string): void {
  try {
    renameSync(join(claim, heldName), join(claim, leftName));
  } catch {
    // Where somebody has taken it away it holds nothing.
  }
}

/** Put away what those have left that are gone, except the last claims. */
function tidy(folder: string): void {
  const oldest = latestIn(folder) - keptClaims;
  for (const number of claimsIn(folder)) {
    const holder = number < oldest ? readClaim(claimPath(folder, number)) : null;
    if (number < oldest && (holder === null || !isAtWork(holder))) remove(claimPath(folder, number));
  }
  for (const name of readdirSync(folder)) {
    const pid = draftName.exec(name)?.[1];
    if (pid !== undefined && identifyProcess(Number(pid)) === null) remove(join(folder, name));
  }
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
