import { linesOf, writingOf } from "./source-text.ts";

/** Ends a program as if all was well; an exit with the number of a failure does not. */
const exits =
  /\bprocess\.(?:exit|reallyExit)\(\s*(?![1-9])[^()]{0,40}\)|\bprocess\.(?:exitCode\s*=\s*0|kill\()|\bprocess\.on(?:ce)?\("\s*exit|\b(?:os\._exit|sys\.exit|pytest\.exit|os\.Exit|process::exit|System\.exit|Environment\.Exit|exit!?)\(\s*(?![1-9])\w{0,20}\s*\)|\braise SystemExit\b|\batexit\.register\b|\bpytest_sessionfinish\b|\bExitCode::SUCCESS\b/g;
const mainless = /^func TestMain\b/m;

/** Places in a text where a program ends early with success, outside of comments and strings. */
export function earlyExits(path: string, text: string): number {
  const code = linesOf(text, writingOf(path)).map((line) => line.code);
  const isIdle = code.some((line) => mainless.test(line)) && !code.some((line) => line.includes(".Run("));
  return [...code.join("\n").matchAll(exits)].length + Number(isIdle);
}

const whenLoaded =
  /^(?!.*(?:require\.main|import\.meta|__name__)).*\bprocess\.(?:exit|reallyExit)\(0?\)|^sys\.exit\(0?\)|^.*\bos\._exit\(0\)|^process\.exitCode\s*=\s*0/;

/** Whether a program ends with success as soon as it is loaded, not in one of its functions. */
export function exitsWhenLoaded(path: string, text: string): boolean {
  const code = linesOf(text, writingOf(path)).map((line) => line.code);
  const isInit = code.some((line) => /^func init\(\)/.test(line)) && code.some((line) => /\bos\.Exit\(0\)/.test(line));
  const isLibrary = path.endsWith(".rs") && !code.some((line) => /\bfn main\(/.test(line));
  return (
    isInit ||
    (isLibrary && code.some((line) => /\bprocess::exit\(0\)/.test(line))) ||
    code.some((line) => /^\S/.test(line) && !/^(?:export )?(?:async )?function\b/.test(line) && whenLoaded.test(line))
  );
}

const patch =
  /(?:\brequire\(["'](?:node:)?(?:assert|test)[\w/]*["']\)|\b(?:assert|expect|chai|pytest|unittest))(?:\.\w{1,30}){1,3}\s{0,2}=(?![=>])|\bexpect\.extend\(/;

/** Whether a program changes the library that checks are written with. */
export const patchesChecks = (path: string, text: string): boolean =>
  linesOf(text, writingOf(path)).some(({ bare }) => patch.test(bare));
