/** A small project, the starts of its coordinator until its end, and the end of each start. */
export interface Scenario {
  /** Its family and its events. */
  readonly name: string;
  /** Text of `spec/tasks.md`; missing in an example. */
  readonly plan?: string;
  /** Folder of the package that is the initial workspace, … */
  readonly example?: string;
  /** … and the path of the spec in it. */
  readonly spec?: string;
  /**
   * The script of the executor, in sh, after `preamble`. It depends only on files and the number of the attempt, so
   * that a repetition gives the same result.
   */
  readonly executor?: string;
  readonly verifier?: string;
  readonly reviewer?: string;
  readonly operator?: string;
  /** Programs by name, found before all others, as for `executor`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Other files, by their paths relative to the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** The workspace is a git repository with everything committed. */
  readonly repository?: true;
  /** It has a remote, and a forge with people and checks: see `withForge`. */
  readonly forge?: true;
  /** Options of each start that is a `run` or a `resume`; `$ROOT` is the root of the package. */
  readonly flags?: readonly string[];
  /**
   * A task whose box another task's executor ticks. A start after a kill in between cannot know who did that and asks,
   * and a person clears it.
   */
  readonly tickedByOther?: string;
  /** The number of parallel tasks; 1 by default. */
  readonly width?: number;
  /** It takes too long to be killed before every action, and is killed at random moments only. */
  readonly slow?: true;
  /** One after another; by default a `run` that exits with 0. */
  readonly starts?: readonly Start[];
}

/** A start of the program, repeated with the same arguments as long as it is killed. */
export interface Start {
  /** Command and options, without the spec; `run` by default. */
  readonly words?: readonly string[];
  readonly exitCode: number;
  /** It is never killed: a repeated delegation would reach a limit, or a person would be asked something else. */
  readonly unharmed?: true;
  /** After the first resume it is not given the options again, but resumed. */
  readonly once?: true;
  /** Actions of a person before it: files that are written, … */
  readonly files?: Readonly<Record<string, string>>;
  /** … and replacements in the plan, each once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /**
   * Messages of a person from another process, each after the previous was answered, once a file exists: its path
   * relative to the workspace. A repeated start gets them again.
   */
  readonly says?: { readonly when: string; readonly words: readonly ("pause" | "resume")[] };
  /** Variables of its environment, which its executors have as well. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts of a scenario. */
export const startsOf = ({ starts = [{ exitCode: 0 }] }: Scenario): readonly Start[] => starts;

/**
 * The first lines of every program of a scenario, in sh, without starting another program. A task that another living
 * process of the same project works on is logged in `../overlaps`.
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
