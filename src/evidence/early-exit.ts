import { plainCode } from "./plain-code.ts";
import { type Line, linesOf, writingOf } from "./source-text.ts";

const linesIn = (path: string, text: string): readonly Line[] => linesOf(plainCode(path, text), writingOf(path));
const bareOf = (path: string, text: string): string =>
  linesIn(path, text)
    .map((line) => line.bare)
    .join("\n");

/** Matches code that exits a program with success, but not with a failure code. */
const exits =
  /\bprocess\.(?:exit|reallyExit)\((?!\s{0,9}[1-9])[^()]{0,40}\)|\bprocess\.(?:exitCode\s*=\s*0|kill\()|\b(?:os\._exit|sys\.exit|pytest\.exit|os\.Exit|process::exit|System\.exit|Environment\.Exit|exit!?)\((?!\s{0,9}[1-9])\s{0,9}\w{0,20}\s{0,9}\)|\bos\.Exit\(\s{0,9}m\.Run\(\)\s{0,9}[^)\s]|\braise SystemExit\b|\batexit\.register\b|\bpytest_sessionfinish\b|\bExitCode::SUCCESS\b/g;
const mainless = /^func TestMain\b/m;
/** Matches the variable with the result of `m.Run()` in Go. */
const outcome = /\b(\w{1,40})\s{0,4}:?=\s{0,4}m\.Run\(\)/g;

/** Matches a variable that is set to 0. */
const resets = /\b(\w{1,40})\s{0,4}=\s{0,4}0\b/g;

const codeOf = (path: string, text: string): string[] => linesIn(path, text).map((line) => line.code);

/** Count the places where a program exits early with success, outside of comments and strings. */
export function earlyExits(path: string, text: string): number {
  const lines = codeOf(path, text);
  const code = lines.join("\n");
  const runs = lines.some((line) => /\.Run\(|VerifyTestMain\(m\b/.test(line));
  const kept = Array.from(code.matchAll(outcome), ([, name]) => `os.Exit(${name})`);
  const found = Array.from(code.matchAll(exits), ([exit]) => exit).filter((exit) => !kept.includes(exit));
  const reset = new Set(Array.from(code.matchAll(resets), ([, name]) => name));
  const isReset = Array.from(code.matchAll(outcome), ([, name]) => name).some((name) => reset.has(name));
  return found.length + Number(mainless.test(code) && (!runs || isReset));
}

const quiet =
  /(?<![.\w])(?:process\.(?:exit|reallyExit)|exit|quit|sys\.exit|(?:os\.)?_exit)\(0?\)|\bprocess\.exitCode\s*=\s*(?:0|undefined|null)\b|\bos\.exec[lv]\w{0,3}\(|\braise SystemExit(?:\((?:0|None)?\))?(?![\w(])|\bCDLL\(.{0,80}\bexit\(|\batexit\.register\([\w.]{0,40}_exit\b|^var\b.*\bos\.Exit\(0\)/;
/** Exits that no runner can intercept, by file extension. Exits within strings match, too. */
const hard: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    /\breallyExit\b|\b(?:set(?:Timeout|Immediate)|nextTick|queueMicrotask)\(\s{0,9}process\.exit\b(?!\()/,
  ],
  [/\.py$/, /\b_exit\b/],
  [/\.go$/, /\bsyscall\.Exit\(/],
  [/\.rs$/, /\b_exit\(|\blibc::exit\(|\bfn exit\(/],
];
/** Matches a fork: a child process may end by an exit that no runner can intercept. */
const forks = /\bfork\(/;
const isMain = /require\.main|import\.meta|__name__/;
/** Matches the start of code that runs on load or on exit, outside of any function, class or handler. */
const atOnce =
  /^(?:try|if|for|while|do|with|void|await|[{(!;+]|\}|queueMicrotask|set(?:Timeout|Immediate|Interval)|process\.nextTick|Promise\b|(?:new Promise|process\.(?:on|once|addListener)\(["'](?:beforeExit|exit)\b)|else|except|finally)/;

const named = /\b(?:function|def) (\w+)/;
const isFunction = /^(?:export )?(?:default )?(?:(?:async )?function|async def|def|class)\b/;

/**
 * Whether a program exits with success outside of its functions, on load or on exit, or contains an exit that its
 * runner cannot intercept.
 *
 * @param called Functions that count as called on load.
 */
export function exitsWhenLoaded(path: string, text: string, called: ReadonlySet<string> = new Set()): boolean {
  const lines = linesIn(path, text).filter(({ bare }) => bare !== "");
  const has = (sign: RegExp): boolean => lines.some(({ code }) => sign.test(code));
  const isHard = hard.some(([name, sign]) => name.test(path) && lines.some(({ bare }) => sign.test(bare)));
  if (isHard && !has(forks)) return true;
  if (path.endsWith(".go"))
    return has(/^var\b.*\bos\.Exit\(0\)/) || (has(/^func init\(\)/) && has(/\b\w{0,40}[eE]xit\(0\)/));
  if (path.endsWith(".rs")) return has(/\bprocess::exit\(0\)/) && !has(/\bfn main\(/);
  let head = "";
  for (const { bare, code } of lines) {
    const isHead = /^\S/.test(code) && !/^[)\]}]/.test(code);
    if (isHead) head = bare;
    const isCalled = called.has(named.exec(head)?.[1] ?? "");
    const runs = isHead ? !isFunction.test(code) : isCalled || atOnce.test(head);
    if (runs && quiet.test(code) && !isMain.test(head)) return true;
  }
  return false;
}

const handles =
  /\bprocess\.(?:(?:on|once|addListener|prependListener)\(\s{0,4}["'`](?:uncaughtException|unhandledRejection)\b|setUncaughtExceptionCaptureCallback\()/;
const fails = /\b(?:exit\(|exitCode\s{0,4}=)\s{0,4}[1-9]|\bthrow\b/;

/** Matches code that brings a test library into what is tested, or skips the running check. */
const steersJs =
  /^\s{0,20}(?:before|after)(?:Each|All)?\(|["'](?:vitest|@jest\/globals|node:test)["']|(?:^|\bif \([^\n]{1,80}\) )(?:expect|describe)\s{0,4}=(?![=>])/m;
/** Matches the import of a module with matchers of its own. */
const onlyExpect = /^import \{ ?expect ?\} from ["'][^"'\n]{1,20}["']/m;
const steersPython = /^\s{0,20}(?:import|from) _?pytest\b|\bSkipTest\b|\bmock\b.{0,40}\bANY\b/m;

/** Whether a program handles uncaught exceptions, and does not fail then, or interferes with the checks that load it. */
export function swallows(path: string, text: string): boolean {
  const bare = bareOf(path, text);
  if (path.endsWith(".py")) return steersPython.test(bare);
  const others = /\bexpect\.(?!extend\b)/.test(bare) ? bare : bare.replace(onlyExpect, "");
  return /\.[cm]?[jt]sx?$/.test(path) && (steersJs.test(others) || (handles.test(bare) && !fails.test(bare)));
}

/** Matches lines that end the shell of a script, or let it continue after a failure. */
const endsShell =
  /^\s*(?:exit(?:\s{1,4}0)?\s*(?:;.*)?$|exec\s{1,4}(?!\d?[<>])\S|set\s{1,4}\+(?:e|o\s{1,4}errexit)|trap\s.{0,200}\bexit\b(?!\s{1,4}[$1-9]))/;

/** Matches a trap that calls a function at the end of the shell. */
const trapped = /^\s*trap\s{1,4}["']?(\w{1,60})["']?\s.{0,40}\b(?:0|EXIT|ERR)\b/;
const shellFunctions = /\b(\w{1,60})\s?\(\)\s{0,4}\{([^}]{0,2000})/g;
const exitsIn = (text: string, called: string): boolean =>
  Array.from(text.matchAll(shellFunctions)).some(
    ([, name, body = ""]) => name === called && /\bexit(?:\s{1,4}0)?\s{0,4}[;\n]/.test(body),
  );

/** Whether a script exits with success outside of its functions, so that a shell that sources the script ends, too. */
export function endsReader(text: string): boolean {
  let depth = 0;
  return linesOf(text, "hashes").some(({ bare, code }) => {
    const isOutside = depth === 0;
    for (const [sign] of code.matchAll(/[{}]/g)) depth += sign === "{" ? 1 : -1;
    const [, name] = trapped.exec(bare) ?? [];
    return isOutside && (endsShell.test(bare) || (name !== undefined && exitsIn(text, name)));
  });
}

const standardObject =
  /^(?:JSON|Object|Array|Math|Number|String|Date|Reflect|Promise|Map|Set|RegExp|Symbol|Error|performance|crypto|fs|child_process)$/;
export const standardModule =
  /^(?:abc|argparse|array|ast|asyncio|base64|bisect|builtins|calendar|collections|configparser|contextlib|copy|csv|ctypes|dataclasses|datetime|decimal|difflib|email|enum|filecmp|fnmatch|fractions|functools|glob|gzip|hashlib|heapq|hmac|html|http|importlib|inspect|io|itertools|json|keyword|locale|logging|math|mimetypes|numbers|operator|os|pathlib|pickle|platform|pprint|queue|random|re|secrets|shlex|shutil|signal|socket|sqlite3|ssl|stat|statistics|string|struct|subprocess|sys|tempfile|textwrap|threading|time|timeit|traceback|types|typing|unicodedata|urllib|uuid|warnings|weakref|xml|zipfile|zlib|zoneinfo)$/;
const setsMember =
  /^[ \t]{0,20}([A-Za-z]\w{0,20})(?:\.prototype)?\.(\w{1,40})\s{0,2}=(?![=>])|\b(?:Object\.(?:assign|defineProperty)|Reflect\.set|setattr)\(\s{0,4}([A-Za-z]\w{0,20})(?:\.prototype)?,\s{0,4}["'{]\s{0,4}(\w{1,40})/gm;

/** Names of members of standard objects and modules that a program replaces. */
export function replacedStandard(path: string, text: string): readonly string[] {
  const bare = bareOf(path, text);
  const owner = path.endsWith(".py") ? standardModule : standardObject;
  return Array.from(bare.matchAll(setsMember), ([, one = "", member = "", other = "", named = ""]) =>
    owner.test(/^global(?:This)?$/.test(`${one}${other}`) ? `${member}${named}` : `${one}${other}`)
      ? `${member}${named}`
      : "",
  ).filter((name) => name !== "");
}

const library =
  /^(?:(?:node:)?(?:assert|test)(?:\/\w{1,20})?|(?:vitest|chai|mocha|expect|@vitest|@jest|jest-\w{1,20})(?:\/[\w./-]{1,60})?|_?pytest|unittest)$/;
/** The end of a JavaScript import; the bound names precede it. */
const fromJs = /(?:\bfrom\s{0,4}|=\s{0,4}(?:await import|require)\()["']([^"'\n]{1,60})["']/g;
const fromPython = /^\s{0,20}(?:from\s{1,4}([\w.]{1,80})\s{1,4})?import\s{1,4}([\w., ]{1,200})/gm;
/** Matches calls that set a member of an object; the group is the name of the object. */
const sets =
  /\b(?:assign|definePropert(?:y|ies)|[gs]etPrototypeOf|setattr|mock\.method|patch\.object|overwriteMethod)\(\s{0,4}([A-Za-z_$][\w$]{0,40})/g;
const assigns =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,40})(?!\.config\.)(?:\.\w{1,40}|\[[^\]\n]{1,40}\]){1,5}\s{0,2}=(?![=>])/g;
/**
 * Matches code that no task needs: it replaces parts of a test library or its macros, or reaches into objects of a
 * runner.
 */
const always =
  /\brequire\(["'](?:node:)?(?:assert|test)[\w/]{0,20}["']\)(?:\.\w{1,30}){1,3}\s{0,2}=(?![=>])|\.extend\(\s{0,9}\{\s{0,9}(?:toBe|toEqual|toStrictEqual|toMatch|toContain|toThrow)\b|\bgetOwnPropertySymbols\(\s{0,4}(?:global|globalThis)\b|\b(?:eval|Function)\([^;\n]{0,200}\b(?:atob|base64|fromCharCode)\b|\badd(?:SnapshotSerializer|EqualityTesters)\(|\bsetDefaultSnapshotSerializers\(|\bchai\.use\(|\bsyncBuiltinESMExports\b|\bconstructor\._load\b|["']_pytest\b|\bgc\.get_(?:objects|referrers)\(|\bObject\.(?:entries|values)\(require\.cache\)|\brequire\.cache\[[^\n]{1,200}\]\.exports\b|\bmacro_rules!\s{1,4}(?:(?:debug_)?assert(?:_eq|_ne)?|panic)\b/;
/** Matches code that no task needs: it replaces what every assertion relies on, or makes objects that equal everything. */
const deceives = [
  /\bprocess(?:\.(?:exit|reallyExit|abort|emit)\s{0,2}=(?![=>])|,\s{0,4}["'](?:exit(?:Code)?|reallyExit|emit)["'])|\bObject(?:(?:\.is|\[["']is["']\])\s{0,2}=(?![=>])|,\s{0,4}["']is["'])/,
  /\b(?:global|globalThis)(?:\.|\[["'])(?:expect|assert|it|test|describe)\b["'\]]{0,2}\s{0,2}=(?![=>])/,
  /\b(?:assign|defineProperty|spyOn)\(\s{0,4}(?:global|globalThis),\s{0,4}["'{]\s{0,4}(?:expect|assert|it|test|describe)\b/,
  /\b(?:Array|Object|String|Map|Set|Promise)\.prototype\[[^\]\n]{1,40}\]\s{0,2}=(?![=>])|(?:\bEventEmitter|["']\))\.prototype\.emit\s{0,2}=(?![=>])/,
  /\bf_(?:globals|locals)(?:\[[^\]\n]{1,60}\]\s{0,2}=(?!=)|\.(?:update|setdefault|__setitem__)\()|\.__code__\s{0,2}=(?!=)/,
  /\basymmetricMatch\b|\bdef __eq__\([^)\n]{1,80}\)(?:\s{0,2}->\s{0,2}\w{1,20})?:\s{1,40}return True\b|\b__eq__["']?\s{0,2}[=:,]\s{0,2}lambda\b[^\n:]{0,60}:\s{0,2}True\b/,
  /\bPartialEq<[^{}]{1,80}\{\s{1,40}fn eq\([^)\n]{1,80}\)\s{0,2}->\s{0,2}bool\s{0,2}\{(?:[^{}]{1,80};)?\s{0,40}true\b/,
];
/** Matches options by which a Go test program skips tests. */
const leavesOut = /\bflag\.Set\(["`]test\.|\bos\.Args\s{0,4}=[^\n]{0,200}-test\./;
/** Matches code that gives another name to an object or to its member. */
const renames =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,40})\s{0,2}=\s{0,2}([A-Za-z_$][\w$]{0,40})((?:\.\w{1,40}){0,4})\s{0,2}(?=[;\n]|$)/g;
/** Matches code that joins the name of what it looks up, to hide it. */
const hidesName =
  /\b(?:[gs]etattr|__import__|import_module|modules(?:\.get)?|__dict__)[[(][^\n]{0,80}?["']\w{0,40}["']\s?\+\s?["']|["']__\w{0,20}["']\s?\+\s?["']|\b(?:global|globalThis|process|module|require\.cache)\[["'`]\w{0,40}["'`]\s?\+/;
/** Matches an equality of one expression; the groups are the names of the objects and the expression. */
const equalities = [
  /\bdef __eq__\(\s{0,4}(\w{1,40}),\s{0,4}(\w{1,40})[^)\n]{0,80}\)[^:\n]{0,40}:\s{1,40}return (?!False\b|NotImplemented\b)([^\n]{1,300})/g,
  /\bPartialEq<[^{}]{1,80}\{\s{1,40}fn eq\(\s{0,4}&(self),\s{0,4}(\w{1,40})[^)\n]{0,80}\)\s{0,2}->\s{0,2}bool\s{0,2}\{([^{};]{1,300})\}/g,
];

/** Whether an object equals others without a comparison of the two. */
const equalsOthers = (text: string): boolean =>
  equalities.some((sign) =>
    Array.from(text.matchAll(sign)).some(([, self = "", other = "", expression = ""]) => {
      const has = (part: string, name: string): boolean => {
        const words = part.split(/\W+/);
        return words.includes(name) || words.includes("super");
      };
      return !expression.split(/&&|\|\||\band\b|\bor\b/).some((part) => has(part, self) && has(part, other));
    }),
  );

const globals = ["assert", "expect", "chai", "pytest", "unittest", "_pytest"];

/** Whether a program modifies its own test library. */
export function patchesChecks(path: string, text: string): boolean {
  const bare = bareOf(path, text);
  const signs = [always, leavesOut, hidesName, ...deceives];
  return signs.some((sign) => sign.test(bare)) || equalsOthers(bare) || extendsBadly(bare) || setsLibrary(bare);
}

/** Whether a text extends `expect` with anything but named matchers that are its own. */
function extendsBadly(bare: string): boolean {
  const calls = Array.from(
    bare.matchAll(/\bexpect\.extend\(\s{0,9}(?:\{\s{0,9}(to[A-Z]\w{1,40}))?/g),
    ([, first]) => first,
  );
  return calls.length > 0 && (calls.includes(undefined) || builtIn.test(bare));
}
/** Matches a definition of a matcher that exists already, or of unknown ones. */
const builtIn =
  /(?<!\.)\bto(?:Be(?:Defined|Null|Truthy|Falsy|CloseTo|GreaterThan\w{0,7}|LessThan\w{0,7}|InstanceOf|Undefined|NaN)?|Equal|StrictEqual|Match(?:Object|Snapshot|InlineSnapshot)?|Contain(?:Equal)?|Throw\w{0,30}|Have\w{1,30})\s{0,4}[:(]|\.\.\./;

/** Matches code that puts another module in place of one that is imported later. */
const setsModules =
  /\brequire\.cache\[[^\n]{1,200}\]\s{0,2}=(?![=>])|\b\w{1,20}\.(?:_load|_resolveFilename|_extensions(?:\.\w{1,10}|\[[^\]\n]{1,20}\])?|prototype\.(?:require|_compile))\s{0,2}=(?![=>])/;

/** Matches code that sets the functions of other tests. */
const setsBodies = /\.(?:suites|tests)\b[^\n]{0,200}\.fn\s{0,2}=(?![=>])/;

/** Whether a test file modifies the test library or the loader of modules, for other test files as well. */
export function steersOthers(path: string, text: string): boolean {
  const bare = bareOf(path, text);
  return setsModules.test(bare) || setsBodies.test(bare) || setsLibrary(bare);
}

/** Whether a text sets a member of a test library, or of something that it imports from one. */
function setsLibrary(bare: string): boolean {
  const js = Array.from(bare.matchAll(fromJs), ({ index, 1: from = "" }) => {
    const before = bare.slice(Math.max(0, index - 220), index);
    return [from, before.split(/\b(?:import|const|let|var)\b/).at(-1) as string] as const;
  });
  const python = Array.from(
    bare.matchAll(fromPython),
    ([, from, names = ""]) => [(from ?? names).split(/[. ,]/)[0] as string, names] as const,
  );
  const bound = [...js, ...python]
    .filter(([from]) => library.test(from))
    .flatMap(([, names]) => Array.from(names.matchAll(/[\w$]+/g), ([name]) => name));
  // Test doubles may be modified.
  const known = new Set([...globals, ...bound.filter((name) => !/^(?:as|type|default)$|mock|patch/i.test(name))]);
  for (const [, name = "", from = "", members = ""] of bare.matchAll(renames)) {
    if (known.has(from) && !/mock|patch/i.test(members)) known.add(name);
  }
  return [...bare.matchAll(sets), ...bare.matchAll(assigns)].some(([, name = ""]) => known.has(name));
}

/** Matches code that sets a member of an imported object when the file is loaded. */
const setsAtOnce =
  /^(?:require\(["'][^"'\n]{1,80}["']\)|([A-Za-z_$][\w$]{0,40})(?:\.\w{1,40}){0,4})\.(\w{1,40})\s{0,2}=(?![=>])|^(?:setattr|Object\.assign|Object\.defineProperty)\(([A-Za-z_$][\w$]{0,40})(?:\.\w{1,40}){0,4},\s{0,2}["'{]\s{0,2}(\w{1,40})/gm;

/** Whether a test file changes which tests run. In a package, `load_tests` selects those of all its modules. */
export const selectsTests = (path: string, text: string): boolean =>
  linesIn(path, text).some(
    ({ bare }) => leavesOut.test(bare) || (path.endsWith("__init__.py") && /^def load_tests\b/.test(bare)),
  );

/** Functions of Go that run before the tests of their package. */
const runFirst = (text: string): readonly string[] =>
  text
    .split(/^(?=func )/m)
    .filter((block) => /^func (?:init\(\)|TestMain\()/.test(block))
    .map((block) => block.split(/\}\n|\n\}/, 1).join(""));

/** Names of members of imported objects that a test file replaces. The replacements affect other test files, too. */
export function replacedBy(path: string, text: string): readonly string[] {
  const own = bareOf(path, text);
  if (path.endsWith(".go"))
    return runFirst(own).flatMap((block) =>
      Array.from(block.matchAll(/(?<![\w.])(\w{1,60}) = /g), ([, name]) => String(name)),
    );
  // A hook of all files that restores nothing is like code that runs when the file is loaded.
  const bare = /\bafter(?:Each|All)?\(/.test(own) ? own : own.replace(/^before(?:Each|All)?\(\(\) => \{\s{1,20}/gm, "");
  const heads = (bare.match(/^.*\b(?:import|require)\b.*$/gm) ?? []).join("\n");
  const imported = new Set(heads.match(/[A-Za-z_$][\w$]*/g));
  return Array.from(bare.matchAll(setsAtOnce), ([, root, member = "", object, named = ""]) => {
    const owner = root ?? object;
    return owner === undefined || imported.has(owner) ? `${member}${named}` : "";
  }).filter((name) => name !== "" && !/^(?:exports|default)$/.test(name));
}
