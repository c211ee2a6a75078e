import { type Rights, thatFit } from "./preset.ts";

/** Files of the workspace, and commands that a rule names one by one. In a rule a star stands for anything. */
export function claudeEdit(commands: readonly string[]): Rights {
  const named = thatFit(commands.filter((command) => !command.includes("*"))).map((command) =>
    command.replace(/[\\()]/g, "\\$&"),
  );
  const rules = ["git add:*", "git commit:*", ...named].map((rule) => `Bash(${rule})`);
  return { args: ["--permission-mode", "acceptEdits", "--allowedTools", ...rules] };
}

/** A later rule overrides an earlier one. Each part of a compound command is checked. */
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
    // The rules above would let them write anywhere.
    ...["git add *>*", "git commit *>*"].map((command) => [command, "deny"]),
  ]),
});
