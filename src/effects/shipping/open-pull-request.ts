import type { Answer, EffectInput } from "../../model/effect.ts";
import type { Outcome } from "../../ports/attempt-record.ts";
import { afterGreen } from "../../recover/pull-request-tasks.ts";
import { verifyError } from "../../recover/verify-error.ts";
import { renderPullRequest } from "../../wording/render-pull-request.ts";
import { runCheck } from "../run-check.ts";
import { specName } from "../spec-paths.ts";
import type { WholePorts } from "../with-memory.ts";
import { lookAndJudge } from "./look-and-judge.ts";
import { asAnswer, ask, shipping, tickMilestones } from "./shipping-ports.ts";

export async function openPullRequest(
  whole: WholePorts,
  { key, policy }: EffectInput<"openPullRequest">,
  signal: AbortSignal,
): Promise<Answer<"openPullRequest">> {
  const ports = shipping(whole);
  const { attempts, branch, forge, plan } = ports;
  const { branch: current, head } = await branch.local();
  const name = (policy.branch ?? current) as string;
  const found = await forge.find(name, policy.base, signal);
  if (found.kind === "hindered" || found.kind === "refused") return asAnswer(found);
  if (found.kind === "several") {
    return ask(
      `\`${name}\` has several open pull requests: ${found.numbers.join(", ")}`,
      "Select one by its base with --base, then run again",
    );
  }
  const isOpen = found.kind === "found" && found.state === "open";
  if (policy.number !== null && !(isOpen && found.number === policy.number)) {
    return ask(
      `\`${name}\` is not the branch of pull request ${policy.number}`,
      "Check out its branch, then run again",
    );
  }
  if (isOpen && policy.base !== null && found.base !== policy.base) {
    return ask(
      `Pull request ${found.number} of \`${name}\` merges into \`${found.base}\``,
      `Run again with --base ${found.base}`,
    );
  }
  if (isOpen) return opened(found, false);
  // An earlier start may have been killed between opening this pull request and recording it.
  if (found.kind === "found" && found.state === "closed" && found.head === head) {
    return ask(
      `Someone has closed the pull request ${found.url} for this commit`,
      "Reopen the pull request, then continue",
    );
  }
  const names = { remote: policy.remote, branch: name, base: policy.base };
  const remote = await branch.remote(names, signal);
  if (remote.kind !== "remote") return asAnswer(remote);
  const base = (policy.base ?? remote.defaultBranch) as string;
  const ahead = await branch.ahead({ remote: policy.remote, base }, signal);
  if (ahead.kind !== "ahead") return asAnswer(ahead);
  const { title, body } = renderPullRequest({
    title: policy.title,
    spec: specName(ports.spec ?? ""),
    commits: ahead.commits.map(({ subject }) => subject),
    tasks: (await plan.known()).plan.tasks,
  });
  attempts.record([{ type: "shipping", key, act: "open", target: name }]);
  const outcome = await forge.open({ branch: name, base, title, body, draft: policy.draft }, signal);
  return outcome.kind === "found" ? opened(outcome, outcome.created) : asAnswer(outcome);

  async function opened({ number, url }: { readonly number: number; readonly url: string }, created: boolean) {
    await tickMilestones(ports, "opened");
    return { kind: "opened" as const, number, url, created };
  }
}

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
