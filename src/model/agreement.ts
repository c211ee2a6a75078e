import * as z from "zod";

/** Approvals by the owner of a spec, for everything in a repository that needs consent. */
export const Agreement = z.object({
  /** Verify commands of the plan. */
  verify: z.array(z.string()).readonly(),
  /** Commands of reality checks. */
  reality: z.array(z.string()).readonly(),
  /** Options that run something, weaken a check or give a right, by name, as displayed. */
  options: z.record(z.string(), z.string()).readonly(),
  /** Limits above their defaults, and limits that were typed, by name, with their effective values; null: off. */
  limits: z.record(z.string(), z.number().nullable()).readonly().optional(),
});
export type Agreement = z.infer<typeof Agreement>;

export const noAgreement: Agreement = { verify: [], reality: [], options: {} };

/** Canonical text of an agreement: the order of items does not matter. */
export const canonicalAgreement = ({ verify, reality, options, limits = {} }: Agreement): string =>
  JSON.stringify([
    [...verify].sort(),
    [...reality].sort(),
    Object.entries(options).sort(),
    Object.entries(limits).sort(),
  ]);

/**
 * Items, other than limits, that a later agreement adds to an earlier one. A removed command no longer runs, so it
 * needs no consent; a changed option is shown with its old and new value.
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

/** Identity of a folder across mounts, reboots and containers. The device number is excluded, since it changes. */
const FolderId = z.object({
  /** Inode, decimal. */
  inode: decimal,
  /** Birth time, nanoseconds since 1970, decimal. */
  born: decimal,
});
export type FolderId = z.infer<typeof FolderId>;

/** The origin of a workspace, which distinguishes a repository from another one later at the same path. */
export const WorkspaceOrigin = z.object({
  /** HEAD if it contains the workspace; null without a repository or commit, and for a folder outside of HEAD. */
  head: z.string().nullable(),
  /** Root commits of HEAD, sorted; in a shallow clone, the oldest reachable commits. Empty without a head. */
  roots: z.array(z.string()).readonly(),
  /** URLs of all remotes, `origin` first, without credentials. */
  remotes: z.array(z.string()).readonly(),
  /** Null if the file system has no inode or birth time. */
  workspace: FolderId.nullable(),
  spec: FolderId.nullable(),
  /** Reason why the origin cannot be determined; null if it can. */
  unknown: z.string().nullable(),
});
export type WorkspaceOrigin = z.infer<typeof WorkspaceOrigin>;

/** Place for which an agreement is valid. */
export const AgreedPlace = z.object({
  /** Real path of the spec folder. */
  spec: z.string(),
  /** Real path. */
  workspace: z.string(),
  origin: WorkspaceOrigin,
});
export type AgreedPlace = z.infer<typeof AgreedPlace>;

/** Reason why an agreement is not valid at a place. */
interface Doubt {
  /** One line. */
  readonly reason: string;
  /** Whether another repository or folder is certainly at the path now, so that earlier runs do not belong to it. */
  readonly isOther: boolean;
}

/**
 * Compare the place of an agreement with the place of a start.
 *
 * A repository counts as the same while its root commits and its remote stay unchanged. A folder without a commit
 * counts as the same while its inode and birth time stay unchanged, also after its first commit. When a repository gets
 * its first remote, its folder must be the same as well.
 *
 * @returns Null if the agreement is valid there.
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
  return remote === undefined ? here.remotes.length === 0 || isSameFolder : here.remotes.includes(remote);
}

const sameFolder = (one: FolderId | null, other: FolderId | null): boolean =>
  one !== null && one.inode === other?.inode && one.born === other.born;

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((each) => all.has(each));

/** An origin in words that a person recognizes. */
function renderOrigin({ head, roots, remotes, workspace }: WorkspaceOrigin): string {
  if (head !== null) {
    const [remote = "no remote"] = remotes;
    return `${remote}, begun with commit ${roots.map((root) => root.slice(0, 10)).join(", ")}`;
  }
  const born = new Date(Number(BigInt(workspace?.born ?? "0") / 1_000_000n));
  return `made ${born.toISOString()}`;
}
