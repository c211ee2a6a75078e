import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import type { Random } from "../../../src/model/random.ts";
import type { Surroundings } from "../campaign.ts";
import type { Kill } from "../coordinator/call-program.ts";
import { changeFiles } from "./change-files.mjs";
import { changedBetween, differences, type Expected, putBack, type Recorded, tornFiles } from "./check-files.ts";
import { gitIn } from "./make-repository.ts";
import { orderExecutor, type Trial, watchUsersSide, withTrial } from "./trial.ts";

const noPrograms = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

export const tryRepository = (random: Random, surroundings: Surroundings, kills: boolean) =>
  withTrial(random, surroundings, async (trial) => {
    const check = watchUsersSide(trial);
    await run(trial, surroundings, kills);
    check("after the run");
    await restoreSome(trial, kills);
    check("after restores");
    fsck(trial);
    if (!random.chance(0.4)) return;
    collect(trial);
    const checkAgain = watchUsersSide(trial);
    await restoreSome(trial, false);
    checkAgain("after restores behind gc");
    count(trial, "collected");
  });

const count = ({ counts }: Trial, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

async function run(trial: Trial, surroundings: Surroundings, kills: boolean): Promise<void> {
  const { random, ground } = trial;
  const isInterrupted = kills || random.chance(0.4);
  // After a limit, a resumed run chooses its task again and does not pivot, so its attempts must always start fresh.
  const isAlways = isInterrupted || random.chance(0.2);
  const passesAt = (isAlways ? 2 : 3) + random.below(2);
  const executor = orderExecutor(trial, surroundings, passesAt, kills ? 25 : 9);
  const flags = ["--commit", "off", "--escalation", "--stuck-after-same-errors", "2", "--reporter", "plain"];
  const words = ["run", ground.spec, "--exec", executor, ...flags, ...(isAlways ? ["--fresh", "always"] : [])];
  const isFresh = (attempt: number): boolean => attempt > (isAlways ? 1 : 2);
  let resumed: { readonly at: number; readonly now: Recorded } | null = null;
  if (isInterrupted) {
    await trial.call([...words, "--yes", "--max-global-iterations", String(passesAt - 1)], [1, 3]);
    if (random.chance(0.5)) changeFiles(ground.place, random.below(2 ** 31), 1 + random.below(4));
    resumed = { at: passesAt, now: trial.now() };
    count(trial, "resumed");
    if (kills) await killRun(trial, words, resumed);
  }
  await trial.call([...words, "--yes", "--max-global-iterations", "20"]);
  checkBegins(trial, isFresh, resumed);
}

type Resumed = { readonly at: number; readonly now: Recorded };

async function killRun(trial: Trial, words: readonly string[], resumed: Resumed): Promise<void> {
  const { random, violations } = trial;
  const key = `1.1#${resumed.at}`;
  for (let kills = 0; kills < 2; kills += 1) {
    const kill = killAmong(trial, beginOf(trial, resumed), 150);
    const ended = await trial.program([...words, "--yes", "--max-global-iterations", "20"], kill);
    if (!ended.killed) return;
    count(trial, "kills");
    if (trial.noted().some((noted) => noted.key === key)) return;
    const found = trial.now();
    if (changedBetween(resumed.now, found).size > 0) count(trial, "clean starts cut");
    const when = `the clean start, killed ${JSON.stringify(kill)}`;
    violations.push(...tornFiles(found, beginOf(trial, resumed), when));
    if (random.chance(0.5)) return;
  }
}

function killAmong({ random }: Trial, { changed }: Expected, most: number): Kill {
  return random.chance(0.7) && changed.size > 0
    ? { atFile: 1 + random.below(2 * changed.size) }
    : { atChange: 1 + random.below(most) };
}

function beginOf(trial: Trial, { at, now }: Resumed) {
  const noted = trial.noted();
  const first = noted.find(({ key, what }) => key === "1.1#1" && what === "found")?.recorded ?? now;
  const last = noted.findLast(({ key, what }) => key === `1.1#${at - 1}` && what === "left")?.recorded ?? now;
  const others = changedBetween(last, now);
  return putBack(now, first, (path) => !others.has(path));
}

function checkBegins(trial: Trial, isFresh: (attempt: number) => boolean, resumed: Resumed | null): void {
  const noted = trial.noted();
  for (const [index, { key, what, recorded }] of noted.entries()) {
    const attempt = Number(/^1\.1#(\d+)$/.exec(key)?.[1] ?? 0);
    const before = noted[index - 1];
    // Compare only after an attempt that ended: a killed coordinator may leave half-written files of its executor.
    if (what !== "found" || before?.what !== "left" || before.key !== `1.1#${attempt - 1}`) continue;
    const now = resumed?.at === attempt ? resumed.now : before.recorded;
    const expected = isFresh(attempt) ? beginOf(trial, { at: attempt, now }) : { now, changed: new Map() };
    trial.violations.push(...differences(recorded, expected, `${key} begins`));
    count(trial, isFresh(attempt) ? "clean starts" : "others begun");
  }
}

async function restoreSome(trial: Trial, kills: boolean): Promise<void> {
  const { random, violations, ground } = trial;
  const keys = [...new Set(trial.noted().map(({ key }) => key))];
  for (let times = 0; times < 2 && keys.length > 0; times += 1) {
    const key = keys.splice(random.below(keys.length), 1)[0] ?? "";
    const isBefore = random.chance(0.4);
    const noted = trial.noted().filter((other) => other.key === key && other.what === (isBefore ? "found" : "left"));
    const wanted = (isBefore ? noted[0] : noted.at(-1))?.recorded;
    if (wanted === undefined) continue;
    if (random.chance(0.4)) changeFiles(ground.place, random.below(2 ** 31), 1 + random.below(4));
    const before = trial.now();
    const place = random.chance(0.25) ? placeAmong(trial, [...wanted.kept, ...before.kept]) : null;
    const isIn = (path: string): boolean => place === null || `${path}/`.startsWith(`${ground.place.prefix}${place}/`);
    const expected = putBack(before, wanted, isIn);
    const files = place === null ? [] : ["--", Buffer.from(place, "latin1").toString()];
    const words = ["restore", key, ground.spec, "--yes", ...(isBefore ? ["--before"] : []), ...files];
    const saved = (await savedIn(trial)) + 1;
    const when = words.filter((word) => word !== ground.spec).join(" ");
    const isCut = kills && (await killRestore(trial, { words, saved, before, expected }));
    if (!isCut || random.chance(0.7)) {
      // A killed restore may already have restored ignore rules, so the expectation starts from the current files.
      const again = isCut ? putBack(trial.now(), wanted, isIn) : expected;
      await trial.call(words);
      violations.push(...differences(trial.now(), again, when));
      count(trial, "restores");
    }
    const after = trial.now();
    if (expected.changed.size === 0) continue;
    count(trial, "files", expected.changed.size);
    await trial.call(["restore", `saved#${saved}`, ground.spec, "--yes"]);
    violations.push(...differences(trial.now(), putBack(after, before), `saved#${saved} behind ${when}`));
  }
}

function placeAmong({ random, ground }: Trial, paths: readonly string[]): string | null {
  const named = paths.filter((path) => isUtf8(Buffer.from(path, "latin1")));
  const path = named[random.below(named.length)]?.slice(ground.place.prefix.length);
  return (random.chance(0.5) ? path?.split("/")[0] : path) ?? null;
}

async function savedIn(trial: Trial): Promise<number> {
  while (await isSaved(trial, (trial.counts["saved"] ?? 0) + 1)) count(trial, "saved");
  return trial.counts["saved"] ?? 0;
}

const isSaved = async ({ call, ground }: Trial, number: number): Promise<boolean> =>
  !(await call(["diff", `saved#${number}`, ground.spec], [0, 2])).startsWith("ERROR");

async function killRestore(
  trial: Trial,
  { words, saved, before, expected }: { words: readonly string[]; saved: number; before: Recorded; expected: Expected },
): Promise<boolean> {
  let isKept = false;
  for (let kills = 0; kills < 2; kills += 1) {
    const kill = killAmong(trial, expected, 80);
    const ended = await trial.program(words, kill);
    isKept = await isSaved(trial, saved);
    if (!ended.killed) return isKept;
    const when = `${words[1]}, killed ${JSON.stringify(kill)}`;
    const found = trial.now();
    const isTouched = changedBetween(before, found).size > 0;
    count(trial, "kills");
    if (isTouched) count(trial, "restores cut");
    if (isTouched && !isKept) trial.violations.push(`${when}: the replaced files were not saved`);
    trial.violations.push(...tornFiles(found, expected, when));
    if (trial.random.chance(0.6)) return isKept;
  }
  return isKept;
}

function fsck({ ground, violations }: Trial): void {
  try {
    gitIn(ground.workspace, [...noPrograms, "fsck", "--no-dangling", "--no-progress"]);
  } catch (error) {
    violations.push(`git fsck: ${error instanceof Error ? error.message : error}`);
  }
}

function collect({ ground, random }: Trial): void {
  const git = (...words: readonly string[]) => gitIn(ground.workspace, [...noPrograms, ...words]);
  if (random.chance(0.5)) {
    git("symbolic-ref", "HEAD", "refs/heads/none");
    for (const ref of git("for-each-ref", "--format=%(refname)").split("\n").filter(Boolean))
      git("update-ref", "-d", ref);
    git("read-tree", "--empty");
    git("reflog", "expire", "--expire=now", "--all");
  }
  git("gc", "-q", "--prune=now");
}

export const numberSeed = (seed: number, number: number): number => crc32(`repository ${number}`, seed);
