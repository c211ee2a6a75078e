import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Campaign, Surroundings, Trials } from "./campaign.ts";
import { seedOf } from "./property-trials.ts";

const runs = 2000;
const stride = 2;

const killed = ["test/hosts/run-left-turn.long.test.ts"];

/** Campaign that repeats test files with more cases. Environment variables set the number of cases. */
export const testsCampaign: Campaign = {
  name: "tests",
  about: `the tests of random properties with ${runs} runs of each, and all cases and kills of those that try some`,
  counts: "tests",
  trials: [
    filesOf("properties", testsWith(/support\/prop\.ts|"FC_RUNS"/), (seed) => ({
      ...{ FC_RUNS: String(runs), FC_SEED: String(seed) },
    })),
    filesOf(
      "pairs",
      () => ["test/markdown/blocks/short-documents.long.test.ts"],
      () => ({ PAIR_STRIDE: "1" }),
    ),
    filesOf("cases", testsWith(/support\/some-cases\.ts/), () => ({ ALL_CASES: "1" })),
    filesOf(
      "kills",
      () => killed,
      () => ({ CRASH_STRIDE: String(stride) }),
    ),
  ],
};

function filesOf(
  name: string,
  filesIn: (root: string) => readonly string[],
  env: (seed: number) => NodeJS.ProcessEnv,
): Trials {
  return {
    // No trials in CI, which executes these test files anyway.
    ...{ name, full: Number.POSITIVE_INFINITY, short: 0, batch: 1 },
    run: async ({ seed, from }, surroundings) => {
      const file = filesIn(surroundings.root)[from];
      if (file === undefined) return { counts: {}, violations: [], exhausted: true };
      const own = env(seedOf(seed, from));
      const { passed, failures } = await runTests(file, own, surroundings);
      const words = Object.entries(own).map(([key, value]) => `${key}=${value}`);
      return {
        counts: { tests: passed },
        violations: failures.map(
          (failure) => `${words.join(" ")} npx vitest run --mode ${modeOf(file)} ${file}: ${failure}`,
        ),
      };
    },
  };
}

function testsWith(text: RegExp): (root: string) => readonly string[] {
  return (root) =>
    readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `test/${name}`)
      .filter((name) => text.test(readFileSync(join(root, name), "utf8")))
      .toSorted();
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const modeOf = (file: string): string => (file.endsWith(".long.test.ts") ? "long" : "all");

async function runTests(file: string, env: NodeJS.ProcessEnv, { root }: Surroundings) {
  const words = ["run", "--mode", modeOf(file), file, "--reporter=json", "--testTimeout=0"];
  const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...words], {
    ...{ cwd: root, env: { ...process.env, ...env } },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const begin = out.indexOf("{");
  if (begin === -1) return { passed: 0, failures: [`no report: ${err.slice(-1000)}`] };
  const { numPassedTests, testResults } = JSON.parse(out.slice(begin)) as Report;
  const failures = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === "" ? [] : [message]),
    ...assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("\n").slice(0, 1500)}`),
  ]);
  return { passed: numPassedTests, failures };
}
