import type { Candidate } from "./complete.ts";

/** Completion support of a shell. */
interface Shell {
  /** Startup script. It calls fixpoint for each word, and completes files if fixpoint prints nothing. */
  readonly script: string;
  /** Render a candidate as a line for the script. */
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
