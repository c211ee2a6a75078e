const js = ["ts", "mts", "cts", "js", "mjs", "cjs"];
const yaml = ["yml", "yaml"];
const each = (name: string, extensions: readonly string[]): string[] => extensions.map((end) => `${name}.${end}`);

/** Manifest entries that say where a runner is installed from. */
const installed = (runner: string): string[] =>
  ["dependencies", "devDependencies"].map((part) => `package.json#${part}.${runner}`);

const vitest = [...each("vitest.config", js), ...each("vitest.workspace", [...js, "json"])];
/** Parts of a Vite config that affect tests, as plugins and constants do. */
const viteParts = each("vite.config", js).flatMap((path) =>
  ["test {", "resolve {", "define {", "esbuild {", "plugins ["].map((part) => `${path}#${part}`),
);
const coverage = [".coveragerc", "setup.cfg#[coverage", "tox.ini#[coverage", "pyproject.toml#[tool.coverage"];
const all = (names: string): string[] => names.split(" ");
const pytest = [
  ...all("pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini#[pytest] setup.cfg#[tool:pytest]"),
  ...all("pyproject.toml#[tool.pytest conftest.py __init__.py pytest.py pytest/__init__.py _pytest/__init__.py"),
  ...coverage,
];
const python = all("sitecustomize.py usercustomize.py unittest.py unittest/__init__.py");
const cargo = [
  ...all("[package] [workspace] [lib] [[test]] [profile.test [profile.dev [[bin]] [patch [replace]").map(
    (part) => `Cargo.toml#${part}`,
  ),
  ...all("build.rs .cargo/config.toml .cargo/config rust-toolchain rust-toolchain.toml"),
];

