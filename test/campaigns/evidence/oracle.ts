import type { Happening } from "./play.ts";
import { type Content, fileOf, sourceOf, type World } from "./world.ts";

export interface Judged {
  readonly proofs: ReadonlyMap<string, string>;
  readonly flaky: ReadonlyMap<string, number>;
  readonly attempts: ReadonlyMap<string, number>;
  readonly delegations: number;
  readonly tokens: number;
  readonly wrong: readonly string[];
}

type Run = Extract<Happening, { kind: "run" }>;

interface Task {
  readonly id: string;
  readonly isPlanned: boolean;
  readonly isMember: boolean;
  readonly command: string | null;
  readonly checks: boolean;
  readonly named: readonly string[];
  readonly hasFiles: boolean;
}

/** An accepted task, with the content before its tree's first attempt and at its acceptance. */
interface Accepted {
  readonly task: Task;
  readonly from: Content;
  readonly to: Content;
}

interface Known {
  readonly before: Map<string, readonly string[] | null>;
  readonly content: Content;
}

const reaches = (command: string): boolean => command.startsWith("curl ");
const text = (content: Content): string => JSON.stringify([...content].sort());
const isSame = (one: Content, other: Content): boolean => text(one) === text(other);
const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((check) => all.includes(check));

function changed(from: Content, to: Content): string[] {
  return [...new Set([...from.keys(), ...to.keys()])].filter((path) => from.get(path) !== to.get(path));
}

