import type { Writing } from "./source-text.ts";

/** The syntax of checks in a language. The expressions match lines without comments and string contents. */
export interface Language {
  readonly writing: Writing;
  readonly blocks: "braces" | "indent";
  /** Whether a block begins with a brace, on this line or a later one. */
  readonly needsBrace: boolean;
  /** Matches the first line of a check; the group captures the name. */
  readonly head: RegExp;
  /** Matches the marks or first line of code that is a check; null if `head` alone decides. */
  readonly needs: RegExp | null;
  readonly mark: RegExp | null;
  readonly group: RegExp;
  readonly isNamedByString: boolean;
  /** Matches the marks, first line or body of a check that is skipped or expected to fail. */
  readonly skip: RegExp;
  readonly only: RegExp | null;
  /** Matches code outside of checks that keeps all checks of the file from running. */
  readonly offAll: RegExp | null;
  /** Whether only the last of several checks with the same name runs. */
  readonly lastCounts: boolean;
  /** Matches code at which a line is split before it is read. */
  readonly breaks?: RegExp;
}

const plain = { needs: null, mark: null, only: null, offAll: null, lastCounts: false, isNamedByString: false };

const js: Language = {
  ...plain,
  writing: "slashes",
  blocks: "braces",
  needsBrace: false,
  head: /^\s*(?:await |void |return )?(?:(?:t|ctx|context|suite|vitest|Deno)\.)?[xf]?(?:test|it|specify)(?:\.\w+){0,4}\s*[(`]/,
  group:
    /^\s*(?:await |void |export default )?(?:(?:t|ctx|context|suite|vitest|Deno)\.)?[xf]?(?:describe|suite|context)(?:\.\w+){0,4}\s*[(`]/,
  isNamedByString: true,
  skip: /^[ \t]*x(?:it|test|describe)\b|^[ \t]*[\w. ]{0,30}\.(?:skip|todo|skipIf|runIf|fails|failing)\b|["'`],\s*\{(?:[^{}\n]{0,80}[,\s])?(?:skip|todo):(?!\s*false)|(?:^|[{;])[ \t]*(?:t|ctx|context|this|test)\.(?:skip|todo)\(|^[ \t]*[\w. ]{0,30}\.each\(\[\s*\]/m,
  only: /^[ \t]*f(?:it|describe)\b|^[ \t]*[\w. ]{0,30}\.only\b|["'`],\s*\{\s*only:(?!\s*false)/m,
  breaks: /[;{](?=[ \t]*(?:await )?(?:test|it|describe)(?:\.\w+)?\()/g,
};

const python: Language = {
  ...plain,
  writing: "hashes",
  blocks: "indent",
  needsBrace: false,
  head: /^\s*(?:async )?def (test\w*)\s*\(/,
  mark: /^\s*@/,
  group: /^\s*class (Test\w*|\w+(?=\([^)]*Test))/,
  skip: /^[ \t]*@[\w.]{0,30}(?:skip|xfail|expectedFailure|parametrize\([^\n]{0,80}\[\s*\]\s*[,)])|\b(?:pytest|self)\.(?:skip|skipTest|xfail|importorskip)\(|\braise [\w.]{0,20}SkipTest/m,
  offAll:
    /^pytestmark\b.{0,200}(?:skip|xfail)|^\s*pytest\.(?:skip|exit|importorskip)\(|^\s*raise [\w.]{0,20}Skip|^\s*__test__\s*=\s*False|^def load_tests\b|^del test_/,
  lastCounts: true,
};

const go: Language = {
  ...plain,
  writing: "go",
  blocks: "braces",
  needsBrace: true,
  head: /^func ((?:Test|Example|Fuzz)(?![a-z]|Main\b)\w*)\s*\(/,
  group: /^(?!)/,
  skip: /\b[tf]\.Skip(?:Now|f)?\(/,
  offAll: /^\/\/(?:go:build| \+build) /,
};

const rust: Language = {
  ...plain,
  writing: "rust",
  blocks: "braces",
  needsBrace: true,
  head: /^\s*(?:#\[.{0,80}\]\s*)?(?:pub )?(?:async )?fn (\w+)/,
  needs: /#\[(?:\w+::)?(?:test|rstest)\b/,
  mark: /^\s*#\[/,
  group: /^\s*(?:pub )?mod (\w+)\s*\{/,
  skip: /#\[(?:ignore|cfg(?!\(test\)))/,
  offAll: /^\s*#!\[cfg(?!\(test\))/,
};

const annotated: Language = {
  ...plain,
  writing: "slashes",
  blocks: "braces",
  needsBrace: true,
  head: /^(?!\s*[@[][^()]*\([^()]*\)\]?\s*$)[^(=;]{1,200}\(/,
  needs:
    /@(?:org\.junit\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b/,
  mark: /^\s*(?:@|\[)/,
  group: /^(?!)/,
  skip: /@(?:Disabled|Ignore|EnabledIf)|\[Ignore|\bSkip\s*=|\b[aA]ssum(?:e|ption)|Assert\.(?:Skip|Ignore|Inconclusive)/,
  offAll: /^\s*(?:@(?:Disabled|Ignore)\b|\[Ignore)/,
};

const ruby: Language = {
  ...plain,
  writing: "hashes",
  blocks: "indent",
  needsBrace: false,
  head: /^\s*(?:[xf]?(?:it|specify|example|test|scenario)\b[ (]|def (test_\w+))/,
  group: /^\s*(?:RSpec\.)?[xf]?(?:describe|context|class)\b/,
  isNamedByString: true,
  skip: /^[ \t]*(?:RSpec\.)?x(?:it|specify|example|describe|context)\b|^[ \t]*(?:skip|pending)\b|\b(?:skip|pending):|:(?:skip|pending)\b/m,
  only: /^[ \t]*f(?:it|specify|describe|context)\b|\bfocus: true|:focus\b/m,
  lastCounts: false,
};

const php: Language = {
  ...plain,
  writing: "slashes",
  blocks: "braces",
  needsBrace: true,
  head: /^\s*(?:(?:public|final|static) )*function (test\w*)\s*\(|^(?:test|it)\(/,
  group: /^(?!)/,
  isNamedByString: false,
  skip: /markTest(?:Skipped|Incomplete)|->(?:skip|todo)\(/,
};

const shell: Language = {
  ...plain,
  writing: "hashes",
  blocks: "braces",
  needsBrace: true,
  head: /^\s*(?:function )?(test\w*)\s*\(\)|^@test\b/,
  group: /^(?!)/,
  isNamedByString: true,
  skip: /^[ \t]*skip\b/m,
  lastCounts: true,
};

const byExtension: readonly (readonly [RegExp, Language])[] = [
  [/\.[cm]?[jt]sx?$/, js],
  [/\.py$/, python],
  [/\.go$/, go],
  [/\.rs$/, rust],
  [/\.(?:java|kts?|cs|scala)$/, annotated],
  [/\.rb$/, ruby],
  [/\.php$/, php],
  [/\.(?:sh|bash|bats)$/, shell],
];

export const languageOf = (path: string): Language | null =>
  byExtension.find(([extension]) => extension.test(path))?.[1] ?? null;
