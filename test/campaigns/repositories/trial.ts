import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../src/model/random.ts";
import { call } from "../../support/cli-here.ts";
import type { Surroundings } from "../campaign.ts";
import { callProgram, type Kill } from "../coordinator/call-program.ts";
import { environmentOf } from "../coordinator/environment-of.ts";
import type { Recorded } from "./check-files.ts";
import { type Ground, makeGround } from "./ground.ts";
import { filesIn, recordOf } from "./record-files.mjs";

interface Noted {
  readonly key: string;
  readonly what: "found" | "left";
  readonly recorded: Recorded;
}

export interface Trial {
  readonly ground: Ground;
  readonly random: Random;
  readonly violations: string[];
  readonly counts: Record<string, number>;
  readonly call: (words: readonly string[], codes?: readonly number[]) => Promise<string>;
  readonly program: (words: readonly string[], kill?: Kill) => ReturnType<typeof callProgram>;
  readonly now: () => Recorded;
  readonly noted: () => readonly Noted[];
}

export async function withTrial(
  random: Random,
  surroundings: Surroundings,
  act: (trial: Trial) => Promise<void>,
): Promise<Pick<Trial, "violations" | "counts" | "ground">> {
  const before = { ...process.env };
  let ground: Ground | null = null;
  try {
    Object.assign(process.env, { ...environmentOf({ folder: "/nowhere" }), TMPDIR: before["TMPDIR"] ?? "/tmp" });
    ground = makeGround(random.fork("ground"));
    Object.assign(process.env, environmentOf(ground), { XDG_STATE_HOME: join(ground.folder, "state") });
    const trial = trialOn(ground, random, surroundings);
    await act(trial);
    return trial;
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    if (ground !== null && before["KEEP_TRIALS"] === undefined) rmSync(ground.folder, { recursive: true, force: true });
  }
}

function trialOn(ground: Ground, random: Random, surroundings: Surroundings): Trial {
  const { folder, workspace, place } = ground;
  const records = join(folder, "records");
  const violations: string[] = [];
  return {
    ...{ ground, random, violations, counts: {} },
    call: async (words, codes = [0]) => {
      const { exitCode, out, err } = await call({ workspace } as Parameters<typeof call>[0], ...words);
      if (!codes.includes(exitCode ?? -1))
        violations.push(`${words.join(" ")} ended with ${exitCode}: ${(out + err).slice(-500)}`);
      return out + err;
    },
    program: (words, kill) =>
      callProgram({ ...surroundings, folder, workspace }, words, kill, {
        XDG_STATE_HOME: join(folder, "state"),
        // `atFile` counts only files of the working tree.
        WRITES_WITHIN: kill?.atFile === undefined ? folder : Buffer.from(place.top, "latin1").toString(),
        WRITES_BESIDE: ground.spec,
      }),
    now: () => recordOf(place),
    noted: () =>
      readdirSync(records)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => {
          const [, key = "", what] = /^\d+ (\S+) (found|left)\.json$/.exec(name) ?? [];
          const recorded = JSON.parse(readFileSync(join(records, name), "utf8")) as Recorded;
          return { key, what: what as Noted["what"], recorded };
        }),
  };
}

export function orderExecutor(
  { ground, random }: Trial,
  { root }: Surroundings,
  passesAt: number,
  most: number,
): string {
  const { folder, place } = ground;
  const orders = { ground: place, records: join(folder, "records"), seed: random.below(2 ** 31), most, passesAt };
  writeFileSync(join(folder, "orders.json"), JSON.stringify(orders));
  const program = join(root, "test/campaigns/repositories/executor.mjs");
  const line = `exec '${process.execPath}' '${program}' '${join(folder, "orders.json")}'`;
  writeFileSync(join(folder, "executor.sh"), `#!/bin/sh\ncat > /dev/null\n${line}\n`, { mode: 0o755 });
  return join(folder, "executor.sh");
}

export function watchUsersSide({ ground, violations, now }: Trial): (when: string) => void {
  // Read the index first, because git may then add folders to a sparse index, or update times.
  now();
  const isSparse = ground.features.includes("a sparse checkout");
  const look = () => filesIn(Buffer.from(ground.gitFolder).toString("latin1"), () => false, !isSparse);
  const before = look();
  return (when) => {
    const after = look();
    const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
    const changed = [...paths].filter((path) => before[path] !== after[path]);
    if (changed.length > 0)
      violations.push(`${when}: changed in the user's repository: ${changed.slice(0, 5).join(", ")}`);
    // With consent, git may run filters to find changes; saving an attempt must not run any program.
    const ran = ground.mark !== null && existsSync(ground.mark) ? readFileSync(ground.mark, "utf8").split("\n") : [];
    const unasked = ran.filter((line) => line !== "" && !/ by git .* status --porcelain=v2 /.test(line));
    if (unasked.length > 0)
      violations.push(`${when}: programs were run: ${unasked.slice(0, 2).join(", ").slice(0, 800)}`);
  };
}
