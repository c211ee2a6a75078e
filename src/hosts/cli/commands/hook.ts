import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { InputError } from "../../../model/errors.ts";
import { nearestName, shorten } from "../../../model/text.ts";
import { specsIn } from "../../node/find-specs.ts";
import { openWorkIn } from "../../node/hand-out/open-work.ts";
import { type CliCommand, renderJson } from "../cli-command.ts";

const events = ["stop", "subagent-stop", "after-agent"] as const;

const longest = 300;

/** Maximum time to wait for the input, in milliseconds, since an agent may never close it. */
const patienceMs = 2000;

/**
 * Answer a hook that an agent calls when it stops: remind the agent once of each task that it has not reported. Sends
 * no prompt, lets the agent stop after one reminder, and never fails the agent's session.
 */
export const hook: CliCommand = {
  options: [],
  choices: { event: events },
  example: "fixpoint hook stop",
  async run({ words: [event, spec], surroundings: { terminal, folder } }) {
    if (!events.some((each) => each === event)) {
      const nearest = event === undefined ? undefined : nearestName(event, events);
      throw new InputError(`Cannot answer the hook \`${event ?? ""}\`, expected one of ${events.join(", ")}`, {
        code: "bad-usage",
        hint: nearest === undefined ? "See fixpoint hook --help" : `Did you mean ${nearest}?`,
      });
    }
    terminal.out(`${renderJson(answerTo(await readInput(), spec, folder))}\n`);
    return 0;
  },
};

/** The only field of the input that has the same name in all agents. */
interface StopInput {
  readonly cwd?: unknown;
}

async function readInput(): Promise<StopInput> {
  try {
    const given: unknown = JSON.parse(await Promise.race([text(process.stdin), setTimeout(patienceMs, "")]));
    return typeof given === "object" && given !== null ? given : {};
  } catch {
    return {};
  }
}

/** Build an answer in the form that Claude Code, Codex, Gemini CLI and Copilot CLI share. */
function answerTo({ cwd }: StopInput, spec: string | undefined, folder: string): object {
  try {
    const workspace = projectOf(typeof cwd === "string" ? resolve(folder, cwd) : folder);
    // Without a spec, there is no task to remind the agent of.
    if (workspace === null && spec === undefined) return {};
    // `remind` is true once for each nonce.
    const found = openWorkIn(spec, workspace ?? folder).find(({ work, handed }) => handed.remind(work.nonce));
    return found === undefined ? {} : { decision: "block", reason: shorten(reminderOf(found.work), longest) };
  } catch (error) {
    return { systemMessage: shorten(`fixpoint hook: ${(error as Error).message}`, longest) };
  }
}

/**
 * Find the nearest folder upwards that has specs, since an agent may have changed its folder. A folder for specs is not
 * enough, since it need not contain a spec. Null if no folder has specs.
 */
function projectOf(folder: string): string | null {
  if (existsSync(join(folder, "specs", ".current-spec")) || specsIn(folder).length > 0) return folder;
  const above = dirname(folder);
  return above === folder ? null : projectOf(above);
}

const reminderOf = ({ key, nonce }: { readonly key: string; readonly nonce: string }): string =>
  `Task ${key} was handed out and waits for its report. Call report_result with nonce ${nonce} and claim complete, failed or blocked, or run: fixpoint report ${nonce} --claim complete`;
