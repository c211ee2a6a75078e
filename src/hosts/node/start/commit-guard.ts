import { join } from "node:path";
import { readRegular } from "../../../adapters/files/own-file.ts";
import { refused } from "../../../adapters/files/refused.ts";
import type { SpecFiles } from "../../../adapters/files/spec-files.ts";
import { draftPath } from "../../../adapters/files/write-atomic.ts";
import {
  type ProgramKind,
  type Programs,
  programsBeyond,
  programsOf,
  readPrograms,
} from "../../../adapters/git/call-git.ts";
import { isSameCheckout, lostPaths, markHead, readCheckout, readHead } from "../../../adapters/git/read-head.ts";
import { nothingUntracked, readUntracked, type Untracked } from "../../../adapters/git/read-status.ts";
import type { Journal, StartFacts } from "../../../adapters/journal/journal.ts";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { GateError, type WayOn } from "../../../model/errors.ts";
import { type Checkout, describeCheckout, type GitMark } from "../../../model/git-evidence.ts";
import type { Policy } from "../../../model/policy.ts";
import { countOf } from "../../../model/text.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";
import { renderItems } from "../../../wording/render-items.ts";
import type { RunData } from "../consent/read-run-data.ts";
import { hashOf, shortHash } from "../consent/verify-commands.ts";
import type { SpecFolder } from "../find-spec.ts";

export interface CommitGuard {
  /** Programs that git may run because of the repository's configuration. */
  readonly programs: Programs;
  /** Paths that are never committed: before the run, git did not track them, or they differed from HEAD. */
  readonly untracked: () => Untracked;
  /**
   * Build the question whether the run may commit in another checkout from now on; null if the checkout is the same.
   */
  ask(): Promise<MovedCheckout | null>;
  agree(): void;
  /**
   * Return the facts to record at a start. Called once the branch of the run is checked out, before the first attempt.
   */
  begin(): Promise<Pick<StartFacts, "checkout" | "untracked">>;
  keep(journal: Pick<Journal, "folder">, files: SpecFiles): void;
  readonly notice: () => string | null;
  /**
   * Check that a commit or push goes to the checkout in which the run began, and that the branch still has all
   * committed work. Also check that git starts only programs that were configured when the run began. If the run
   * commits nothing, only report that an attempt has moved HEAD.
   *
   * @param attempt State before the attempt that is judged.
   * @throws {GateError} `checkout-changed`, `commits-lost`, `git-programs-changed`
   */
  check(attempt?: GitMark): Promise<void>;
}

interface MovedCheckout {
  readonly text: string;
  readonly ask: string;
  readonly items: readonly string[];
  readonly hash: string;
  readonly ways: readonly WayOn[];
}

interface Guarded {
  readonly workspace: string;
  readonly spec: SpecFolder;
  readonly origin: StartPoint;
  readonly data: RunData;
  readonly programs: Programs;
  readonly tell: (message: string) => void;
}

/** Whether the run itself commits or pushes. */
const commits = ({ commit, pullRequest }: Policy): boolean => commit !== false || pullRequest !== undefined;

/** Kinds of programs that git runs for a run with this policy. */
export function programKinds(policy: Policy): readonly ProgramKind[] {
  if (policy.pullRequest !== undefined) return ["content", "signing", "remote"];
  return policy.commit === false ? ["content"] : ["content", "signing"];
}

export function commitGuard({ workspace, spec, origin, data, programs, tell }: Guarded): CommitGuard {
  const { policy, fresh, run } = origin;
  // Facts of foreign run data do not apply to this checkout.
  const recorded = fresh || data.state === "foreign" ? undefined : data.reading.segments.at(-1)?.header;
  const isActive = commits(policy);
  const look = (): Promise<Checkout | null> => readCheckout(workspace, spec.folder);
  /** Ignore changes of the spec's own files, which the run commits itself. */
  const ownFiles = [spec.tasksPath, spec.progressPath];
  const readBefore = async (root: string): Promise<Untracked> => {
    const found = await readUntracked(root, programs);
    return { ...found, changed: found.changed.filter((path) => !ownFiles.includes(join(root, path))) };
  };
  let checkout = recorded?.checkout;
  /** Checkout in which the run works if the run commits nothing. */
  let place: Checkout | null = null;
  /** HEAD at the last check that found the checkout unchanged. */
  let mark: string | null = null;
  let untracked = nothingUntracked;
  let text: string | null = null;
  let notice: string | null = null;
  return {
    programs,
    untracked: () => untracked,
    ask: async () => (isActive && checkout !== undefined ? movedFrom(checkout, await look()) : null),
    agree: () => {
      checkout = undefined;
    },
    begin: async () => {
      if (isActive) checkout ??= (await look()) ?? undefined;
      else place = await look();
      if (policy.commit !== "all" || checkout === undefined) {
        return { checkout, untracked: recorded?.untracked };
      }
      const kept = recorded?.untracked === undefined ? null : readKept(listPath(runFolder(data.reading.base, run)));
      const isKept = kept !== null && hashOf(kept) === recorded?.untracked;
      untracked = isKept ? { ...nothingUntracked, ...JSON.parse(kept) } : await readBefore(checkout.root);
      text = isKept ? kept : JSON.stringify(untracked);
      notice = isKept ? null : renderUntracked(untracked, recorded?.untracked !== undefined);
      return { checkout, untracked: hashOf(text) };
    },
    keep: ({ folder }, files) => {
      if (text === null) return;
      const [path, content] = [listPath(folder), text];
      refused("write", path, () => files.replace(path, content, { draft: draftPath(folder, listName) }));
    },
    notice: () => notice,
    check: async (attempt) => {
      const began = isActive ? (checkout ?? null) : place;
      if (began === null) return;
      const head = markHead(workspace, spec.folder);
      const now = head !== null && head === mark ? began : await look();
      const moved = now === began ? null : await movedFrom(began, now);
      mark = moved === null ? head : null;
      if (!isActive) {
        if (moved !== null) tell(renderMoved(began, now));
        place = now;
        return;
      }
      if (moved !== null) {
        const { items, ways } = moved;
        throw new GateError(`${moved.text} Nothing was committed.\n${renderItems(items)}`, {
          code: "checkout-changed",
          ways,
        });
      }
      if (attempt !== undefined) {
        const now = readHead(workspace);
        const lost = await findLost(began, {
          before: attempt.head,
          now: now.kind === "commit" ? now.hash : null,
          own: ownFiles,
        });
        // A person who starts the run again after this question continues without the commits.
        if (lost !== null && lost.message !== origin.ended?.ending.error) throw lost;
      }
      await checkPrograms(began.root, programsOf(programs, programKinds(policy)), programKinds(policy));
    },
  };
}

