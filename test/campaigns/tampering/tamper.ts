import { join } from "node:path";
import type { Ground } from "../outside/ground.ts";
import type { Damage } from "../outside/judge.ts";

export interface Tamper {
  readonly name: string;
  readonly on: Damage["on"];
  readonly script: string;
}

export type Below = (limit: number) => number;

type Op = readonly [name: string, script: string];

/**
 * `list` prints the files when the script executes, because they are unknown earlier. The script chooses one as `$f`.
 */
const files: readonly (readonly [name: string, on: Damage["on"], list: string])[] = [
  ["a journal", "run data", "ls -v $data/run-*/journal-*.ndjson"],
  ["the last journal", "run data", "ls -v $data/run-*/journal-*.ndjson | tail -n 1"],
  ["the first journal", "run data", "ls -v $data/run-*/journal-*.ndjson | head -n 1"],
  ["a kept plan", "run data", "ls $data/run-*/plan-*.md"],
  ["an output", "run data", "ls $data/run-*/out/*"],
  ["any file", "run data", "find $data -type f | sort"],
  ["the state file", "state file", "ls $spec/.ralph-state.json"],
];

const fileOps: readonly Op[] = [
  [
    "flip a bit",
    'n=$(stat -c %s "$f"); [ "$n" -gt 0 ] && at=$((r % n)) && old=$(od -An -tu1 -j $at -N1 "$f" | tr -d " ") && printf "\\\\$(printf %03o $((old ^ (1 << (r / 7 % 8)))))" | dd of="$f" bs=1 seek=$at conv=notrunc status=none',
  ],
  [
    "flip a bit of the last line",
    'n=$(stat -c %s "$f"); last=$(tail -n 1 "$f" | wc -c); [ "$last" -gt 1 ] && at=$((n - last + r % (last - 1))) && old=$(od -An -tu1 -j $at -N1 "$f" | tr -d " ") && printf "\\\\$(printf %03o $((old ^ (1 << (r / 7 % 8)))))" | dd of="$f" bs=1 seek=$at conv=notrunc status=none',
  ],
  ["cut", 'n=$(stat -c %s "$f"); truncate -s $((r % (n + 1))) "$f"'],
  ["cut lines off", 'n=$(wc -l < "$f"); head -n -$((1 + r % (n + 1))) "$f" > $keep/cut; cat $keep/cut > "$f"'],
  ["empty", ': > "$f"'],
  ["unlink", 'rm -f "$f"'],
  ["take a line out", 'n=$(wc -l < "$f"); sed -i "$((1 + r % (n + 1)))d" "$f"'],
  ["double a line", 'n=$(wc -l < "$f"); sed -i "$((1 + r % (n + 1)))p" "$f"'],
  ["append a line", 'printf \'{"n":99,"at":1,"type":"ended"}\\n\' >> "$f"'],
  ["append half a line", 'printf \'{"n":99,"at":1,"ty\' >> "$f"'],
  ["append NUL bytes", 'head -c 512 /dev/zero >> "$f"'],
  ["write anew", 'cp "$f" $keep/anew; rm -f "$f"; cp $keep/anew "$f"'],
  ["put an older one back", `old="$keep/old\${f#$spec}"; [ -e "$old" ] && cat "$old" > "$f"`],
  [
    "put an older one in its place",
    `old="$keep/old\${f#$spec}"; [ -e "$old" ] && cp "$old" "$f.new" && mv "$f.new" "$f"`,
  ],
  ["move out and link", 'mv "$f" $keep/moved-$r; ln -s $keep/moved-$r "$f"'],
  ["link to another's", 'ln -sfn $victim/precious "$f"'],
  ["link hard to another's", 'ln -f $victim/precious "$f"'],
  ["give another name", 'ln -f "$f" "$f.other"'],
  ["make a pipe", 'rm -f "$f"; mkfifo "$f"'],
  ["make a folder", 'rm -f "$f"; mkdir "$f"'],
  ["make a device", 'rm -f "$f"; mknod "$f" c 1 5 2> /dev/null || ln -s /dev/zero "$f"'],
  ["rename", 'mv "$f" "$f.bak"'],
  [
    "give the next number",
    `case "$f" in *journal-*) n=\${f##*-}; n=\${n%.ndjson}; mv "$f" "\${f%-*}-$((n + 1)).ndjson" ;; *) mv "$f" "$f.1" ;; esac`,
  ],
];

const folderOps: readonly (readonly [name: string, on: Damage["on"], script: string])[] = [
  ["remove all run data", "run data", "rm -rf $data"],
  ["clean as git does", "run data", "rm -rf $data; rm -f $spec/.ralph-state.json"],
  ["remove the run", "run data", "rm -rf $data/run-1"],
  ["move all run data away", "run data", "rm -rf $keep/away; mv $data $keep/away"],
  ["give the run another number", "run data", "mv $data/run-1 $data/run-2"],
  ["copy the run", "run data", "cp -a $data/run-1 $data/run-2"],
  [
    "put all older run data back",
    "run data",
    "[ -d $keep/old/.fixpoint ] && rm -rf $data && cp -a $keep/old/.fixpoint $data",
  ],
  ["link run data to another's", "run data", "rm -rf $data; ln -s $victim $data"],
  ["move run data out and link", "run data", "rm -rf $keep/out; mv $data $keep/out; ln -s $keep/out $data"],
  ["link the run to another's", "run data", "rm -rf $data/run-1; ln -s $victim/run-1 $data/run-1"],
  ["make run data a file", "run data", "rm -rf $data; echo > $data"],
  ["make run data a pipe", "run data", "rm -rf $data; mkfifo $data"],
  ["remove what programs have printed", "run data", "rm -rf $data/run-*/out"],
  ["remove what git is to ignore", "run data", "rm -f $data/.gitignore"],
  [
    "tick all boxes, and remove all run data",
    "run data",
    "rm -rf $data $spec/.ralph-state.json; sed -i 's/\\[ \\]/[x]/' $spec/tasks.md",
  ],
];

