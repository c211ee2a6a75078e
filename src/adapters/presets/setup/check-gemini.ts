import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../../files/folder.ts";
import { textAt, valueAt } from "../output/stream-event.ts";
import { checkLogin, isThere, readToolJson, type ToolEnvironment, type Trouble } from "./tool-environment.ts";

export function checkGemini(surroundings: ToolEnvironment): readonly Trouble[] {
  const home = surroundings.env["GEMINI_CLI_HOME"] || surroundings.home;
  const own = join(home, ".gemini");
  const settings = [join(own, "settings.json"), "/etc/gemini-cli/settings.json"].map(readToolJson);
  // Report nothing if settings are unreadable: they may contain anything.
  if (settings.includes(undefined)) return [];
  const set = (...path: string[]): unknown =>
    settings.map((each) => (each ? valueAt(each, ...path) : undefined)).find((value) => value !== undefined);
  const trust = checkTrust(surroundings, own, set("security", "folderTrust", "enabled"));
  const login =
    set("security", "auth", "selectedType") === undefined
      ? checkLogin(
          "gemini",
          {
            env: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
            files: [join(own, "oauth_creds.json"), join(own, ".env"), ".env", join(surroundings.workspace, ".env")],
            remedy: "export GEMINI_API_KEY=…, or log in once: gemini",
          },
          surroundings,
        )
      : [];
  return [
    ...trust,
    ...checkRights(
      surroundings,
      own,
      settings.some((each) => each && mayAllow(each)),
    ),
    ...login,
  ];
}

function checkTrust({ workspace, env, words }: ToolEnvironment, own: string, enabled: unknown): readonly Trouble[] {
  const said = env["GEMINI_CLI_TRUST_WORKSPACE"];
  if (enabled === false || said === "true" || words.includes("--skip-trust")) return [];
  const folders = readToolJson(env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] || join(own, "trustedFolders.json"));
  if (folders === undefined) return [];
  const place = realFolder(workspace);
  const [rule] = Object.keys(folders ?? {})
    .filter((path) => {
      const level = textAt(folders ?? {}, path);
      return isWithin(place, realFolder(level === "TRUST_PARENT" ? dirname(path) : path));
    })
    .sort((one, other) => other.length - one.length);
  const level = rule === undefined ? null : textAt(folders ?? {}, rule);
  if (said !== "false" && (level === "TRUST_FOLDER" || level === "TRUST_PARENT")) return [];
  return [
    {
      about: "trust",
      what: `gemini refuses to work in ${workspace}, which it does not trust`,
      remedy: "export GEMINI_CLI_TRUST_WORKSPACE=true",
      certain: true,
    },
  ];
}

/**
 * Check whether Gemini CLI may write. Without a person, the tool has no shell and no write tools, unless an option or
 * setting enables them.
 */
function checkRights({ workspace, words }: ToolEnvironment, own: string, allowed: boolean): readonly Trouble[] {
  const isGiven = words.some((word) =>
    /^(?:-y|--yolo|--approval-mode|--allowed-tools|--policy|--admin-policy)\b/.test(word),
  );
  const mayBe = [join(own, "policies"), join(workspace, ".gemini"), "/etc/gemini-cli"].some(isThere);
  if (isGiven || allowed || mayBe) return [];
  return [
    {
      about: "permissions",
      what: "gemini can neither write files nor run commands without a person to ask",
      remedy: "Allow gemini to write files, and let fixpoint commit them",
      words: ["--executor-args", "gemini: --approval-mode auto_edit", "--commit", "all"],
      certain: true,
    },
  ];
}

const mayAllow = (settings: object): boolean =>
  ["general", "tools", "policyPaths"].some((name) => Object.hasOwn(settings, name));

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
