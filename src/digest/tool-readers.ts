import type { ToolReader } from "./reader.ts";
import { biome } from "./readers/biome.ts";
import { cargoTest } from "./readers/cargo-test.ts";
import { cc } from "./readers/cc.ts";
import { dotnetTest } from "./readers/dotnet-test.ts";
import { eslint } from "./readers/eslint.ts";
import { go } from "./readers/go.ts";
import { goTest } from "./readers/go-test.ts";
import { goTestJson } from "./readers/go-test-json.ts";
import { gradle } from "./readers/gradle.ts";
import { gradleBuild } from "./readers/gradle-build.ts";
import { javac } from "./readers/javac.ts";
import { jest } from "./readers/jest.ts";
import { junit } from "./readers/junit.ts";
import { kotlinc } from "./readers/kotlinc.ts";
import { make } from "./readers/make.ts";
import { maven } from "./readers/maven.ts";
import { mavenBuild } from "./readers/maven-build.ts";
import { mocha } from "./readers/mocha.ts";
import { msbuild } from "./readers/msbuild.ts";
import { node } from "./readers/node.ts";
import { nodeSpec } from "./readers/node-spec.ts";
import { npm } from "./readers/npm.ts";
import { oxlint } from "./readers/oxlint.ts";
import { php } from "./readers/php.ts";
import { phpunit } from "./readers/phpunit.ts";
import { playwright } from "./readers/playwright.ts";
import { pytest } from "./readers/pytest.ts";
import { rspec } from "./readers/rspec.ts";
import { rspecJson } from "./readers/rspec-json.ts";
import { rustc } from "./readers/rustc.ts";
import { shellcheck } from "./readers/shellcheck.ts";
import { nodeTap, tap } from "./readers/tap.ts";
import { jestJson, mochaJson, playwrightJson, vitestJson } from "./readers/test-json.ts";
import { tsc } from "./readers/tsc.ts";
import { unittest } from "./readers/unittest.ts";
import { vitest } from "./readers/vitest.ts";

/** The tools whose output is known. */
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
