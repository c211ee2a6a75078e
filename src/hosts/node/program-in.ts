/** What fixpoint is called with: who starts it with npx finds no `fixpoint` on the path. */
export function programIn(env: NodeJS.ProcessEnv = process.env): string {
  const { npm_command: command, npm_lifecycle_script: script = "" } = env;
  return command === "exec" && /^["']?fixpoint\b/.test(script) ? "npx fixpoint" : "fixpoint";
}
