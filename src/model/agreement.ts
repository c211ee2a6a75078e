import * as z from "zod";

/** Everything in a repository that needs consent, as the owner of a spec has approved it. */
export const Agreement = z.object({
  verify: z.array(z.string()).readonly(),
  reality: z.array(z.string()).readonly(),
  /** Displayed text, by name, of each option that runs something, weakens a check or gives a right. */
  options: z.record(z.string(), z.string()).readonly(),
  /** Effective values, by name, of limits above their defaults and of limits that the user typed; null: no limit. */
  limits: z.record(z.string(), z.number().nullable()).readonly().optional(),
});
export type Agreement = z.infer<typeof Agreement>;

export const noAgreement: Agreement = { verify: [], reality: [], options: {} };

/** Text that is equal for agreements with the same items, in any order. */
export const canonicalAgreement = ({ verify, reality, options, limits = {} }: Agreement): string =>
  JSON.stringify([
    [...verify].sort(),
    [...reality].sort(),
    Object.entries(options).sort(),
    Object.entries(limits).sort(),
  ]);

/**
 * List the items, other than limits, that only the later agreement has. A removed command no longer runs, so it needs
 * no consent; a changed option is shown with its old and new value.
 */
export function differenceOf(before: Agreement, after: Agreement): string[] {
  const names = [...new Set([...Object.keys(before.options), ...Object.keys(after.options)])].sort();
  return [
    ...added(before.verify, after.verify).map((command) => `Verify: ${command}`),
    ...added(before.reality, after.reality).map((command) => `Reality check: ${command}`),
    ...names.flatMap((name) => changedOption(name, before.options[name], after.options[name])),
  ];
}

function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before);
  return after.filter((command) => !known.has(command));
}

function changedOption(name: string, before: string | undefined, after: string | undefined): string[] {
  if (before === after) return [];
  if (before === undefined) return [`${name}: ${after}`];
  return [`${name}: ${after ?? "(default)"}, instead of ${before}`];
}

const decimal = z.string().regex(/^\d{1,20}$/);

/**
 * Identity of a folder that stays the same after a mount, after a reboot and in a container. The device number may
 * change, so it is not included.
 */
const FolderId = z.object({
  /** Inode, decimal. */
  inode: decimal,
  /** Birth time in nanoseconds since 1970, decimal. */
  born: decimal,
});
export type FolderId = z.infer<typeof FolderId>;

/** Identity of a workspace: another repository may later be at the same path. */
export const WorkspaceOrigin = z.object({
  /**
   * Hash of HEAD; null without a commit, for a workspace outside of any repository, and for a workspace that HEAD does
   * not contain.
   */
  head: z.string().nullable(),
  /** Root commits of HEAD, sorted; in a shallow clone, the oldest reachable commits. Empty if `head` is null. */
  roots: z.array(z.string()).readonly(),
  /** URLs of all remotes, `origin` first, without credentials. */
  remotes: z.array(z.string()).readonly(),
  /** Null if the file system has no inode or birth time. */
  workspace: FolderId.nullable(),
  spec: FolderId.nullable(),
  /** Reason why the origin cannot be determined; null if it is determined. */
  unknown: z.string().nullable(),
});
export type WorkspaceOrigin = z.infer<typeof WorkspaceOrigin>;

/** The place for which an agreement was given, or the place of a start. */
export const AgreedPlace = z.object({
  /** Real path of the spec folder, without symbolic links. */
  spec: z.string(),
  /** Real path, without symbolic links. */
  workspace: z.string(),
  origin: WorkspaceOrigin,
});
export type AgreedPlace = z.infer<typeof AgreedPlace>;

interface Doubt {
  /** One line. */
  readonly reason: string;
  /**
   * Whether another repository or folder is certainly at the same path now. Earlier runs then do not belong to this
   * place.
   */
  readonly isOther: boolean;
}

/**
 * Compare the place of an agreement with the place of a start.
 *
 * A repository is the same if its root commits and its remote are unchanged. Without a remote, its folder must be the
 * same too: a fork has the same root commits. A folder without a commit is the same if its inode and birth time are
 * unchanged, even after its first commit.
 *
 * @returns Null if the agreement is valid for the start.
 */
export function doubtAbout(agreed: AgreedPlace, here: AgreedPlace): Doubt | null {
  if (agreed.spec !== here.spec) return doubt(`Agreed for another spec: ${agreed.spec}`);
  if (agreed.workspace !== here.workspace) return doubt(`Agreed for another workspace: ${agreed.workspace}`);
  const unknown = here.origin.unknown ?? agreed.origin.unknown;
  if (unknown !== null) return doubt(`It is unknown whether this is the place you agreed to: ${unknown}`);
  if (isSame(agreed.origin, here.origin)) return null;
  const what = agreed.origin.head === null ? "folder" : "repository";
  return { reason: `Agreed for another ${what} at this path: ${renderOrigin(agreed.origin)}`, isOther: true };
}

const doubt = (reason: string): Doubt => ({ reason, isOther: false });

function isSame(agreed: WorkspaceOrigin, here: WorkspaceOrigin): boolean {
  const isSameFolder = sameFolder(agreed.workspace, here.workspace);
  if (agreed.head === null) return isSameFolder && sameFolder(agreed.spec, here.spec);
  const [roots, rootsHere] = [new Set(agreed.roots), new Set(here.roots)];
  if (here.head === null || !(isWithin(roots, rootsHere) || isWithin(rootsHere, roots))) return false;
  const [remote] = agreed.remotes;
  if (remote !== undefined) return here.remotes.includes(remote);
  return isSameFolder || (agreed.workspace === null && here.remotes.length === 0);
}

const sameFolder = (one: FolderId | null, other: FolderId | null): boolean =>
  one !== null && one.inode === other?.inode && one.born === other.born;

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((each) => all.has(each));

function renderOrigin({ head, roots, remotes, workspace }: WorkspaceOrigin): string {
  if (head !== null) {
    const [remote = "no remote"] = remotes;
    return `${remote}, begun with commit ${roots.map((root) => root.slice(0, 10)).join(", ")}`;
  }
  const born = new Date(Number(BigInt(workspace?.born ?? "0") / 1_000_000n));
  return `made ${born.toISOString()}`;
}
