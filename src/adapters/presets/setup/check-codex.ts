import { join } from "node:path";
import { findRepository } from "../../git/find-repository.ts";
import { checkLogin, readToolFile, type ToolEnvironment, type Trouble } from "./tool-environment.ts";

export function checkCodex(surroundings: ToolEnvironment): readonly Trouble[] {
  const { env, home } = surroundings;
  const own = env["CODEX_HOME"] || join(home, ".codex");
  const config = readToolFile(join(own, "config.toml")) ?? "";
  return [
    ...checkTrust(surroundings, config),
    ...checkRights(surroundings, config),
    ...checkKeys(surroundings, own, config),
  ];
}

/** Check whether Codex may write: its sandbox is read-only unless an option or setting changes that. */
function checkRights({ words }: ToolEnvironment, config: string): readonly Trouble[] {
  const isGiven = words.some((word) =>
    /^(?:-s|--sandbox|-c|--config|-p|--profile|--full-auto|--approve-for-me)\b/.test(word),
  );
  const isUnbound = words.some((word) => word === "--yolo" || word.startsWith("--dangerously-"));
  if (isGiven || isUnbound || /^[\t ]{0,20}(?:sandbox_mode|profile|trust_level)\b/m.test(config)) return [];
  return [
    {
      about: "permissions",
      what: "codex can only read here: its sandbox is read-only",
      remedy: "Allow its sandbox to write here",
      words: ["--executor-args", "codex: --sandbox workspace-write --add-dir .git"],
      certain: true,
    },
  ];
}

const unasked = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--yolo", "--trust"];

function checkTrust({ workspace, words }: ToolEnvironment, config: string): readonly Trouble[] {
  if (words.some((word) => unasked.includes(word)) || findRepository(workspace) !== null) return [];
  return [
    {
      about: "trust",
      what: `codex refuses to work in ${workspace}, which is in no git repository`,
      remedy: "Create a repository with git init, or allow codex to work without one",
      words: ["--executor-args", "codex: --skip-git-repo-check"],
      // Codex may work without a repository in a folder that the settings trust.
      certain: !/^[\t ]{0,20}trust_level[\t ]{0,20}=/m.test(config),
    },
  ];
}

function checkKeys(surroundings: ToolEnvironment, own: string, config: string): readonly Trouble[] {
  const provider = /^[\t ]{0,20}model_provider[\t ]{0,20}=[\t ]{0,20}["']([^"'\n]{1,200})["']/m.exec(config)?.[1];
  if (provider === undefined) {
    return checkLogin(
      "codex",
      {
        env: ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY"],
        files: [join(own, "auth.json")],
        remedy: "run codex login, or export CODEX_API_KEY=…",
      },
      surroundings,
    );
  }
  const key = keyOf(provider, config);
  if (key === null || (surroundings.env[key] ?? "") !== "") return [];
  const what = `codex has no key for its provider ${provider}: ${key} is not set`;
  return [{ about: "login", what, remedy: `export ${key}=…`, certain: false }];
}

/** Name of the variable with the provider's key; null if the settings do not name it. */
function keyOf(provider: string, config: string): string | null {
  const sections = config.split(/^[\t ]{0,20}(?=\[)/m);
  const section = sections.find(
    (text) => /^\[([^\]\n]+)\]/.exec(text)?.[1]?.replaceAll('"', "") === `model_providers.${provider}`,
  );
  return /^[\t ]{0,20}env_key[\t ]{0,20}=[\t ]{0,20}["']([^"'\n]{1,200})["']/m.exec(section ?? "")?.[1] ?? null;
}