function tasksIn(plan: string): Map<string, Task> {
  const blocks = plan.split(/^- \[[ x]\] /m).slice(1);
  return new Map(
    blocks.map((block) => {
      const [id = "", ...title] = (block.split("\n")[0] ?? "").split(" ");
      const command = /\*\*Verify\*\*: `([^`]+)`/.exec(block)?.[1] ?? null;
      const named = block.replace(/.*\*\*Verify.*/, "").match(/(?:src|test|docs)\/[\w.]+\w/g) ?? [];
      const isPlanned = id.split(".").length === 2;
      const checks = title.includes("[VERIFY]");
      const hasFiles = block.includes("**Files**");
      return [id, { ...{ id, command, checks, named, hasFiles, isPlanned }, isMember: title.includes("[P]") }];
    }),
  );
}

function kept(happenings: readonly Happening[]): Happening[] {
  const all: Happening[] = [];
  let start: Happening[] = [];
  for (const each of [...happenings, { kind: "killed" } as Happening]) {
    start.push(each);
    if (each.kind !== "killed") continue;
    const names = new Set(start.flatMap((one) => (one.kind === "recorded" ? (one.run ?? []) : [])).map(first));
    all.push(...start.filter((one) => one.kind !== "run" || names.has(first(one.name))));
    start = [];
  }
  return all;
}

const first = (name: string): string => name.replace(/[/-]again$/, "");

export function judge(
  plan: string,
  { knownFailures, finalVerify }: Pick<World, "knownFailures" | "finalVerify">,
  { happenings, isComplete }: { readonly happenings: readonly Happening[]; readonly isComplete: boolean },
): Judged {
  const tasks = tasksIn(plan);
  const last = new Map<string, Run>();
  const firstReds = new Map<string, readonly string[]>();
  const roots = new Map<string, Known>();
  const [proofs, flaky] = [new Map<string, string>(), new Map<string, number>()];
  const keys = new Map<string, Set<string>>();
  const wrong: string[] = [];
  const mayFail = new Set<string>();
  const [madeFor, lastReds] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
  const atWork = new Set<string>();
  const [foreign, rejections] = [new Set<string>(), new Map<string, number>()];
  let [delegations, tokens] = [0, 0];
  const spoken = new Map<string, number>();
  const judged = new Map<string, Run[]>();
  const lasts = new Map<string, Run | undefined>();
  const [accepted, began] = [new Map<string, Accepted>(), new Map<string, Content>()];
  const redsOf = new Map<string, Set<string>>();
  let [isBatch, hasWorked] = [false, false];
  let look: Content | null = null;
  const all = kept(happenings);
  const rootOf = (id: string): string => id.split(".").slice(0, 2).join(".");

  const noteReds = (id: string, reds: readonly string[]): void =>
    void redsOf.set(rootOf(id), new Set([...(redsOf.get(rootOf(id)) ?? []), ...reds]));

  const note = (run: Run): void => {
    last.set(run.command, run);
    noteReds(first(run.name).split("#")[0] ?? "", run.reds);
    if (!hasWorked && !firstReds.has(run.command)) firstReds.set(run.command, run.reds);
  };

  const isRelated = (check: string, task: Task, own: readonly string[], content: Content): boolean => {
    const meant = [...task.named, ...own];
    return (
      meant.length === 0 ||
      !content.has(fileOf(check)) ||
      meant.some((path) => [fileOf(check), sourceOf(check)].includes(path))
    );
  };

  const proofOf = (task: Task, run: Run, excused: readonly string[], since: Run | undefined): string => {
    const { before, content } = roots.get(rootOf(task.id)) as Known;
    const was = before.get(task.id) ?? null;
    if (was === null) {
      if (task.checks) return "checked";
      return `no result from before the work${reaches(run.command) ? " (its Verify reaches outside)" : ""}`;
    }
    const reds = was.filter((check) => !excused.includes(check));
    if (reds.length === 0) return task.checks ? "checked" : "green before the work";
    const isFlip = since !== undefined && !isWithin(since.reds, run.reds) && isSame(since.content, run.content);
    if (isFlip || (task.isPlanned && isSame(content, run.content))) {
      return "turned green without a change";
    }
    if (reds.every((check) => !content.has(fileOf(check)) && run.content.has(fileOf(check)))) {
      return "the task wrote its own checks";
    }
    if (reds.every((check) => (flaky.get(check) ?? 0) > 1)) return "its checks are flaky";
    return "proven";
  };

  const isRejected = (task: Task, proof: string, since: Run | undefined, run: Run): boolean => {
    const times = rejections.get(task.id) ?? 0;
    const isHeard = foreign.has(task.id) && proof !== "proven" && proof !== "checked";
    if (!isHeard || (times > 0 && !isSame(since?.content ?? run.content, run.content))) return false;
    rejections.set(task.id, times + 1);
    return true;
  };

  /** Whether an attempt took a file back to its state before another accepted task, other than to repair it. */
  const undoes = (task: Task, now: Content): boolean => {
    const root = rootOf(task.id);
    const from = began.get(root);
    if (from === undefined || isBatch) return false;
    return [...from.keys()].some((path) => {
      if (from.get(path) === now.get(path) || tasks.get(root)?.named.includes(path) === true) return false;
      const undone = [...accepted.values()].findLast(
        (work) =>
          rootOf(work.task.id) !== root && work.from.get(path) === now.get(path) && work.to.get(path) !== now.get(path),
      );
      if (undone === undefined) return false;
      const isOutside = undone.task.hasFiles && !undone.task.named.includes(path);
      const repairs = [...(redsOf.get(root) ?? [])].some(
        (check) => !from.has(fileOf(check)) || [fileOf(check), sourceOf(check)].includes(path),
      );
      return !(isOutside && repairs);
    });
  };

  const judgeAttempt = (task: Task, [run, again]: readonly Run[]): void => {
    if (run === undefined) return;
    const { content } = roots.get(rootOf(task.id)) as Known;
    const since = lasts.get(run.name);
    const isRedBeside = isBatch && run.reds.length > 0;
    const isNew =
      run.reds.length > 0 &&
      run.reds.every((check) => since?.reds.includes(check) === false) &&
      since !== undefined &&
      run.reds.every((check) => !changed(since.content, run.content).includes(fileOf(check)));
    const isDoubtful =
      since !== undefined &&
      (isSame(since.content, run.content) ? (since.reds.length === 0) !== (run.reds.length === 0) : isNew);
    const isTwice = !reaches(run.command) && (isRedBeside || isDoubtful);
    if (isTwice !== (again !== undefined)) wrong.push(`${run.name} ran ${again === undefined ? "once" : "twice"}`);
    const counts = again ?? run;
    if (again !== undefined && !isRedBeside) {
      for (const check of run.reds) if (!again.reds.includes(check)) flaky.set(check, (flaky.get(check) ?? 0) + 1);
    }
    const own = changed(content, counts.content);
    const others = counts.reds.filter((check) => !isRelated(check, task, own, counts.content));
    const known = others.filter((check) => firstReds.get(run.command)?.includes(check) === true);
    // With `repair`, a fix task must also repair checks that failed before the run.
    const excused = isBatch ? others : knownFailures === "repair" && !task.isPlanned ? [] : known;
    const isExcused = isWithin(counts.reds, excused) && (own.length > 0 || counts.reds.length === 0);
    note(counts);
    if (isExcused) {
      if (counts.reds.length > 0 && knownFailures === "ask" && !isBatch) return;
      if (knownFailures !== "repair") for (const check of known) mayFail.add(check);
      lastReds.set(task.id, counts.reds);
      const proof = proofOf(task, counts, excused, since);
      if (!undoes(task, counts.content) && !isRejected(task, proof, since, counts)) proofs.set(task.id, proof);
      return;
    }
    const was = madeFor.get(task.id) ?? [];
    lastReds.set(task.id, counts.reds);
    const still = "its Verify is still red";
    const helps = !task.isPlanned && counts.reds.length < was.length && isWithin(counts.reds, was);
    if (helps && !counts.reds.includes(was[0] ?? "") && !isSame(since?.content ?? content, counts.content)) {
      // Its effect on other work is judged when all its checks pass.
      if (!isRejected(task, still, since, counts)) proofs.set(task.id, still);
    } else rejections.delete(task.id);
  };

  const begin = (task: Task, content: Content): void => {
    if (task.command === null) return;
    const root = rootOf(task.id);
    const known = roots.get(root) ?? {
      before: new Map<string, readonly string[] | null>(),
      content: began.get(root) ?? content,
    };
    roots.set(root, known);
    if (known.before.has(task.id)) return;
    const isLeftOut = task.isPlanned && (task.checks || reaches(task.command));
    const run = last.get(task.command);
    known.before.set(task.id, isLeftOut ? null : (madeFor.get(task.id) ?? run?.reds ?? null));
    if (isLeftOut) return;
    if (run === undefined || !isSame(run.content, content)) wrong.push(`${task.id} began without a run before`);
  };

  for (const each of all) {
    if (each.kind === "killed") {
      look = null;
      atWork.clear();
    }
    if (each.kind === "began") {
      const isFix = (key: string): boolean => tasks.get(key.split("#")[0] ?? "")?.isPlanned === false;
      for (const other of atWork) if (isFix(other) || isFix(each.key)) wrong.push(`${each.key} began beside ${other}`);
      atWork.add(each.key);
    }
    if (each.kind === "run") {
      if (each.name.endsWith("/before")) {
        note(each);
        if (isBatch) look = each.content;
      } else {
        if (!judged.has(first(each.name))) lasts.set(each.name, last.get(each.command));
        judged.set(first(each.name), [...(judged.get(first(each.name)) ?? []), each]);
      }
    }
    if (each.kind === "ended") {
      const id = each.key.split("#")[0] ?? "";
      atWork.delete(each.key);
      spoken.set(each.key, each.tokens);
      foreign.delete(id);
      if (each.box !== null && each.box !== id && !proofs.has(each.box)) foreign.add(id);
    }
    if (each.kind !== "recorded") continue;
    const id = each.key.split("#")[0] ?? "";
    const task = tasks.get(id);
    const late = id === "run" && each.run !== undefined ? judged.get(first(each.run))?.at(-1) : undefined;
    if (late !== undefined) note(late);
    if (each.fix !== undefined) {
      const reds = id === "run" ? atEndOf(each) : lastReds.get(id);
      if (reds !== undefined) madeFor.set(each.fix, reds);
      noteReds(each.fix, reds ?? []);
    }
    if (each.key.endsWith("/chooseTask")) {
      isBatch = each.answer === "batch";
      look = null;
    }
    if (task === undefined) continue;
    if (each.type === "delegated") {
      if (isBatch) look ??= each.content;
      const found = isBatch && task.isPlanned ? (look as Content) : each.content;
      if (!began.has(rootOf(id))) began.set(rootOf(id), found);
      begin(task, found);
      delegations += 1;
      if (keys.get(id)?.has(each.key) === true) hasWorked = true;
      keys.set(id, (keys.get(id) ?? new Set()).add(each.key));
    }
    if (each.key.endsWith("/delegate")) hasWorked = true;
    if (each.key.endsWith("/delegate") && each.answer === "replied")
      tokens += spoken.get(each.key.replace("/delegate", "")) ?? 0;
    if (each.key.endsWith("/delegate") && each.answer === "done") {
      const run = last.get(task.command ?? "") as Run;
      // The changes of a tree are unknown until the first attempt at one of its tasks.
      const isUnseen = !began.has(rootOf(id));
      begin(task, each.content);
      if (run.reds.length > 0 || !isSame(run.content, each.content)) wrong.push(`${id} is done, but not green`);
      const proof = proofOf(task, run, [], undefined);
      proofs.set(id, isUnseen && proof === "proven" ? "the changes are unknown" : proof);
    }
    if (each.key.endsWith("/verify") && each.type === "answered") {
      judgeAttempt(task, judged.get(each.key) ?? []);
      judged.delete(each.key);
      if (task.command === null && !foreign.has(id) && !undoes(task, each.content)) proofs.set(id, "unverified");
      if (each.answer === "accepted") {
        accepted.delete(id);
        accepted.set(id, { task, from: began.get(rootOf(id)) ?? each.content, to: each.content });
      }
    }
  }
  const attempts = new Map([...keys].map(([id, own]) => [id, own.size]));
  return { proofs, flaky, attempts, delegations, tokens, wrong: [...wrong, ...(isComplete ? atEnd() : [])] };

  function atEndOf(made: Happening): readonly string[] | undefined {
    return happenings.slice(0, happenings.indexOf(made)).findLast((each): each is Run => each.kind === "run")?.reds;
  }

  function atEnd(): string[] {
    const now = happenings.at(-1)?.content as Content;
    const proven = [...tasks.values()].filter(({ id, checks }) => proofs.get(id) === "proven" && !checks);
    const commands = new Set(proven.flatMap(({ command }) => (command === null || reaches(command) ? [] : [command])));
    if (finalVerify !== null) commands.add(finalVerify);
    return [...commands].flatMap((command) => {
      // Find the latest result for the final content, because a fix task may have restored earlier content.
      const run = happenings.findLast(
        (each): each is Run => each.kind === "run" && each.command === command && isSame(each.content, now),
      );
      if (run === undefined) return [`${command} was not run at the end`];
      return isWithin(run.reds, [...mayFail]) ? [] : [`${command} is red at the end`];
    });
  }
}
