import { addressBy, commandLine } from "../../../model/command-line.ts";
import {
  isBroken,
  type OpenQuestion,
  openQuestions,
  questionOf,
  questionOfRun,
} from "../../../runtime/open-questions.ts";
import type { ShownRun } from "../shown-run.ts";

export interface ShownStatus {
  readonly running: boolean;
  readonly paused: boolean;
  readonly isFleet: boolean;
  readonly question: OpenQuestion | null;
  readonly told: { readonly isAsked: boolean; readonly text: string; readonly ways: readonly Way[] } | null;
}

/** A possible action, with its command; `command` is null if the action needs no command. */
export interface Way {
  readonly say: string;
  readonly command: string | null;
}

export function shownStatus(run: ShownRun): ShownStatus {
  const { turn, head } = run;
  const { held, asked: ofRun } = run.atWork;
  const { state, ending } = run.at(run.last);
  const address = addressBy(head.address, state);
  const ended = state.ended?.ending ?? null;
  const asked = isBroken(ended) && turn !== null ? openQuestions([turn], state) : [];
  const question = ofRun === undefined ? questionOf({ ended, asked, held }, address) : questionOfRun(ofRun, address);
  const [first] = ofRun === undefined ? asked : [];
  const start = commandLine(address, "run");
  const isStopped = !held && ending !== null && ending !== "complete" && ending !== "skipped";
  const next = ended?.error !== undefined ? { text: ended.error, hint: ended.hint ?? null } : null;
  const told =
    question ??
    (isStopped ? (next ?? { text: "", hint: ended?.hint ?? `Continue: ${start}` }) : null) ??
    (head.run === 0 ? { text: "", hint: `Begin: ${start}` } : null);
  const about = run.questions.findLast(({ task }) => task === first?.task)?.text ?? "";
  const wayIn = (line: string): Way | null => {
    // A command is at the end of its line.
    const at = line.indexOf(`: ${head.address.program} `);
    return at < 0 ? null : { say: line.slice(0, at), command: line.slice(at + 2) };
  };
  const text = linesOf(about === "" ? told?.text : about);
  const ways = linesOf(told?.hint).filter((line) => line.trim() !== "");
  return {
    running: held,
    paused: held && state.paused,
    isFleet: head.address.fleet !== undefined,
    question: held ? (first ?? null) : null,
    told: told && {
      isAsked: question !== null,
      text: text
        .filter((line) => wayIn(line) === null)
        .join("\n")
        .trim(),
      ways: [
        ...ways.map((line) => wayIn(line) ?? { say: line, command: null }),
        ...text.flatMap((line) => wayIn(line) ?? []),
      ],
    },
  };
}

const linesOf = (text: string | null | undefined): string[] => (text ?? "").split("\n");
