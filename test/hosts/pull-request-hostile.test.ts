import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { githubOf } from "../support/github-of.ts";
import { hostileStrings } from "../support/hostile-strings.ts";
import { boxedItems } from "../support/markdown-it-oracle.ts";
import { rename, shippedRun, thread } from "../support/shipped-run.ts";
import { git } from "../support/shop-repository.ts";
import { assertPrintable } from "../support/sinks/assert-printable.ts";
import { assertReadable } from "../support/sinks/assert-readable.ts";
import { readDocument } from "../support/sinks/read-document.ts";
import { someCases } from "../support/some-cases.ts";
import { callCli } from "./cli/call-cli.ts";

/** In each run: comments of four people, the name of a check and what that has printed. */
const perRun = 6;
const runs = 10;
const texts = hostileStrings.filter(({ text }) => text.length < 20_000);
const step = Math.floor(texts.length / (perRun * runs));
const chosen = texts.filter((_, index) => index % step === 0).slice(0, perRun * runs);
const groups = Array.from({ length: runs }, (_, run) => chosen.filter((_text, index) => index % runs === run));

const secret = `ghp_${"aB3dE6gH9kL2nP5rS8uV1xY4".repeat(2).slice(0, 36)}`;

/** Everything below a folder, as text. */
const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");

describe("what reviewers and checks say", () => {
  it("is at least 60 texts", () => expect(groups.flat()).toHaveLength(60));

  it.each(someCases(groups, 3).map((group) => [group.map(({ name }) => name).join(", "), group] as const))(
    "does not get through a run: %s",
    async (_, group) => {
      const [name = "", printed = "", ...comments] = group.map(({ text }) => text);
      const shop = shippedRun({
        threads: comments.map((body, n) => ({
          ...{ ...thread, id: `t${n}` },
          comments: [{ ...rename, id: `c${n}`, body: `${body} seen` }],
        })),
        checks: (head) => {
          const isFixed = git(shop.remote, "show", `${head}:a.txt`).includes("fixed");
          const log = `##[group]Run npm test\n##[endgroup]\n${printed}\nnot ok 1 - ${secret} ${printed}\n##[error]Process completed with exit code 1.`;
          return [{ id: `CI / ${name.replaceAll(" / ", " ")}`, runs: [isFixed ? "passed" : "failed"], log }];
        },
        policy: { fixBase: true },
        reach: githubOf([]),
      });
      const before = readDocument(shop.read("tasks.md"));
      expect(await shop.start()).toMatchObject({ outcome: "complete" });

      const plan = shop.read("tasks.md");
      const { tasks, phases } = openPlan(plan).plan;
      const ids = ["1.1", ...Array.from({ length: 4 + 5 }, (_none, n) => `5.${n + 1}`)];
      expect(tasks.map(({ id, done, fixOf }) => [id, done, fixOf])).toEqual(ids.map((id) => [id, true, null]));
      expect([boxedItems(plan).length, phases.length]).toEqual([ids.length, 2]);
      const read = readDocument(plan);
      expect(read.headings).toEqual(before.headings);
      expect(read.count("code_block", "html_block", "html_inline", "link", "image", "thematic_break")).toBe(0);
      assertReadable(plan);

      const log = shop.read(".progress.md");
      expect(readDocument(log).headings).toEqual(["Progress: shop", "Completed Tasks", "Pull Request", "Learnings"]);
      expect(readDocument(log).count("code_block", "html_block", "html_inline", "link", "image")).toBe(0);
      assertReadable(log);

      for (const prompt of shop.prompts) assertReadable(prompt);
      const { out } = await callCli(shop.workspace, ["status", "shop"]);
      assertPrintable(out);

      const said = shop.world.threads.flatMap(({ comments: all }) => all.filter(({ author }) => author === "bot"));
      expect(said).toHaveLength(comments.length);
      for (const { body } of said)
        expect(body).toMatch(/^Addressed in [0-9a-f]{7,} \(task 5\.\d\)\.\n\n<!-- fixpoint:5\.\d:c\d -->\n$/);
      const everywhere = [textsIn(join(shop.workspace, "specs")), JSON.stringify(shop.events), ...shop.prompts, out];
      for (const text of everywhere) expect(text).not.toContain(secret);
      expect(plan).toContain("[redacted]");
    },
  );
});
