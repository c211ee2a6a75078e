import type { Answer, EffectInput } from "../../model/effect.ts";
import type { Outcome } from "../../ports/attempt-record.ts";
import { afterGreen } from "../../recover/pull-request-tasks.ts";
import { verifyError } from "../../recover/verify-error.ts";
import { runCheck } from "../run-check.ts";
import type { WholePorts } from "../with-memory.ts";
import { lookAndJudge } from "./look-and-judge.ts";
import { tickMilestones } from "./milestones.ts";
import { asAnswer, ask, shipping } from "./outside.ts";

/**
 * Run the final check, then check once more that the pull request is green and has the same head as the local branch.
 * Then mark the pull request as ready and enable auto-merge, if the policy says so.
 */
export async function confirmPullRequest(
  whole: WholePorts,
  input: EffectInput<"confirmPullRequest">,
  signal: AbortSignal,
): Promise<Outcome<"confirmPullRequest">> {
  const ports = shipping(whole);
  const { forge, branch } = ports;
  const { key, number, head, policy, book, finalVerify, timeoutMs } = input;
  const run = finalVerify === null ? null : await check(finalVerify);
  const facts = run === null ? {} : { verify: run };
  if (run !== null && (run.result.exitCode !== 0 || run.result.timedOut)) {
    const reason = verifyError({ ...run.result, digest: run.digest }).replace("Verify", "The final check");
    return { answer: ask(reason, `Make \`${finalVerify}\` pass, then run again`), facts };
  }
  return { answer: await confirm(), facts };

  function check(command: string) {
    ports.onProgress?.({ type: "check.started", command });
    return runCheck(ports, { command, name: key, timeoutMs }, signal);
  }

  async function confirm(): Promise<Answer<"confirmPullRequest">> {
    const local = await branch.local();
    if (local.head !== head || local.dirty.length > 0) {
      return ask(
        "The local branch differs from what was pushed",
        "Commit the changes for the pull request, or go back to its last commit, then run again",
      );
    }
    const judged = await lookAndJudge(ports, { ...input, book: afterGreen(book, []) }, signal);
    if ("kind" in judged) return judged;
    const { look, judgement, wanting } = judged;
    if (judgement.kind !== "green") return { kind: "changed" };
    if (policy.ready && look.draft) {
      const ready = await forge.markReady(number, signal);
      if (ready.kind !== "done") return asAnswer(ready);
    }
    if (policy.autoMerge !== null && look.merge !== "queued") {
      const merging = await forge.enableAutoMerge({ number, head, how: policy.autoMerge }, signal);
      if (merging.kind !== "done") return asAnswer(merging);
    }
    await tickMilestones(ports, "opened", "checked", "reviewed", "confirmed");
    return { kind: "confirmed", ...wanting };
  }
}
