import { type Rights, thatFit } from "./preset.ts";

/**
 * Rights of Claude Code to edit workspace files and run commands, with one rule per command. A star in a rule matches
 * anything, so commands with a star get no rule.
 */
export function claudeEdit(commands: readonly string[]): Rights {
  const named = thatFit(commands.filter((command) => !command.includes("*"))).map((command) =>
    command.replace(/[\\()]/g, "\\$&"),
  );
  const rules = ["git add:*", "git commit:*", ...named].map((rule) => `Bash(${rule})`);
  return { args: ["--permission-mode", "acceptEdits", "--allowedTools", ...rules] };
}

/**
 * Permission rules of OpenCode: a later rule overrides an earlier one, and each part of a compound command is checked.
 */
export const opencodeRules = (commands: readonly string[]) => ({
  "*": "deny",
  ...Object.fromEntries(
    ["read", "list", "glob", "grep", "edit", "todoread", "todowrite"].map((tool) => [tool, "allow"] as const),
  ),
  bash: Object.fromEntries([
    ["*", "deny"],
    ...["git add *", "git commit *", ...thatFit(commands.filter((command) => !/[*?]/.test(command)))].map((command) => [
      command,
      "allow",
    ]),
    // The rules above would allow writing anywhere.
    ...["git add *>*", "git commit *>*"].map((command) => [command, "deny"]),
  ]),
});
