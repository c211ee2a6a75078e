import type { FileChange, Known } from "./guard.ts";
import { hidesTypes, leavesTools } from "./leaves-tools.ts";
import { baseOf } from "./test-files.ts";

/** What hides findings of a tool, each with the program or argument by which a command runs the tool. */
const hiding: readonly (readonly [word: RegExp, sign: RegExp])[] = [
  [/^(?:tsc|tsgo|vue-tsc|svelte-check)$/, /@ts-(?:nocheck|ignore|expect-error)\b/g],
  [/^(?:eslint|oxlint)$/, /\b(?:eslint|oxlint)-disable\b|\/\*\s{0,9}eslint\s/g],
  // Linters do not read code in strings.
  [/^(?:eslint|oxlint|biome)$/, /\bnew Function\(/g],
  [/^(?:eslint|oxlint|biome)$/, /\beval\(/g],
  [/^biome$/, /\bbiome-ignore\b/g],
  [/^prettier$/, /\bprettier-ignore\b/g],
  [/^stylelint$/, /\bstylelint-disable\b/g],
  [
    /^(?:mypy|pyright|basedpyright|ty)$/,
    /#\s{0,4}(?:type:\s{0,4}ignore|mypy:|pyright:|ty:\s{0,4}ignore)|\bif not (?:\w{1,20}\.)?TYPE_CHECKING\b|@(?:\w{1,20}\.)?no_type_check\b/g,
  ],
  [/^go$/, /^\/\/(?:go:build| \+build) /gm],
  [/^(?:ruff|flake8)$/, /#\s{0,4}(?:(?:ruff|flake8):\s{0,4})?noqa\b/gi],
  [/^pylint$/, /#\s{0,4}pylint:\s{0,4}(?:disable|skip-file)/g],
  [/^(?:golangci-lint|staticcheck)$/, /\/\/\s{0,4}(?:nolint|lint:(?:file-)?ignore)\b/g],
  [/^(?:clippy|-D|-Dwarnings|--deny)$|\bRUSTFLAGS=.{0,80}(?:-D|--deny)/, /#!?\[(?:allow|expect)\(/g],
  [/^(?:fmt|rustfmt)$/, /\brustfmt::skip\b|\brustfmt_skip\b/g],
  [/^(?:black|format|yapf)$/, /#\s{0,4}(?:fmt|yapf):\s{0,4}(?:off|skip|disable)\b/g],
  [/^shellcheck$/, /#\s{0,4}shellcheck disable/g],
  [/^rubocop$/, /#\s{0,4}rubocop:(?:disable|todo)/g],
  [/^(?:phpstan|psalm|phpcs)$/, /@(?:phpstan|psalm)-(?:ignore|suppress)|phpcs:(?:ignore|disable)/g],
  [
    /^(?:c8|nyc|--coverage\S*|--experimental-test-coverage|--cov\S*|llvm-cov|tarpaulin)$/,
    /\b(?:istanbul|c8|v8) ignore\b|\bnode:coverage (?:disable|ignore)\b|#\s{0,4}pragma: no cover|\bLCOV_EXCL|#\[coverage\(off\)/g,
  ],
];

/** Describe how a change hides a finding of the command instead of fixing it; null if it hides none. */
export function findSilenced(change: FileChange, known: Known): string | null {
  const { path, before, after } = change;
  if (known.reds.length === 0 || known.words.silences) return null;
  if (path.endsWith(".gitignore")) return hides(path, before ?? "", after ?? "", known);
  const { programs, words } = known.behind;
  const isTyped = ["tsc", "tsgo", "vue-tsc"].some((program) => programs.has(program));
  if (isTyped && anyModule.test(after ?? "") && !anyModule.test(before ?? "")) return "gives every import any type";
  if (before === null) return hidesTypes(path, known);
  if (!known.reds.some(({ file }) => file === null || file === path)) return null;
  const gone = leavesTools(change, known);
  if (gone !== null || after === null) return gone;
  // `words` lacks the variables of calls, so search the whole command, too.
  const used = [...programs, ...words, known.command];
  for (const [word, sign] of hiding) {
    if (!used.some((each) => word.test(each))) continue;
    const were = before.match(sign) ?? [];
    const are = after.match(sign) ?? [];
    if (are.length > were.length) return `hides a finding from the tool: ${(are.at(-1) as string).trim()}`;
  }
  const [strict] = [...before.matchAll(demands)].filter(([line]) => !after.includes(line.trim()));
  if (strict !== undefined) return `no longer demands ${strict[0].trim()}`;
  const isChecked = used.some((each) => /^(?:mypy|pyright|basedpyright|ty)$/.test(each)) && path.endsWith(".py");
  const untyped = isChecked ? typedIn(before).find((name) => isUntyped(name, after)) : undefined;
  return untyped === undefined ? null : `hides a finding: ${untyped} has no types now`;
}

/** Matches a declaration of modules of any name. */
const anyModule = /\bdeclare module ["']\*["']/;

/** Matches lines by which a file asks tools for more findings. */
const demands =
  /^[ \t]{0,20}(?:#!?\[(?:deny|forbid)\([^\n]{1,200}|\/\/ @ts-check|# (?:mypy|pyright): ?strict)[ \t]*$/gm;

const typedIn = (text: string): string[] =>
  Array.from(text.matchAll(/\bdef (\w{1,80})\(([^\n]{0,400})/g)).flatMap(([, name, rest = ""]) =>
    rest.includes("->") || rest.split(")", 1).join("").includes(":") ? String(name) : [],
  );
const isUntyped = (name: string, text: string): boolean =>
  Array.from(text.matchAll(/\bdef (\w{1,80})\(/g)).some(([, other]) => other === name) && !typedIn(text).includes(name);

/**
 * Report new ignore rules that hide the file of a red check from tools, or hide from fixpoint a new file that would
 * decide how checks run. Null if the rules hide neither.
 */
function hides(path: string, before: string, after: string, known: Known): string | null {
  const { reds, behind, idle, files, read, words } = known;
  const folder = path.slice(0, -".gitignore".length);
  const old = new Set(before.split("\n"));
  const fresh = after.split("\n").filter((line) => !old.has(line) && /^[^#!\s]/.test(line));
  const isHidden = (file: string): boolean => file.startsWith(folder) && fresh.some((rule) => ignores(rule, file));
  const found = reds.find(({ file }) => file !== null && isHidden(file));
  if (found !== undefined) return `hides ${found.file} from tools`;
  // A search does not name the files in which it has found something.
  const isOpen = reds.some(({ file }) => file === null) && !words.names(path);
  const work = isOpen ? files.find((file) => read(file) !== null && isHidden(file)) : undefined;
  if (work !== undefined) return `hides ${work} from tools`;
  const secret = [...behind.deciders.map((decider) => decider.path), ...idle].find(
    (file) => !usual.test(file) && read(file) === null && (isHidden(file) || fresh.some((rule) => isBelow(rule, file))),
  );
  return secret === undefined ? null : `hides ${secret}, which would decide how checks run`;
}

/** Whether an ignore rule means a file of this name in a subfolder. */
const isBelow = (rule: string, file: string): boolean => rule.trim().endsWith(`/${file}`);

/** Files with secrets, which projects usually ignore. */
const usual = /(?:^|\/)\.(?:env|envrc|npmrc)$/;

/** Whether an ignore rule matches a file, or a folder above it. */
function ignores(rule: string, file: string): boolean {
  const pattern = rule.trim().replace(/^\/|\/\*{0,2}$/g, "");
  if (!pattern.includes("*")) return `/${file}/`.includes(`/${pattern}/`);
  const parts = pattern.split(/\*+/);
  const name = pattern.includes("/") ? file : baseOf(file);
  return name.startsWith(parts[0] as string) && name.endsWith(parts.at(-1) as string);
}
