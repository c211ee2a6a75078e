import { covers } from "../model/paths.ts";
import { configPart } from "./config-part.ts";
import { checks, type Decider, type Deciders } from "./find-deciders.ts";
import type { FileChange } from "./guard.ts";
import { type Found, harm, type Known, show } from "./guard.ts";
import { fileRole, folderOf } from "./test-files.ts";

/** Judge a change to scripts, configurations or rc files that decide how checks run. */
export function judgeConfig(
  { path, before, after }: FileChange,
  { behind, words, reds, redTexts, read }: Known,
): Found {
  // The `__init__.py` of a code package does not affect checks.
  const named = path.endsWith("__init__.py") && fileRole(path) === "code" ? [] : behind.deciders;
  const isMatched = before !== null && [...behind.patterns].some((pattern) => covers(pattern, path));
  const all = isMatched && checks(path, before) ? [...named, { path, part: null, isNeeded: false }] : named;
  const own = all.filter((decider) => decider.path === path);
  const nested = all.filter((decider) => path.endsWith(`/${decider.path}`));
  const deciders = own.length > 0 ? own : nested;
  // A configuration in a subfolder affects only that subfolder.
  const reaches = own.length > 0 || reds.some(({ file }) => file === null || file.startsWith(`${folderOf(path)}/`));
  const told = deciders.flatMap((decider) => changedPart(decider, before, after));
  if (told.length === 0) return deciders.length > 0 ? show("was changed in a part that affects no check") : show();
  const isMade = deciders.every(({ isNeeded }) => isNeeded);
  const runner = [...behind.programs].filter((program) => words.setsUp(program));
  const isSetUp = runner.length > 0 && (before === null || path.endsWith("package.json"));
  const isFirst = before === null && path.includes(".config.") && isMissing(behind, read);
  const isPlain = /(?:conftest|__init__)\.py$/.test(path) && isPlainConftest(before ?? "", after ?? "", redTexts);
  const isAsked = words.changesScripts && deciders.every(({ part }) => part?.startsWith("scripts."));
  return reaches && !isMade && !isSetUp && !isFirst && !isPlain && !isAsked ? harm(...told) : show(...told);
}

function changedPart({ path, part }: Decider, before: string | null, after: string | null): readonly string[] {
  const was = configPart(path, part, before);
  const now = configPart(path, part, after);
  if (was === now || (part === "packages" && !isShorter(was, now))) return [];
  if (part === null) return [was === "" ? "is new, and decides how checks run" : now === "" ? "is gone" : "was edited"];
  const is = now === "" ? "is gone" : part.includes(".") ? `is now \`${now}\`` : "was edited";
  return [`${part} ${is}`];
}

/** Whether a list of packages lost an entry or got an exception. */
function isShorter(was: string, now: string): boolean {
  const entries = (text: string): string[] => text.match(/[\w@!*./-]+/g) ?? [];
  const are = new Set(entries(now));
  return (
    entries(was).some((entry) => !are.has(entry)) || (now.match(/!/g) ?? []).length > (was.match(/!/g) ?? []).length
  );
}

/** Whether a runner of the command was not installed before, so that its checks could not run. */
function isMissing({ programs }: Deciders, read: (path: string) => string | null): boolean {
  const manifest = read("package.json") ?? "";
  return ["vitest", "jest", "mocha", "ava"].some((name) => programs.has(name) && !manifest.includes(`"${name}"`));
}

const hooks = /pytest_|collect_ignore|autouse|exit|skip|patch|sys\.modules|builtins|setattr|import_module/;
/** Top-level lines of a `conftest.py` that only defines fixtures. */
const offers =
  /^(?:\s|$|"""|import |from |@pytest\.fixture\b|(?:async )?def |sys\.path\.(?:insert|append)\(|[A-Z_]+ = |[)\]}])/;

/** Names of the fixtures that a test file's functions have as parameters. */
const takenBy = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/\bdef \w{1,80}\(([^)]{0,400})\)|\busefixtures\(([^)]{0,400})\)|\bgetfixturevalue\(([^)]{0,80})\)/g),
    ([whole]) => whole.slice(whole.indexOf("(")).match(/\w+/g) ?? [],
  ).flat();

/** Whether a change to a `conftest.py` only adds fixtures that no red check uses. */
function isPlainConftest(before: string, after: string, redTexts: Known["redTexts"]): boolean {
  const old = new Set(before.split("\n"));
  const now = new Set(after.split("\n"));
  const fresh = [...now].filter((line) => !old.has(line));
  const added = fresh.join("\n");
  const names = Array.from(added.matchAll(/def (\w+)/g), ([, name = ""]) => name);
  return (
    [...old].every((line) => now.has(line)) &&
    fresh.every((line) => offers.test(line)) &&
    !hooks.test(added) &&
    !redTexts.some(([, text]) => takenBy(text).some((name) => names.includes(name)))
  );
}
