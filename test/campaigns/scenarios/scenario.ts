/** A small project, how its coordinator is started until its end, and how each start ends. */
export interface Scenario {
  /** Its family and what happens in it. */
  readonly name: string;
  /** Text of `spec/tasks.md`; there is none in an example. */
  readonly plan?: string;
  /** Folder of the package that is the workspace to begin with, … */
  readonly example?: string;
  /** … and where in it the spec is. */
  readonly spec?: string;
  /**
   * What the executor does, in sh, behind `preamble`. It follows from files and the number of the attempt alone, so
   * that a repetition comes to the same.
   */
  readonly executor?: string;
  readonly verifier?: string;
  readonly reviewer?: string;
  readonly operator?: string;
  /** Programs by the names under which they are found before all others, as for `executor`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Other files, by their paths from the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** The workspace is a git repository in which all of it is committed. */
  readonly repository?: true;
  /** It has a remote, and a forge with people and checks: see `withForge`. */
  readonly forge?: true;
  /** Options of each start that is a `run` or a `resume`; `$ROOT` is the folder of the package. */
  readonly flags?: readonly string[];
  /**
   * A task whose box the executor of another one ticks. A start behind a kill in between cannot tell who has done that
   * and asks, whereupon a person clears it.
   */
  readonly tickedByOther?: string;
  /** How many tasks are worked on at once; 1 when not given. */
  readonly width?: number;
  /** It takes too long to be killed before every action, and is killed at random moments only. */
  readonly slow?: true;
  /** One after another; a `run` that ends with 0 when not given. */
  readonly starts?: readonly Start[];
}

/** A start of the program, which is made again with the same words as long as it is killed. */
export interface Start {
  /** Command and options, without the spec; `run` when not given. */
  readonly words?: readonly string[];
  readonly exitCode: number;
  /** It is never killed: a delegation that is repeated would reach a limit, or a person be asked something else. */
  readonly unharmed?: true;
  /** A run that has gone on from where it had ended is not told the words again, but resumed. */
  readonly once?: true;
  /** What a person does before it: files that are written, … */
  readonly files?: Readonly<Record<string, string>>;
  /** … and what is replaced in the plan, each once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /**
   * What a person says to it from another process, each when the one before was answered, once a file is there: its path
   * from the workspace. A start that is made again is told again.
   */
  readonly says?: { readonly when: string; readonly words: readonly ("pause" | "resume")[] };
  /** Variables of its environment, which its executors have as well. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts of a scenario. */
export const startsOf = ({ starts = [{ exitCode: 0 }] }: Scenario): readonly Start[] => starts;

/**
 * What every program of a scenario begins with, in sh, without a program that would have to be started. A task that
 * another living process of the same project is at work on is noted in `../overlaps`.
 */
export const preamble = `#!/bin/sh
id=$FIXPOINT_TASK_ID attempt=$FIXPOINT_ATTEMPT plan=$FIXPOINT_SPEC/tasks.md
at=../at/$FIXPOINT_ROLE-$id
if [ -e "$at" ] && read -r other < "$at" && kill -0 "$other" 2> /dev/null &&
  tr '\\0' '\\n' < "/proc/$other/environ" 2> /dev/null | grep -qxF "FIXPOINT_SPEC=$FIXPOINT_SPEC"; then
  echo "$FIXPOINT_KEY" >> ../overlaps
fi
echo $$ > "$at"
has() { [ -e "work/$1" ]; }
put() { : > "work/$1"; }
claim() { [ "$FIXPOINT_ROLE" = verifier ] && echo VERIFICATION_PASS || echo TASK_COMPLETE; exit; }
made() { put "$id"; claim; }
fails() {
  printf 'Task %s: it FAILED\\n- Error: %s\\n- Attempted fix: %s\\n- Status: Blocked\\n' "$id" "$1" "\${2:-looked for it}"
  exit
}
`;
