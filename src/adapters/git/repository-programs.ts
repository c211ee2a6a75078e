import { type GitEnd, runGit } from "./run-git.ts";

/** Settings that name a program, with their values, by name as `git config` prints it: `filter.lfs.clean`. */
export type Programs = Readonly<Record<string, string>>;

/**
 * The settings of a repository that name programs which calls of ours would have git run. Those of the user, the system
 * and the environment are none of them.
 *
 * @returns How git ended, when it has no answer.
 */
export async function readPrograms(
  cwd: string,
): Promise<{ readonly programs: Programs } | { readonly end: GitEnd | null }> {
  const end = await runGit(["config", "--list", "--show-scope", "--includes", "-z"], { cwd });
  if (end?.exitCode !== 0) return { end };
  const words = end.stdout.split("\0");
  const found = new Map<string, readonly string[]>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", entry = ""] = words.slice(at, at + 2);
    const [name = "", value = ""] = splitOnce(entry, "\n");
    if (ofRepository.has(scope) && isProgram(name)) found.set(name, [...(found.get(name) ?? []), value]);
  }
  return { programs: Object.fromEntries([...found].map(([name, values]) => [name, values.join(", ")])) };
}

const ofRepository: ReadonlySet<string> = new Set(["local", "worktree", "submodule"]);

const kinds = {
  /** Run when files are compared, committed or checked out. */
  content: /^filter\..*\.(?:clean|smudge|process)$/s,
  /** Run when a commit is signed. */
  signing: /^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s,
  /** Run when a remote is asked or pushed to. */
  remote:
    /^core\.(?:sshcommand|gitproxy|askpass|hookspath|alternaterefscommand)$|^credential\.(?:.*\.)?helper$|^remote\..*\.(?:uploadpack|receivepack|vcs)$|^hook\..*\.command$/s,
};

export type ProgramKind = keyof typeof kinds;

const isProgram = (name: string): boolean => Object.values(kinds).some((form) => form.test(name));

/** Those of some kinds. */
export const programsOf = (programs: Programs, wanted: readonly ProgramKind[]): Programs =>
  Object.fromEntries(Object.entries(programs).filter(([name]) => wanted.some((kind) => kinds[kind].test(name))));

/** Those that are not in others, or are there with another value. */
export const programsBeyond = (programs: Programs, others: Programs): Programs =>
  Object.fromEntries(
    Object.entries(programs).filter(([name, value]) => !Object.hasOwn(others, name) || others[name] !== value),
  );

/**
 * Settings under which git runs none of these programs but the allowed ones.
 *
 * @param hooks Whether hooks may be among those.
 * @returns How a call ends where there are no such settings.
 */
export function switchOff(
  programs: Programs,
  { allowed, hooks }: { readonly allowed: Programs; readonly hooks: boolean },
): readonly string[] | { readonly end: GitEnd } {
  const isHook = (name: string): boolean => name.startsWith("hook.");
  const beyond = programsBeyond(programs, allowed);
  const names = Object.keys(programs).filter((name) => Object.hasOwn(beyond, name) || (isHook(name) && !hooks));
  // A setting on the command line ends its name there.
  const odd = names.find((name) => name.includes("="));
  if (odd === undefined) return names.flatMap(settingsAgainst);
  return {
    end: { exitCode: 128, stdout: "", stderr: `fatal: the setting ${odd} cannot be switched off: rename it\n` },
  };
}

function settingsAgainst(name: string): string[] {
  if (name === "core.hookspath") return [`${name}=/dev/null`];
  const stem = name.slice(0, name.lastIndexOf("."));
  if (kinds.content.test(name)) return [`${name}=`, `${stem}.required=false`];
  return name.startsWith("hook.") ? [`${stem}.enabled=false`] : [`${name}=`];
}

function splitOnce(text: string, by: string): readonly string[] {
  const at = text.indexOf(by);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}
