import { join, relative } from "node:path";
import { createQueue } from "../../model/create-queue.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import type { Reply } from "../../model/reply.ts";
import type { Role } from "../../model/role.ts";
import type { Executors, HandOut } from "../../ports/executor.ts";
import type { CommandResult, Shell } from "../../ports/shell.ts";
import { hashOf } from "../node/consent/verify-commands.ts";
import type { Checkout } from "./checkout.ts";
import type { PendingWork } from "./pending-work.ts";
import {
  type FleetAnswer,
  type FleetJob,
  type FleetRun,
  type FleetSaid,
  mostJobBytes,
  workspaceMark,
} from "./protocol.ts";
import { isOwn, readSpecDocuments, writeSpecDocuments } from "./spec-documents.ts";

export interface Outside {
  readonly id: string;
  readonly run: FleetRun;
  readonly checkout: Checkout;
  readonly pending: PendingWork;
  /** Find a job that an earlier process of this run put into the queue; null if there is none. */
  readonly find: (id: string) => Promise<FleetJob | null>;
  /** Put a job into the queue of its executor; no effect if the queue had the job before. */
  readonly enqueue: (id: string, job: FleetJob) => Promise<void>;
  readonly drop: (id: string) => void;
  readonly fences: ReadonlyMap<string, number>;
  /** Commits with replies, by the keys of their attempts; the ports add further commits. */
  readonly said: Map<string, Pushed>;
  /** Called after a pushed commit was checked out. */
  readonly stand: (stand: Pushed & { readonly head: string }) => void;
  readonly onFailed: (name: string, error: unknown) => void;
}

export type Pushed = NonNullable<FleetAnswer["left"]>;

/** Ports whose work is done by workers, on the content of the coordinator's checkout. */
export interface RemotePorts {
  readonly executors: Executors;
  readonly shell: Shell;
}

type Asked = Pick<FleetJob, "executor" | "work">;

interface Prepared {
  readonly name: string;
  /** Id of the job. */
  readonly job: string;
  readonly made: FleetJob;
}

