import type { ToolReader } from "./reader.ts";
import { dotnetTest, msbuild } from "./readers/dotnet.ts";
import { go } from "./readers/go.ts";
import { goTest, goTestJson } from "./readers/go-test.ts";
import { gradleBuild, javac, kotlinc, mavenBuild } from "./readers/java-build.ts";
import { gradle, maven } from "./readers/java-tests.ts";
import { jest, vitest } from "./readers/jest.ts";
import { junit } from "./readers/junit.ts";
import { biome, eslint, oxlint } from "./readers/lint-js.ts";
import { cc, make } from "./readers/make.ts";
import { mocha, playwright } from "./readers/mocha.ts";
import { node, npm, tsc } from "./readers/node.ts";
import { nodeSpec } from "./readers/node-spec.ts";
import { php, phpunit } from "./readers/php.ts";
import { pytest } from "./readers/pytest.ts";
import { rspec, rspecJson } from "./readers/rspec.ts";
import { cargoTest, rustc } from "./readers/rust.ts";
import { shellcheck } from "./readers/shellcheck.ts";
import { nodeTap, tap } from "./readers/tap.ts";
import { jestJson, mochaJson, playwrightJson, vitestJson } from "./readers/test-json.ts";
import { unittest } from "./readers/unittest.ts";

export const toolReaders: readonly ToolReader[] = [
  junit,
  jestJson,
  mochaJson,
  playwrightJson,
  vitestJson,
  nodeSpec,
  nodeTap,
  tap,
  vitest,
  jest,
  mocha,
  playwright,
  tsc,
  eslint,
  biome,
  oxlint,
  npm,
  node,
  pytest,
  unittest,
  goTest,
  goTestJson,
  go,
  cargoTest,
  rustc,
  maven,
  mavenBuild,
  gradle,
  gradleBuild,
  javac,
  kotlinc,
  rspec,
  rspecJson,
  phpunit,
  php,
  make,
  cc,
  shellcheck,
  dotnetTest,
  msbuild,
];
