import type { Shell } from "../../src/ports/shell.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

export interface Check {
  readonly command: string;
  readonly exitCode: number | null;
  /** Value of `World.next` when the command began. */
  readonly at: number;
}

export function simulatedShell(world: World, life: Life, checks: Check[], kept: Map<string, string>): Shell {
  const { clock, truths, policy } = world;
  const random = world.chanceOf("shell");
  return {
    exists: async (word) => isProgram(word),
    run: (command, { timeoutMs, keepAs }, signal) =>
      life.through(`\`${command}\``, async () => {
        if (!world.agreed.has(command)) world.violate("I12", `\`${command}\` is run without consent`);
        const at = world.next();
        const isSlow = world.rates.hangs > 0 && world.options.compare !== true && random.chance(0.01);
        if (isSlow) world.count("check hangs");
        const tookMs = isSlow ? timeoutMs : random.below(Math.min(timeoutMs, 3000));
        await Promise.race([clock.wait(tookMs), aborted(signal)]);
        const isTroubled = meetsTrouble(world);
        // The state is read at the end of the command.
        const exitCode = isSlow || signal.aborted ? null : !isTroubled && truths.holds(command) ? 0 : 1;
        checks.push({ command, exitCode, at });
        world.tell(`\`${command}\` exits with ${exitCode ?? "nothing"}`);
        const printed = exitCode === null ? "" : isTroubled ? "" : told(command, truths.failing(command), truths);
        const stderr = exitCode === 0 ? "" : isTroubled ? diskFull : `${command}: not done\n`;
        if (keepAs !== undefined) kept.set(keepAs, printed + stderr);
        const isFinal = command === policy.finalVerify && exitCode !== 0;
        if (isFinal) world.count("finalVerify says no");
        return { exitCode, stdout: printed, stderr, durationMs: tookMs, timedOut: isSlow };
      }),
    readKept: (name, see) =>
      life.through(`the output ${name}`, async () => {
        const text = kept.get(name);
        if (text !== undefined) see(text);
        return text !== undefined;
      }),
  };
}

const diskFull = "tee: out.txt: No space left on device\n";

function meetsTrouble(world: World): boolean {
  const random = world.chanceOf("trouble");
  if (world.troubled === 0 && random.chance(world.rates.trouble)) world.troubled = 2 + random.below(5);
  if (world.troubled === 0) return false;
  world.troubled -= 1;
  world.count("trouble");
  return true;
}

function told(command: string, failing: readonly string[], { checksOf }: World["truths"]): string {
  const names = checksOf(command);
  if (names.length === 0) return "";
  const all = [...names, ...failing.filter((name) => !names.includes(name))];
  const lines = all.flatMap((name, index) =>
    failing.includes(name)
      ? [`not ok ${index + 1} - ${name}`, "  ---", `  error: '${name}: not so'`, "  ..."]
      : [`ok ${index + 1} - ${name}`],
  );
  return ["TAP version 13", ...lines, `1..${all.length}`, `# tests ${all.length}`, `# fail ${failing.length}`, ""].join(
    "\n",
  );
}

export const isProgram = (word: string): boolean => !/^[A-Z]/.test(word);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
