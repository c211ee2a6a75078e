/** A small project, all starts of its run, and the expected exit code of each. */
export interface Scenario {
  /** Family, colon and description. */
  readonly name: string;
  /** Text of `spec/tasks.md`; undefined for an example. */
  readonly plan?: string;
  readonly example?: string;
  readonly spec?: string;
  /**
   * sh script of the executor, after `preamble`. It depends only on files and the attempt number, so that a repeated
   * attempt gives the same result.
   */
  readonly executor?: string;
  readonly verifier?: string;
  readonly reviewer?: string;
  readonly operator?: string;
  /** sh scripts by program name; their folder comes first on the `PATH`. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the workspace is a git repository with everything committed. */
  readonly repository?: true;
  /** Whether the project has a remote, and a forge with people and checks: see `withForge`. */
  readonly forge?: true;
  /** Options of each `run` or `resume`; `$ROOT` is the root of the package. */
  readonly flags?: readonly string[];
  /**
   * Task whose box another task's executor ticks. After a kill right after the tick, the next start asks who ticked the
   * box, and a person clears it.
   */
  readonly tickedByOther?: string;
  /** Number of parallel tasks. Default: 1. */
  readonly width?: number;
  /** Whether the scenario is too slow for a kill before every action, and is killed only at random moments. */
  readonly slow?: true;
  /** Starts in order. Default: one `run` with exit code 0. */
  readonly starts?: readonly Start[];
}

/** A start of the program. A killed start is repeated with the same arguments. */
export interface Start {
  /** Command and options, without the spec. Default: `run`. */
  readonly words?: readonly string[];
  readonly exitCode: number;
  /** Whether the start is never killed, because a repeated delegation would reach a limit or change a question. */
  readonly unharmed?: true;
  /** Whether `resume` without these options continues a start that was killed after its first record. */
  readonly once?: true;
  readonly files?: Readonly<Record<string, string>>;
  /** Replacements in the plan that a person makes before the start, each once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /**
   * Messages that another process sends once the file `when` exists, each after the answer to the previous one; `when`
   * is relative to the workspace. A repeated start gets the messages again.
   */
  readonly says?: { readonly when: string; readonly words: readonly ("pause" | "resume")[] };
  readonly env?: Readonly<Record<string, string>>;
}

export const startsOf = ({ starts = [{ exitCode: 0 }] }: Scenario): readonly Start[] => starts;

/**
 * First lines of every program of a scenario, in sh. They log to `../overlaps` if another living process of the project
 * works on the same task.
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
