import type { Shell } from "../../ports.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

/** A command that was run, and what the coordinator learned. */
export interface Check {
  readonly command: string;
  readonly exitCode: number | null;
  /** When it began, as `World.next` numbers it. */
  readonly at: number;
}

/** Runs commands: they say what is really done. @param checks Where what was run is noted. */
export function simulatedShell(world: World, life: Life, checks: Check[]): Shell {
  const { clock, truths, policy } = world;
  const random = world.chanceOf("shell");
  return {
    exists: async (word) => isProgram(word),
    run: (command, { timeoutMs }, signal) =>
      life.through(`\`${command}\``, async () => {
        if (!world.agreed.has(command)) world.violate("I12", `\`${command}\` is run, to which nobody has agreed`);
        const at = world.next();
        const isSlow = world.rates.hangs > 0 && world.options.compare !== true && random.chance(0.01);
        if (isSlow) world.count("check hangs");
        const tookMs = isSlow ? timeoutMs : random.below(Math.min(timeoutMs, 3000));
        await Promise.race([clock.wait(tookMs), aborted(signal)]);
        // What is true when it ends is what it has seen.
        const exitCode = isSlow || signal.aborted ? null : truths.holds(command) ? 0 : 1;
        checks.push({ command, exitCode, at });
        world.tell(`\`${command}\` exits with ${exitCode ?? "nothing"}`);
        const stderr = exitCode === 0 ? "" : `${command}: not done\n`;
        const isFinal = command === policy.finalVerify && exitCode !== 0;
        if (isFinal) world.count("finalVerify says no");
        return { exitCode, stdout: "", stderr, durationMs: tookMs, timedOut: isSlow };
      }),
  };
}

/** Verify fields may be prose. */
export const isProgram = (word: string): boolean => !/^[A-Z]/.test(word);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
