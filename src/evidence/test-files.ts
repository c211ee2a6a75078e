/** Role of a file for the checks of a workspace, by its path. */
export type FileRole = "test" | "snapshot" | "fixture" | "code";

const tests: readonly RegExp[] = [
  /(?:^|[._-])(?:tests?|spec)\.[cm]?[jt]sx?$/,
  /^test[-_][^/]*\.(?:[cm]?[jt]sx?|py|rb)$|^tests?\.py$/,
  /_(?:test|spec)\.(?:py|go|rb|exs)$/,
  /(?:Tests?|IT|Spec|TestCase)\.(?:java|kts?|cs|scala|groovy|php|swift)$/,
  /\.bats$/,
];
const snapshot = /\.(?:snap|ambr)$/;
const fixture =
  /(?:^|\/)(?:fixtures?|testdata|test[-_]data|(?:test[-_]?)?cases|test[-_]vectors|approvals|__fixtures__|__snapshots__|goldens?|cassettes|__mocks__)\/|\.golden$|\.approved\.|(?:^|[/._-])(?:expected|baseline|reference|golden)(?:[._-]|$)/;
const testFolder = /(?:^|\/)(?:tests?|__tests__|spec|e2e|src\/test)\//;
export const isInTests = (path: string): boolean => testFolder.test(path);

/**
 * The role of a file: `test` if it has checks; `fixture` also for other files in a folder of tests, such as helpers,
 * data and `conftest.py`.
 *
 * @param path Relative to the workspace, with `/`.
 */
export function fileRole(path: string): FileRole {
  const name = baseOf(path);
  if (snapshot.test(path)) return "snapshot";
  if (name === "conftest.py") return "fixture";
  const isScript = /\.(?:sh|bash)$/.test(name) && /(?:^|[._-])tests?[._-]/.test(name);
  if (isScript || tests.some((sign) => sign.test(name))) return "test";
  if (fixture.test(path)) return "fixture";
  if (!isInTests(path)) return "code";
  return /(?:^|\/)__tests__\/[^/]*\.[cm]?[jt]sx?$|^tests\/[^/]*\.rs$/.test(path) ? "test" : "fixture";
}

const helper =
  /(?:^|\/)(?:test[-_]?(?:ing|kit|lib|utils?|helpers?|support)|assert(?:s|ions?)?|expect(?:ations?)?|matchers?|harness)(?:\/|\.\w+$)|^(?!(?:src|lib|app)\/)(?:[\w-]+\/){0,2}support\//;

/** Whether a file serves tests, by its path. */
export const isHelper = (path: string): boolean => helper.test(path);

/** The name of a file as its users write it: without folder, extension and test suffixes. */
export function stemOf(path: string): string {
  const name = baseOf(path);
  return (name.split(".")[0] as string).replace(/^test[-_]|[-_](?:test|spec)$/i, "").replace(/(?:Tests?|Spec)$/, "");
}

/** Matches files of Go that are built for other systems only. */
export const isForOther =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|windows|386|arm|arm64|loong64|mips\w{0,4}|ppc64\w{0,2}|riscv64|s390x|wasm)(?:_[a-z\d]{1,9})?(?:_test)?\.go$/;

/** The last part of a path. */
export const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