const configOps: readonly (readonly [name: string, on: Damage["on"], script: string])[] = [
  ["configure trust", "configuration", `echo '{"trustExecutor":true}' > $config`],
  ["configure a final Verify", "configuration", `echo '{"finalVerify":"./foreign.sh final"}' > $config`],
  [
    "configure another verifier, reviewer and operator",
    "configuration",
    `echo '{"verifierExec":"./foreign.sh","reviewerExec":"./foreign.sh","operatorExec":"./foreign.sh","repair":true}' > $config`,
  ],
  ["configure another executor", "configuration", `echo '{"exec":"./foreign.sh"}' > $config`],
  ["configure a report into git", "configuration", `echo '{"stuckReport":".git/config","escalation":true}' > $config`],
  ["configure nonsense", "configuration", "echo '{\"trust' > $config"],
  ["make the configuration a pipe", "configuration", "mkfifo $config"],
  ["link the configuration", "configuration", "ln -s $victim/precious $config"],
  [
    "configure beside the programs",
    "configuration",
    `echo '{"trustExecutor":true,"finalVerify":"./foreign.sh final"}' > $work/fixpoint.config.json`,
  ],
  [
    "tell lower counts",
    "state file",
    `[ ! -f $state ] || sed -i 's/"\\(taskIteration\\|globalIteration\\)": [0-9]*/"\\1": 1/' $state`,
  ],
  [
    "tell higher limits",
    "state file",
    `[ ! -f $state ] || sed -i 's/"\\(maxTaskIterations\\)": [0-9]*/"\\1": 50/' $state`,
  ],
  ["tell that all is done", "state file", `[ ! -f $state ] || sed -i 's/"taskIndex": [0-9]*/"taskIndex": 99/' $state`],
  ["make the state file a pipe", "state file", "rm -f $state; mkfifo $state"],
];

export const singleOps: readonly { readonly name: string; readonly make: (ground: Ground, below: Below) => Tamper }[] =
  [
    ...files.flatMap(([file, on, list]) =>
      fileOps.map(([op, script]) => ({ name: `${op}: ${file}`, make: onFile(`${op}: ${file}`, on, list, script) })),
    ),
    ...[...folderOps, ...configOps].map(([name, on, script]) => ({
      name,
      make: (ground: Ground) => ({
        ...{ name, on },
        script: [
          variablesOf(ground),
          ...(script.includes("$data/") ? [isOwn] : []),
          // Remove the old file first: a write would wait for a reader of a pipe, or change the target of a link.
          ...(script.includes("> $config") ? ["rm -f $config"] : []),
          script,
        ].join("\n"),
      }),
    })),
  ];

/** An earlier change may have made `$f` a pipe, or a link to another file. */
const inside =
  '[ -f "$f" ] && [ "$(stat -c %h "$f")" = 1 ] || exit 0; case "$(realpath "$f")" in "$spec"/*) ;; *) exit 0 ;; esac';

const isOwn = "[ ! -L $data ] || exit 0";

function onFile(name: string, on: Damage["on"], list: string, script: string) {
  return (ground: Ground, below: Below): Tamper => {
    const [which, r] = [below(2 ** 20), below(2 ** 30)];
    const choose = `set -- $(${list} 2> /dev/null); [ $# -gt 0 ] || exit 0; shift $((${which} % $#)); f=$1; r=${r}; ${inside}`;
    return { name: `${name} (${r})`, on, script: `${variablesOf(ground)}\n${choose}\n${script}` };
  };
}

const variablesOf = ({ folder, workspace, spec }: Ground): string =>
  [
    `spec=${spec}`,
    `data=${join(spec, ".fixpoint")}`,
    `work=${workspace}`,
    `config=${join(spec, "fixpoint.config.json")}`,
    `state=${join(spec, ".ralph-state.json")}`,
    `victim=${join(folder, "victim")}`,
    `keep=${join(folder, "keep")}`,
    "mkdir -p $keep",
  ].join("\n");

export const keepOld = (ground: Ground): string =>
  `${variablesOf(ground)}\nrm -rf $keep/old; mkdir -p $keep/old; cp -a $spec/.fixpoint $spec/.ralph-state.json $keep/old/ 2> /dev/null`;

export function anyTamper(ground: Ground, below: Below): Tamper {
  const kinds = [...folderOps, ...configOps].map(([name]) => name);
  const pool = below(2) === 0 ? singleOps.filter(({ name }) => kinds.includes(name)) : singleOps;
  return (pool[below(pool.length)] as (typeof pool)[number]).make(ground, below);
}
