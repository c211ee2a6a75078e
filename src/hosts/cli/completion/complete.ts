import { resolve } from "node:path";
import { FixpointError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { findSpec, specNames } from "../../node/find-spec.ts";
import { readPlanFile } from "../../node/reading/read-plan-file.ts";
import { type CliOption, type CommandEntry, isLong } from "../cli-command.ts";

interface Candidate {
  readonly word: string;
  /** Description in one line; may be empty. */
  readonly about: string;
}

/**
 * Complete a command line.
 *
 * @param words Words of the command line without the program name. The last word is incomplete, and may be empty.
 * @param folder The current folder.
 * @returns An empty list when a file, or any text, is expected.
 */
export async function complete(
  commands: readonly CommandEntry[],
  words: readonly string[],
  folder: string,
): Promise<readonly Candidate[]> {
  const [name = "", ...typed] = words;
  const entry = commands.find((each) => each.name === name);
  if (typed.length === 0 || (name === "help" && typed.length === 1)) {
    const all = commands.map((each) => ({ word: each.name, about: each.summary }));
    return startingWith(words.at(-1) ?? "", [...all, ...(typed.length === 0 ? ofProgram : [])]);
  }
  if (entry === undefined) return [];
  const { options, choices = {} } = await entry.load();
  const read = readTyped(typed.slice(0, -1), options);
  const names = [...entry.argument.matchAll(/[\w|]+/g)].map(([each]) => each);
  const place: Place = {
    workspace: resolve(folder, read.given.get("--cwd") ?? "."),
    spec: read.words[names.indexOf("spec")],
    choices,
  };
  const current = typed.at(-1) ?? "";
  const [, set, value = ""] = (read.isOpen && /^(--[a-z-]+)=(.*)$/s.exec(current)) || [];
  const asked = set === undefined ? read.waiting : options.find((option) => nameOf(option) === set);
  if (asked !== null) {
    const before = set === undefined ? "" : `${set}=`;
    return inList(set === undefined ? current : value, valuesOf(asked, place)).map((each) => prefixed(before, each));
  }
  if (read.isOpen && current.startsWith("-")) return startingWith(current, optionsLeft(options, read.given));
  return startingWith(current, argumentsAt(names[read.words.length], place, read.words[0]));
}

const ofProgram: readonly Candidate[] = [
  { word: "help", about: "show the help of a command" },
  { word: "--help", about: "show the help" },
  { word: "--version", about: "show the version" },
];

interface Typed {
  /** Options with their last values. */
  readonly given: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  /** The option whose value is being typed; null if none is. */
  readonly waiting: CliOption | null;
  /** Whether options may follow: there was no `--`. */
  readonly isOpen: boolean;
}

const nameOf = ({ flags }: CliOption): string => flags.split(" ")[0] ?? "";

function readTyped(typed: readonly string[], options: readonly CliOption[]): Typed {
  const given = new Map<string, string>();
  const words: string[] = [];
  let waiting: CliOption | null = null;
  for (const [at, word] of typed.entries()) {
    if (waiting !== null) {
      given.set(nameOf(waiting), word);
      waiting = null;
    } else if (word === "--") {
      return { given, words: [...words, ...typed.slice(at + 1)], waiting, isOpen: false };
    } else if (word.startsWith("-")) {
      const [name = "", value] = word.split(/=(.*)/s);
      const option = options.find((each) => nameOf(each) === name);
      if (option?.flags.includes("<") && value === undefined) waiting = option;
      else given.set(name, value ?? "");
    } else {
      words.push(word);
    }
  }
  return { given, words, waiting, isOpen: true };
}

interface Place {
  readonly workspace: string;
  readonly spec: string | undefined;
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

function valuesOf(option: CliOption | undefined, place: Place): readonly Candidate[] {
  if (option === undefined) return [];
  return nameOf(option) === "--task" ? tasksIn(place) : (option.choices ?? []).map(bare);
}

function argumentsAt(name: string | undefined, place: Place, first: string | undefined): readonly Candidate[] {
  if (name === undefined) return [];
  if (name === "task") return tasksIn(place);
  // A message other than guidance has no text: the spec follows it directly.
  const isSpec = name === "spec" || name === "number|url" || (name === "text" && first !== "guidance");
  return isSpec ? attempt(() => specNames(place.workspace)).map(bare) : (place.choices[name] ?? []).map(bare);
}

const bare = (word: string): Candidate => ({ word, about: "" });

const tasksIn = ({ spec, workspace }: Place): readonly Candidate[] =>
  attempt(() => readPlanFile(findSpec(spec, workspace).tasksPath).plan.tasks)
    // Omit ids with characters that a shell would interpret.
    .filter(({ id }) => /^[\w.~-]+$/.test(id))
    .map(({ id, title }) => ({ word: id, about: escapeText(title) }));

/** Run a lookup; return no candidates if it cannot read something. */
function attempt<Found>(look: () => readonly Found[]): readonly Found[] {
  try {
    return look();
  } catch (error) {
    if (error instanceof FixpointError) return [];
    throw error;
  }
}

const optionsLeft = (options: readonly CliOption[], given: ReadonlyMap<string, string>): readonly Candidate[] => [
  ...options
    .filter((option) => option.repeats || !given.has(nameOf(option)))
    .map((option) => ({ word: nameOf(option), about: option.summary })),
  { word: "--help", about: "show the help" },
  ...(isLong(options) ? [{ word: "--help-all", about: "show all options" }] : []),
];

const startingWith = (start: string, all: readonly Candidate[]): readonly Candidate[] =>
  all.filter(({ word }) => word.startsWith(start));

function inList(current: string, values: readonly Candidate[]): readonly Candidate[] {
  const cut = current.lastIndexOf(",") + 1;
  return startingWith(current.slice(cut), values).map((each) => prefixed(current.slice(0, cut), each));
}

const prefixed = (before: string, { word, about }: Candidate): Candidate => ({ word: `${before}${word}`, about });

interface Shell {
  /** Startup script. The script calls fixpoint for each word, and completes file names if fixpoint prints nothing. */
  readonly script: string;
  readonly render: (candidate: Candidate) => string;
  /** Join words that the shell has split: bash cuts `--option=value` in three. */
  readonly join: (words: readonly string[]) => readonly string[];
}

const asTyped = (words: readonly string[]): readonly string[] => words;

export const shells: Readonly<Record<"bash" | "zsh" | "fish", Shell>> = {
  bash: {
    script: `# Completion of fixpoint in bash. Add to ~/.bashrc: source <(fixpoint completion bash)
_fixpoint() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _fixpoint fixpoint
`,
    render: ({ word }) => word.replace(/^--[a-z-]+=/, ""),
    join: (words) => {
      const [current = ""] = words.slice(-1);
      return [...words.slice(0, -1).filter((word) => word !== "="), current === "=" ? "" : current];
    },
  },
  zsh: {
    script: `#compdef fixpoint
# Completion of fixpoint in zsh. Add to ~/.zshrc, below compinit: source <(fixpoint completion zsh)
_fixpoint() {
  local -a found
  found=("\${(@f)$("\${(Q)words[1]}" completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found[1] ]]; then
    _describe fixpoint found
  else
    _files
  fi
}
if [[ $funcstack[1] == _fixpoint ]]; then _fixpoint "$@"; else compdef _fixpoint fixpoint; fi
`,
    render: ({ word, about }) => `${word.replaceAll(":", "\\:")}${about === "" ? "" : `:${about}`}`,
    join: asTyped,
  },
  fish: {
    script: `# Completion of fixpoint in fish. Add to ~/.config/fish/config.fish: fixpoint completion fish | source
function __fixpoint_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($typed[1] completion fish -- $typed[2..-1] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c fixpoint -f -a '(__fixpoint_complete)'
`,
    render: ({ word, about }) => `${word}\t${about}`,
    join: asTyped,
  },
};
