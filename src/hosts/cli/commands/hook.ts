import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/text.ts";
import { openWorkIn } from "../../node/hand-out/open-work.ts";
import { type CliCommand, renderJson } from "../cli-command.ts";

const events = ["stop", "subagent-stop", "after-agent"] as const;

/** Characters of what a session is told. */
const longest = 300;

/**
 * Answer a hook that an agent's command line calls when its agent stops: remind it once of each task that it has not
 * reported. It carries no prompt, holds nobody who was reminded, and never fails the session.
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
    terminal.out(`${renderJson(answerTo(readInput(), spec, folder))}\n`);
    return 0;
  },
};

/** What an agent's command line says of a stop, as far as it is used; each has names of its own for the rest. */
interface StopInput {
  readonly cwd?: unknown;
}

function readInput(): StopInput {
  try {
    const given: unknown = JSON.parse(readFileSync(0, "utf8"));
    return typeof given === "object" && given !== null ? given : {};
  } catch {
    return {};
  }
}

/** The form that Claude Code, Codex, Gemini CLI and Copilot CLI share. */
function answerTo({ cwd }: StopInput, spec: string | undefined, folder: string): object {
  try {
    const workspace = projectOf(typeof cwd === "string" ? resolve(folder, cwd) : folder);
    // A project without a spec has nothing to be reminded of.
    if (workspace === null && spec === undefined) return {};
    const found = openWorkIn(spec, workspace ?? folder).find(({ work, handed }) => handed.remind(work.nonce));
    return found === undefined ? {} : { decision: "block", reason: shorten(reminderOf(found.work)) };
  } catch (error) {
    return { systemMessage: shorten(`fixpoint hook: ${(error as Error).message}`) };
  }
}

/** The folder that has the specs: an agent may have gone into one below it. Null where there is none. */
function projectOf(folder: string): string | null {
  if (existsSync(join(folder, "specs"))) return folder;
  const above = dirname(folder);
  return above === folder ? null : projectOf(above);
}

const reminderOf = ({ key, nonce }: { readonly key: string; readonly nonce: string }): string =>
  `Task ${key} was handed out and waits for its report. Call report_result with nonce ${nonce} and claim complete, failed or blocked, or run: fixpoint report ${nonce} --claim complete`;

const shorten = (text: string): string => text.replace(/\s+/g, " ").slice(0, longest);
