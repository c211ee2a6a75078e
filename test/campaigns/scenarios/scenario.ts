export interface Scenario {
  readonly name: string;
  readonly plan?: string;
  readonly example?: string;
  readonly spec?: string;
  /**
   * Script in sh that follows `preamble`. A repeated attempt must give the same result, so use only files and the
   * attempt number.
   */
  readonly executor?: string;
  readonly verifier?: string;
  readonly reviewer?: string;
  readonly operator?: string;
  readonly programs?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly repository?: true;
  readonly forge?: true;
  readonly flags?: readonly string[];
  /**
   * Task whose box another task's executor ticks. After a kill right after the tick, the next start asks, and a person
   * clears the box.
   */
  readonly tickedByOther?: string;
  readonly width?: number;
  readonly slow?: true;
  readonly starts?: readonly Start[];
}

export interface Start {
  readonly words?: readonly string[];
  readonly exitCode: number;
  /** Never killed, because a repeated delegation would reach a limit or change a question. */
  readonly unharmed?: true;
  /** Whether `resume` without these options continues a start that was killed after its first record. */
  readonly once?: true;
  readonly files?: Readonly<Record<string, string>>;
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /**
   * Sent once the file `when` of the workspace exists, each after the answer to the previous message. A repeated start
   * gets them again.
   */
  readonly says?: { readonly when: string; readonly words: readonly ("pause" | "resume")[] };
  readonly env?: Readonly<Record<string, string>>;
}

export const startsOf = ({ starts = [{ exitCode: 0 }] }: Scenario): readonly Start[] => starts;

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