/** Files that configure how a program checks; `#` separates a part, as in `configPart`. */
const byProgram: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^vitest$/, [...vitest, ...viteParts, ...installed("vitest")]],
  [
    /^(?:jest|react-scripts)$/,
    [
      ...all("package.json#jest package.json#babel .swcrc .babelrc .babelrc.js .babelrc.cjs .babelrc.json"),
      ...[...each("jest.config", [...js, "json"]), ...each("babel.config", [...js, "json"]), ...installed("jest")],
    ],
  ],
  [/^_?mocha$/, [...each(".mocharc", [...js, "json", "jsonc", ...yaml]), "package.json#mocha", ...installed("mocha")]],
  [/^(?:ava|tap|tape)$/, [...each("ava.config", js), "package.json#ava", ".taprc", "package.json#tap"]],
  [/^node$/, ["node.config.json"]],
  [/^playwright$/, each("playwright.config", js)],
  [/^cypress$/, each("cypress.config", js)],
  [/^karma$/, each("karma.conf", js)],
  [/^yarn$/, [".yarnrc", ".yarnrc.yml", ".pnp.cjs"]],
  [/^pnpm$/, [".pnpmfile.cjs", "pnpm-workspace.yaml#packages"]],
  [/^(?:bun|bunx)$/, ["bunfig.toml"]],
  [/^deno$/, ["deno.json", "deno.jsonc"]],
  [
    /^(?:c8|nyc)$/,
    all(".c8rc.json nyc.config.js .nycrc .nycrc.json .nycrc.yml .nycrc.yaml package.json#c8 package.json#nyc"),
  ],
  [/^(?:tsc|vue-tsc|tsgo)$/, ["tsconfig.json"]],
  [
    /^eslint$/,
    [
      ...each("eslint.config", js),
      ...all(".eslintrc .eslintignore package.json#eslintConfig"),
      ...each(".eslintrc", ["js", "cjs", "json", ...yaml]),
    ],
  ],
  [/^biome$/, ["biome.json", "biome.jsonc"]],
  [/^oxlint$/, [".oxlintrc.json", ".eslintignore"]],
  [
    /^prettier$/,
    [
      ...all(".prettierrc .prettierignore .editorconfig package.json#prettier"),
      ...[...each(".prettierrc", [...js, "json", "json5", "toml", ...yaml]), ...each("prettier.config", js)],
    ],
  ],
  [/^(?:pytest|py\.test)$/, [...pytest, ...python]],
  [/^tox$/, ["tox.ini", "pyproject.toml#[tool.tox", ...pytest, ...python]],
  [/^nox$/, ["noxfile.py", ...pytest, ...python]],
  [/^(?:python[\d.]*|unittest)$/, python],
  [/^ruff$/, ["ruff.toml", ".ruff.toml", "pyproject.toml#[tool.ruff"]],
  [/^mypy$/, ["mypy.ini", ".mypy.ini", "pyproject.toml#[tool.mypy", "setup.cfg#[mypy"]],
  [/^flake8$/, [".flake8", "setup.cfg#[flake8]", "tox.ini#[flake8]"]],
  [/^go$/, ["go.mod#settings", "go.work"]],
  [/^golangci-lint$/, [".golangci.yml", ".golangci.yaml", ".golangci.toml"]],
  [/^(?:cargo fmt|rustfmt)$/, ["rustfmt.toml", ".rustfmt.toml"]],
  [
    /^cargo (?:clippy|check|build)$/,
    ["clippy.toml", ".clippy.toml", "Cargo.toml#[lints", "Cargo.toml#[workspace.lints", ...cargo],
  ],
  [/^(?:cargo|cargo-nextest)$/, cargo],
  [/^pyright$/, ["pyrightconfig.json", "pyproject.toml#[tool.pyright"]],
  [/^black$/, ["pyproject.toml#[tool.black"]],
  [/^isort$/, [".isort.cfg", "pyproject.toml#[tool.isort", "setup.cfg#[isort]"]],
  [/^pylint$/, [".pylintrc", "pylintrc", "pyproject.toml#[tool.pylint", "setup.cfg#[pylint"]],
  [/^coverage$/, coverage],
  [/^shellcheck$/, [".shellcheckrc"]],
  [/^rubocop$/, [".rubocop.yml", ".rubocop_todo.yml"]],
  [/^stylelint$/, [".stylelintrc", ".stylelintrc.json", ".stylelintignore", ...each("stylelint.config", js)]],
  [/^knip$/, ["knip.json", "knip.jsonc", ...each("knip.config", js), "package.json#knip"]],
  [/^(?:markdownlint|markdownlint-cli2)$/, [".markdownlint.json", ".markdownlint.yaml", ".markdownlintignore"]],
  [/^yamllint$/, [".yamllint", ".yamllint.yml", ".yamllint.yaml"]],
  [/^rspec$/, [".rspec", "spec/spec_helper.rb"]],
  [/^git$/, [".gitattributes"]],
  [/^turbo$/, ["turbo.json"]],
  [/^nx$/, ["nx.json"]],
  [/^(?:inv|invoke)$/, ["tasks.py"]],
  [/^poe$/, ["pyproject.toml#[tool.poe.tasks"]],
  [/^(?:rake|rails)$/, ["Rakefile", "test/test_helper.rb"]],
  [/^phpunit$/, ["phpunit.xml", "phpunit.xml.dist"]],
  [/^mvnw?$/, ["pom.xml", ".mvn/maven.config", ".mvn/jvm.config", "mvnw"]],
  [/^gradlew?$/, ["build.gradle", "build.gradle.kts", "settings.gradle", "gradle.properties", "gradlew"]],
  [/^dotnet$/, ["Directory.Build.props", "Directory.Build.targets", ".runsettings"]],
  [/^just$/, ["justfile", "Justfile"]],
  [/^task$/, ["Taskfile.yml", "Taskfile.yaml"]],
];

/** Files that affect every program started by a command. */
export const forEvery: readonly string[] = [".env#settings", ".envrc#settings", ".npmrc#settings"];

/**
 * Files that configure how a program checks, as `path` or `path#part`.
 *
 * @param first Its first argument, which may be a command of the program.
 */
export const filesOf = (program: string, first = ""): readonly string[] =>
  byProgram.find(([name]) => name.test(program) || name.test(`${program} ${first}`))?.[1] ?? [];

/** Names reserved by a runner, an assertion library or a language. */
export const reserved =
  /^(?:_?pytest|unittest|sitecustomize|usercustomize|vitest|jest|mocha|chai|assert|node:test|tap|ava|expect)$/;
