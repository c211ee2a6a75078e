import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { shellWord } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { programIn } from "../../node/find-spec.ts";
import { workPrompt } from "../../node/setup/agent-forms.ts";
import { writeNew } from "../../node/write-new.ts";
import { command } from "../command.ts";
import { type AgentName, agentSetups, type SetupFile } from "../mcp/agent-setups.ts";
import { flag } from "../options/read-flag.ts";

const names = Object.keys(agentSetups) as AgentName[];

export const install = command({
  options: { print: flag(z.boolean(), "--print", "write nothing: print shell commands that write the files") },
  choices: { agent: names },
  example: "fixpoint install claude --print",
  run({ words: [given, spec], given: { print = false }, surroundings: { folder, terminal } }) {
    const name = names.find((each) => each === given);
    if (name === undefined) throw unknownAgent(given);
    const own = [...(spec === undefined ? [] : [spec])];
    const call = [...program(), "mcp", ...own];
    const hook = (event: string): string => [...program(), "hook", event, ...own].map(shellWord).join(" ");
    const files = agentSetups[name].files(call, hook);
    const { out } = terminal;
    if (print) {
      out(files.map(asShell).join("\n"));
      return 0;
    }
    const there = files.filter(({ path }) => existsSync(join(folder, path)));
    if (there.length > 0) throw isThere(there, [name, ...own]);
    for (const { path, text } of files) {
      const place = join(folder, path);
      writeNew(place, text);
      out(`Wrote ${path}\n`);
    }
    const { note } = { note: undefined, ...agentSetups[name] };
    if (note !== undefined) out(`${note}\n`);
    out(
      `Agree to the plan's Verify commands first: ${escapeText(renderNext(own))}\nThen tell ${name}: "${workPrompt}"\n`,
    );
    return 0;
  },
});

const renderNext = (own: readonly string[]): string => [programIn(), "next", ...own.map(shellWord), "--yes"].join(" ");

/** Words of a command line that calls this program from any folder. */
function program(): readonly string[] {
  const script = process.argv[1] ?? "";
  return basename(script) === "fixpoint" ? programIn().split(" ") : [process.execPath, resolve(script)];
}

/** Render a shell command that writes a file unless it exists. */
const asShell = ({ path, text }: SetupFile): string =>
  [
    ...(path.includes("/") ? [`mkdir -p ${dirname(path)}`] : []),
    `[ -e ${path} ] && echo "${path} exists already: add this text to it" >&2 || cat > ${path} <<'EOF'`,
    `${text}EOF`,
    "",
  ].join("\n");

function unknownAgent(given: string | undefined): InputError {
  const nearest = given === undefined ? undefined : nearestName(given, names);
  return new InputError(`Cannot set up \`${given ?? ""}\`, expected one of ${names.join(", ")}`, {
    code: "bad-usage",
    hint: nearest === undefined ? "See fixpoint install --help" : `Did you mean ${nearest}?`,
  });
}

const isThere = (files: readonly SetupFile[], typed: readonly string[]): InputError =>
  new InputError(`Cannot write ${files.map(({ path }) => `\`${path}\``).join(" and ")}, expected no such file yet`, {
    code: "setup-exists",
    hint: `Add what is missing by hand. To see it: ${[programIn(), "install", ...typed.map(shellWord)].join(" ")} --print`,
  });
