import { resolve } from "node:path";
import { interpreted } from "../../../model/parse-json.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import { findPullRequest, namesPullRequest, specForPullRequest } from "../../node/find-pull-request.ts";
import type { CliCommand } from "../cli-command.ts";
import { switchesOf } from "../options/read-flag.ts";
import {
  allOptions,
  answerOptions,
  planOptions,
  readAll,
  readRunFlags,
  resumeFlags,
  runFlags,
} from "../options/run-flags.ts";

export const run: CliCommand = {
  options: [...runFlags, ...switchesOf(planOptions), ...switchesOf(allOptions)],
  example: "fixpoint run my-feature --executor claude --recovery-mode",
  async run({ words: [spec], values, surroundings }) {
    const all = readAll(spec, values);
    const { plan, ...others } = values;
    if (plan === true)
      return await (await import("../describe-forecast.ts")).describeForecast(spec, others, surroundings);
    return all === null
      ? await (await import("../perform-run.ts")).performRun(spec, values, surroundings)
      : await (await import("../all/perform-all.ts")).performAll(all, values, surroundings);
  },
};

export const resume: CliCommand = {
  options: [...switchesOf(answerOptions), ...resumeFlags],
  example: 'fixpoint resume my-feature --executor claude --guidance "Use the parser of the core package"',
  run: async ({ words: [spec], values, surroundings }) =>
    (await import("../perform-run.ts")).performRun(spec, values, surroundings, { resume: true }),
};

export const pullRequest: CliCommand = {
  options: runFlags.filter(({ flags }) => flags !== "--pull-request"),
  example: "fixpoint pull-request 12 --executor claude --permissions edit",
  async run({ words: [given, second], values, surroundings }) {
    const { folder, signal } = surroundings;
    const asked = { ...values, pullRequest: true };
    const { policy, cwd = "." } = readRunFlags(asked);
    const { remote } = PullRequestPolicy.parse(policy.pullRequest, interpreted);
    const workspace = resolve(folder, cwd);
    const isNamed = given !== undefined && namesPullRequest(given);
    const number = await findPullRequest(isNamed ? given : undefined, { workspace, remote, signal });
    const spec = isNamed ? second : given;
    const own = spec === undefined ? specForPullRequest(number, workspace) : null;
    const { performRun } = await import("../perform-run.ts");
    try {
      return await performRun(own?.folder ?? spec, asked, surroundings, { number });
    } finally {
      own?.leave();
    }
  },
};