const renderMoved = (before: Checkout, now: Checkout | null): string =>
  `An attempt has moved HEAD: before ${describeCheckout(before)}, now ${describeCheckout(now)}. The next attempts work there.`;

async function movedFrom(before: Checkout, now: Checkout | null): Promise<MovedCheckout | null> {
  if (await isSameCheckout(before, now)) return null;
  const [then, today] = [describeCheckout(before), describeCheckout(now)];
  const isOther = then === today;
  // Omit the commit hash, so that new commits on the same branch do not change the hash of the question.
  const facts = now !== null && now.branch !== null && !isOther ? [now.root, now.branch] : [now];
  const hash = shortHash("checkout", before.root, before.branch, facts);
  return {
    text: "A commit would go to a different checkout from the one in which the run began.",
    ask: "Commit there from now on?",
    items: [
      `Began on: ${then}${isOther ? `, with the commit ${before.head?.slice(0, 12)}` : ""}`,
      `Now: ${today}${isOther ? ", without that commit" : ""}`,
    ],
    hash,
    ways: [
      { say: `Check out ${then} again, then run again` },
      ...(now === null ? [] : [{ say: "Or let the run commit there from now on", words: ["--accept", hash] }]),
    ],
  };
}

/** Lost changes of the spec's own files do not count: the next commit includes the files again. */
async function findLost(
  { root, head }: Checkout,
  {
    before,
    now,
    own,
  }: { readonly before: string | null; readonly now: string | null; readonly own: readonly string[] },
): Promise<GateError | null> {
  if (before === null || now === null || before === now) return null;
  const paths = await lostPaths(root, { from: head, to: before, now });
  const lost = paths.filter((path) => !own.includes(join(root, path)));
  if (lost.length === 0) return null;
  const commit = before.slice(0, 12);
  const more = lost.length > mostNamed ? [`and ${lost.length - mostNamed} more`] : [];
  const items = renderItems([...lost.slice(0, mostNamed), ...more]);
  return new GateError(
    `HEAD was moved from ${commit} to ${now.slice(0, 12)}, which lacks committed work of this run. Nothing was committed.\n${items}`,
    {
      code: "commits-lost",
      ways: [
        { say: `Bring the work back, for example by git reset ${commit}, then run again` },
        { say: "Or continue without it: run again" },
      ],
    },
  );
}

async function checkPrograms(root: string, agreed: Programs, kinds: readonly ProgramKind[]): Promise<void> {
  const found = await readPrograms(root);
  const added = "end" in found ? {} : programsBeyond(programsOf(found.programs, kinds), agreed);
  if (Object.keys(added).length === 0) return;
  const items = Object.entries(added).map(([name, value]) => `${name}: ${value}`);
  throw new GateError(
    `The configuration of git names programs that it did not name when the run began. Nothing was committed.\n${renderItems(items)}`,
    {
      code: "git-programs-changed",
      hint: `Remove them from the configuration of ${root}, then run again; to keep them, run again and consent to them`,
    },
  );
}

const mostNamed = 5;
const listName = "untracked.json";
const listPath = (folder: string): string => join(folder, listName);
const readKept = (path: string): string | null =>
  refused("read", path, () => readRegular(path))?.toString("utf8") ?? null;

function renderUntracked({ untracked, changed }: Untracked, isLost: boolean): string | null {
  const told = [
    ...(isLost
      ? ["The list of untracked paths from before the run is missing or changed, so the current list is used"]
      : []),
    ...renderPaths(changed, "changed"),
    ...renderPaths(untracked, "untracked"),
  ];
  return told.length === 0 ? null : told.join("; ");
}

function renderPaths(paths: readonly string[], what: "untracked" | "changed"): string[] {
  if (paths.length === 0) return [];
  const named = `${paths.slice(0, mostNamed).join(", ")}${paths.length > mostNamed ? ", …" : ""}`;
  const count = countOf(paths.length, `${what} path`, `${what} paths`);
  const verb = paths.length === 1 ? "is" : "are";
  return [`${count} from before the run ${verb} not committed, unless named in the Files of a task: ${named}`];
}
