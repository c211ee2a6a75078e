import type { Answer, EffectInput } from "../../model/effect.ts";
import { renderPullRequest } from "../../wording/render-pull-request.ts";
import { specName } from "../spec-paths.ts";
import type { WholePorts } from "../with-memory.ts";
import { tickMilestones } from "./milestones.ts";
import { asAnswer, ask, shipping } from "./outside.ts";

/** Find the open pull request of the branch, else open one. */
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
  // An earlier start may have opened this pull request, and been killed before recording it.
  if (found.kind === "found" && found.state === "closed" && found.head === head) {
    return ask(`Someone has closed the pull request ${found.url} for this commit`, "Reopen it, then continue");
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
