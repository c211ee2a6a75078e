/** A small project, all starts of its run, and the expected exit code of each. */
export interface Scenario {
  /** The scenario's family, a colon, and a description. */
  readonly name: string;
  /** Text of `spec/tasks.md`; not given for an example. */
  readonly plan?: string;
  /** Folder of the package that is copied as workspace. */
  readonly example?: string;
  /** Path of the spec in an example. */
  readonly spec?: string;
  /**
   * The script of the executor, in sh, after `preamble`. The script depends only on files and the number of the
   * attempt, so that a repetition gives the same result.
   */
  readonly executor?: string;
  readonly verifier?: string;
  readonly reviewer?: string;
  readonly operator?: string;
  /** Scripts of programs by name, as for `executor`; they come first on the PATH. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Other files, by their paths relative to the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the workspace is a git repository with everything committed. */
  readonly repository?: true;
  /** Whether there is a remote, and a forge with people and checks: see `withForge`. */
  readonly forge?: true;
  /** Options of each start that is a `run` or a `resume`; `$ROOT` is the root of the package. */
  readonly flags?: readonly string[];
  /**
   * A task whose box another task's executor ticks. If the coordinator is killed right after that, the next start does
   * not know who ticked the box, and asks; a person then clears the box.
   */
  readonly tickedByOther?: string;
  /** The number of tasks that run in parallel; 1 by default. */
  readonly width?: number;
  /** Whether the scenario takes too long for a kill before every action; then it is only killed at random moments. */
  readonly slow?: true;
  /** Starts in order; by default one `run` that exits with 0. */
  readonly starts?: readonly Start[];
}

/** A start of the program, repeated with the same arguments as long as it is killed. */
export interface Start {
  /** Command and options, without the spec; `run` by default. */
  readonly words?: readonly string[];
  readonly exitCode: number;
  /**
   * Whether the start is never killed, since a repeated delegation would reach a limit or change what a person is
   * asked.
   */
  readonly unharmed?: true;
  /** Whether a killed start that has recorded anything is continued by `resume`, without these options. */
  readonly once?: true;
  /** Files that a person writes before the start. */
  readonly files?: Readonly<Record<string, string>>;
  /** Replacements that a person makes in the plan before the start, each once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /**
   * Messages that a person sends from another process once the file `when`, relative to the workspace, exists. Each is
   * sent after the previous message was answered. A repeated start gets the messages again.
   */
  readonly says?: { readonly when: string; readonly words: readonly ("pause" | "resume")[] };
  /** Variables in the environment of the start and its executors. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts of a scenario. */
export const startsOf = ({ starts = [{ exitCode: 0 }] }: Scenario): readonly Start[] => starts;

/**
 * The first lines of every program of a scenario, in sh. Logs in `../overlaps` if another living process of the same
 * project works on the same task.
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
