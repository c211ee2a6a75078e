import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileStore, makeProgress } from "../../adapters/documents/file-store.ts";
import { fileState } from "../../adapters/file-state.ts";
import { trees } from "../../adapters/git/trees.ts";
import { git } from "../../adapters/git.ts";
import { shell } from "../../adapters/shell.ts";
import type { Policy } from "../../model/policy.ts";
import { projectCheck } from "../../model/project-check.ts";
import type { Trees } from "../../ports/git.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Checkout, Checkouts } from "./checkout.ts";
import type { PendingWork } from "./pending-work.ts";
import type { FleetRun } from "./protocol.ts";
import {
  applyEdits,
  type DocumentEdit,
  editsBetween,
  readSpecDocuments,
  type SpecDocuments,
  writeSpecDocuments,
} from "./spec-documents.ts";

interface PushedContent {
  readonly commit: string;
  readonly ref: string;
  readonly head: string;
}

/** Changes that a step made to documents and content, stored in addition to the records of the step. */
export interface StepChanges {
  readonly edits?: readonly DocumentEdit[];
  readonly stand?: PushedContent;
}

/**
 * The workspace in which a run's coordinator works. Any machine can rebuild the workspace from the stored results of
 * the run's steps.
 */
export interface RunWorkspace {
  recall(left: StepChanges): void;
  open(): Promise<{ readonly checkout: Checkout; readonly ports: LocalPorts }>;
  /** The changes since the last call. @param at A number that no earlier step has. */
  left(at: number): Promise<StepChanges>;
  stand(stand: PushedContent): void;
  /** Push everything to the branch of the run. @returns The commit at which the branch is now. */
  writeBack(message: string, expect: string | null): Promise<string>;
  close(): void;
}

type LocalPorts = Pick<Ports, "documents" | "git" | "trees" | "fileState" | "shell" | "workspace" | "spec" | "check">;

interface Place {
  readonly id: string;
  readonly run: FleetRun;
  readonly policy: Policy;
  readonly checkouts: Checkouts;
  /** Absolute folder below which contents of the workspace are stored. */
  readonly folder: string;
  readonly counted: PendingWork["counted"];
  /** Names of the contents against which changes of attempts will be judged. */
  readonly needed: () => Iterable<string>;
}

/** Minimum and maximum number of latest contents that are restored. */
const [leastRestored, mostRestored] = [2, 30];

export function runWorkspace({ id, run, policy, checkouts, folder, counted, needed }: Place): RunWorkspace {
  const first: PushedContent = { commit: run.base, ref: `refs/fixpoint/${id}/base`, head: run.base };
  const recalled: DocumentEdit[] = [];
  const stands: PushedContent[] = [first];
  /** The documents after the last step. The edits of the first step contain the whole documents. */
  let texts: SpecDocuments = new Map();
  let opened: { readonly checkout: Checkout; readonly ports: LocalPorts } | null = null;
  let unkept: PushedContent | null = null;
  let isRestored = false;
  const specIn = (checkout: Checkout): string => join(checkout.folder, run.spec);
  const last = (): PushedContent => stands.at(-1) ?? first;
  const make = async (): Promise<{ readonly checkout: Checkout; readonly ports: LocalPorts }> => {
    const checkout = await checkouts.take(run.repo);
    try {
      const onRestore = (): void => {
        isRestored = true;
      };
      const ports = portsOf(checkout.folder, specIn(checkout), {
        ...{ policy, counted, onRestore, folder: join(folder, "trees", id) },
      });
      await checkout.place(first.commit, first.ref, first.head);
      const spec = specIn(checkout);
      mkdirSync(join(spec, ".fixpoint"), { recursive: true });
      applyEdits(texts, recalled);
      const restore = async ({ commit, ref, head }: PushedContent): Promise<string | null | undefined> => {
        if (head !== `${commit}^`) await checkout.fetch(head, `refs/heads/${run.branch}`).catch(() => {});
        await checkout.place(commit, ref, head);
        return ports.trees?.now();
      };
      const missing = new Set(needed());
      for (const [at, stand] of stands.slice(-mostRestored).toReversed().entries()) {
        if (missing.size === 0 && at >= leastRestored) break;
        missing.delete((await restore(stand)) ?? "");
      }
      await restore(last());
      if (recalled.length > 0) writeSpecDocuments(spec, texts);
      const progress = join(spec, ".progress.md");
      if (!existsSync(progress)) makeProgress(progress, basename(spec));
      return { checkout, ports };
    } catch (error) {
      checkouts.leave(checkout);
      throw error;
    }
  };
  const open = async () => {
    opened ??= await make();
    return opened;
  };
  return {
    open,
    recall: ({ edits = [], stand }) => {
      recalled.push(...edits);
      if (stand !== undefined) stands.push(stand);
    },
    stand: (stand) => {
      stands.push(stand);
      unkept = stand;
    },
    left: async (at) => {
      const { checkout } = await open();
      const now = readSpecDocuments(specIn(checkout));
      const edits = editsBetween(texts, now);
      texts = now;
      const head = await checkout.head();
      if (isRestored || head !== last().head) {
        isRestored = false;
        const commit = await checkout.snapshot("workspace of a run");
        const ref = `refs/fixpoint/${id}/stands/${at}`;
        await checkout.share(commit, ref);
        unkept = { commit, ref, head };
        stands.push(unkept);
      }
      const stand = unkept;
      unkept = null;
      return { ...(edits.length > 0 && { edits }), ...(stand !== null && { stand }) };
    },
    writeBack: async (message, expect) => {
      const { checkout } = await open();
      const head = await checkout.head();
      const tree = await checkout.content();
      const commit = (await checkout.read(head)).tree === tree ? head : await checkout.commit(tree, head, message);
      if (commit !== expect) await checkout.move(run.branch, expect, commit);
      await checkout.setHead(commit);
      unkept = { commit, ref: `refs/heads/${run.branch}`, head: commit };
      stands.push(unkept);
      return commit;
    },
    close: () => {
      if (opened !== null) checkouts.leave(opened.checkout);
    },
  };
}

function portsOf(
  workspace: string,
  spec: string,
  { policy, folder, counted, onRestore }: Pick<Place, "policy" | "folder" | "counted"> & { onRestore: () => void },
): LocalPorts {
  const kept = trees({ workspace, specFolder: spec, folder });
  const restore: Trees["restore"] = (...asked) => kept.restore(...asked).finally(onRestore);
  const specFiles = { "tasks.md": join(spec, "tasks.md"), ".progress.md": join(spec, ".progress.md") };
  return {
    ...{ workspace, spec },
    documents: counted(fileStore({ folder: spec, dataFolder: join(spec, ".fixpoint"), workspace })),
    git: counted(git({ workspace, specFiles })),
    trees: counted({ ...kept, restore }),
    fileState: counted(fileState({ workspace, specFolder: spec })),
    shell: counted(shell({ workspace, passEnv: policy.passEnv ?? [] })),
    check: projectCheck(policy),
  };
}