export function remotePorts(outside: Outside, local: Shell): RemotePorts {
  const { id, run, checkout, pending } = outside;
  const kept = new Map<string, CommandResult>();
  const found = new Set<string>();
  /** The last pushed content: this process pushed it, or took it over from an attempt. */
  let shared: Pushed | null = null;
  /** Push the content of the checkout, unless it is pushed already. */
  const share = async (tree: string, name: string): Promise<Pushed> => {
    const head = await checkout.head();
    const last = shared === null ? null : await checkout.read(shared.commit);
    if (shared !== null && last?.tree === tree && last.parent === head) return shared;
    const commit = await checkout.commit(tree, head, "base of an attempt");
    const ref = `refs/fixpoint/${id}/${name}/base`;
    await checkout.share(commit, ref);
    shared = { commit, ref };
    return shared;
  };
  const stand: Outside["stand"] = (placed) => {
    shared = placed;
    outside.stand(placed);
  };
  // Push or take over only one content at a time.
  const oneByOne = createQueue();
  /**
   * Name a job, and push the content with which it begins, unless an earlier process has put the job into the queue.
   */
  const prepare = async (nameOf: (tree: string) => string, { executor, work }: Asked): Promise<Prepared> => {
    const tree = await checkout.content();
    const name = nameOf(tree);
    const job = `${id}/${name}/${outside.fences.get(name) ?? 0}`;
    const there = await outside.find(job);
    if (there !== null) return { name, job, made: there };
    const { commit: base, ref } = await share(tree, name);
    const { repo, spec } = run;
    return { name, job, made: { run: id, repo, base, ref, spec, executor, work } };
  };
  /** Have a worker do a job. @param nameOf Returns the name of the job for the tree with which the job begins. */
  const ask = async (
    nameOf: (tree: string) => string,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<{ readonly base: Pushed; readonly left: Pushed | undefined; readonly said: FleetSaid }> => {
    const { name, job, made } = await pending.at(oneByOne(() => prepare(nameOf, asked)));
    const base = { commit: made.base, ref: made.ref };
    try {
      const size = Buffer.byteLength(JSON.stringify(made));
      if (size > mostJobBytes) throw tooLarge(name, size);
      await pending.at(outside.enqueue(job, made));
      const { said, left, error } = await pending.answerOf(job, signal);
      if (said !== undefined) return { base, left, said: saidIn(checkout, JSON.stringify(said)) };
      if (left !== undefined) return { base, left, said: await pending.at(readSaid(checkout, left)) };
      const { message = "The job was canceled", ...how } = error ?? { code: "job-failed" };
      throw new EnvironmentError(message, how);
    } catch (error) {
      if (signal.aborted) outside.drop(job);
      else outside.onFailed(name, error);
      throw error;
    }
  };
  const play = (role: Role): HandOut => {
    const execute: HandOut = Object.assign(
      async (...[delegation, signal]: Parameters<HandOut>): Promise<Reply> => {
        const { key, taskId, attempt } = delegation;
        const prompt = delegation.prompt.replaceAll(checkout.folder, workspaceMark);
        const progressFile = relative(checkout.folder, delegation.progressFile);
        const { base, left, said } = await ask(
          () => key,
          {
            executor: run.executors[role] ?? run.executors.executor,
            work: { kind: "execute", key, role: delegation.role, taskId, attempt, prompt, progressFile },
          },
          signal,
        );
        if (said.kind !== "execute" || left === undefined) {
          throw new InputError(`Expected a reply to ${key}`, { code: "answer-malformed" });
        }
        outside.said.set(key, left);
        const collides = await pending.at(oneByOne(() => takeOver({ ...outside, stand }, key, base, left)));
        return collides.length === 0 ? said.reply : { text: "", exitCode: 1, stderr: collision(collides) };
      },
      { nonceHashOf: (key: string) => hashOf(`${id}/${key}`) },
    );
    return execute;
  };
  const { executor: _, ...roles } = run.executors;
  return {
    executors: {
      executor: play("executor"),
      ...Object.fromEntries(Object.keys(roles).map((role) => [role, play(role as Role)])),
    },
    shell: {
      ...local,
      run: async (command, { timeoutMs, keepAs }, signal) => {
        const place = (keepAs ?? "check").replace(/[^\w#./-]+/g, "-");
        const nameOf = (tree: string): string => `${place}/${hashOf(JSON.stringify([command, tree])).slice(0, 16)}`;
        const work = { kind: "check", command, timeoutMs } as const;
        const { said } = await ask(nameOf, { executor: run.executors.executor, work }, signal);
        if (said.kind !== "check") throw new InputError(`Expected a result of ${place}`, { code: "answer-malformed" });
        if (keepAs !== undefined) kept.set(keepAs, said.result);
        return said.result;
      },
      // Checks run on workers, which may have other programs than this machine.
      exists: async (program) => {
        if (found.has(program)) return true;
        const nameOf = (tree: string): string => `find/${hashOf(JSON.stringify([program, tree])).slice(0, 16)}`;
        const work = { kind: "find", program } as const;
        const { said } = await ask(nameOf, { executor: run.executors.executor, work }, new AbortController().signal);
        if (said.kind === "find" && said.exists) found.add(program);
        return found.has(program);
      },
      readKept: async (name, see) => {
        const result = kept.get(name);
        for (const text of [result?.stdout ?? "", result?.stderr ?? ""]) {
          see(text === "" || text.endsWith("\n") ? text : `${text}\n`);
        }
        return result !== undefined;
      },
    },
  };
}

export async function readSaid(checkout: Checkout, { commit, ref }: Pushed): Promise<FleetSaid> {
  return saidIn(checkout, (await checkout.fetch(commit, ref)).message);
}

const saidIn = ({ folder }: Checkout, text: string): FleetSaid =>
  JSON.parse(text.replaceAll(workspaceMark, folder)) as FleetSaid;

/**
 * Take over the files as they are after an attempt. If other content has changed since the attempt began, merge both;
 * if both sides changed a document of the spec, keep the coordinator's version.
 *
 * @returns Paths with conflicts. If there is a conflict, nothing is taken over.
 */
async function takeOver(
  { id, run: { spec }, checkout, stand }: Pick<Outside, "id" | "run" | "checkout" | "stand">,
  key: string,
  base: Pushed,
  { commit, ref }: Pushed,
): Promise<readonly string[]> {
  const ours = await checkout.content();
  // Fetch the base: another machine may have made this commit.
  const [before, theirs] = [await checkout.fetch(base.commit, base.ref), await checkout.read(commit)];
  if (ours === before.tree) {
    const head = theirs.parent === before.parent ? await checkout.head() : theirs.parent;
    await checkout.place(commit, ref, head);
    stand({ commit, ref, head });
    return [];
  }
  const { tree, conflicts } = await checkout.merge(base.commit, ours, theirs.tree);
  const prefix = spec === "" ? "" : `${spec}/`;
  const isDocument = (path: string): boolean => path.startsWith(prefix) && isOwn.test(path.slice(prefix.length));
  const outside = conflicts.filter((path) => !isDocument(path));
  if (outside.length > 0) return outside;
  const folder = join(checkout.folder, spec);
  const texts = readSpecDocuments(folder);
  const head = await checkout.head();
  await checkout.place(await checkout.commit(tree, head, "merged"), ref);
  const merged = readSpecDocuments(folder);
  for (const path of conflicts) {
    const name = path.slice(prefix.length);
    const text = texts.get(name);
    if (text === undefined) merged.delete(name);
    else merged.set(name, text);
  }
  writeSpecDocuments(folder, merged);
  const whole = { commit: await checkout.snapshot("merged"), ref: `refs/fixpoint/${id}/${key}/merged` };
  await checkout.share(whole.commit, whole.ref);
  stand({ ...whole, head });
  return [];
}

const collision = (paths: readonly string[]): string =>
  `The changes of the task conflict with those of other tasks in ${paths.join(", ")}: the task is repeated`;

const tooLarge = (name: string, bytes: number): InputError =>
  new InputError(`Cannot hand out ${name}, expected at most ${mostJobBytes} bytes, not ${bytes}`, {
    code: "job-too-large",
    hint: "Make the task or the advice shorter, or put it into a file of the spec, then say `retry`",
  });
