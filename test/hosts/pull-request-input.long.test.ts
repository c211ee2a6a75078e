import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import type { Thread } from "../../src/model/pull-request.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";
import { githubOf, replyOf } from "../support/github-of.ts";
import { boxedItems } from "../support/markdown-it-oracle.ts";
import { factsOf, headIn, rename, shippedRun, thread } from "../support/shipped-run.ts";
import { git } from "../support/shop-repository.ts";
import { someCases } from "../support/some-cases.ts";

const idle = (): string => "TASK_COMPLETE";

const names = [
  "two\nlines",
  "a `tick`",
  "closed]",
  "[FIX 1.1] x",
  "FIX 1.1",
  "",
  "- [ ] 9.9 evil",
  "TASK_COMPLETE",
  "</details>",
];

describe("a run with a pull request", () => {
  it.each(someCases(names, 3))("fixes a check with the name %j like any other", async (id) => {
    const shop = shippedRun({
      threads: [],
      checks: (head) => [
        { id, runs: [git(shop.remote, "show", `${head}:a.txt`).includes("fixed") ? "passed" : "failed"] },
        // Differs only in a blank, because names are compared byte for byte.
        { id: `${id} `, runs: ["passed"] },
      ],
      policy: { fixBase: true },
    });
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    const text = shop.read("tasks.md");
    const { tasks, phases } = openPlan(text).plan;
    expect(tasks.map((task) => [task.id, task.done, task.fixOf])).toEqual(
      ["1.1", "5.1", "5.2", "5.3", "5.4", "5.5"].map((task) => [task, true, null]),
    );
    expect([boxedItems(text).length, phases.length]).toEqual([6, 2]);
    expect(factsOf(shop)).toMatchObject({
      runs: [
        [`${id} 2`, `${id}  1`],
        [`${id} 1`, `${id}  1`],
      ],
    });
  });

  it("reads 300 checks, 1 000 threads and a comment of 65 536 characters completely", async () => {
    const by = (author: string, body: string, id: string) => ({ ...rename, id, author, body });
    const threads: Thread[] = Array.from({ length: 1000 }, (_, n) => ({
      ...{ ...thread, id: `t${n}` },
      comments: [n === 999 ? by("ann", `${"long ".repeat(13_107)}!`, "c999") : by("eve", "me, too", `c${n}`)],
    }));
    const shop = shippedRun({
      threads,
      checks: () =>
        Array.from({ length: 300 }, (_, n) => ({
          id: `CI / ${n}`,
          runs: n === 299 ? ["failed", "passed"] : ["passed"],
        })),
      reach: githubOf([]),
    });
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    const { delegations, answers, runs } = factsOf(shop);
    expect([delegations, answers]).toEqual([{ "1.1": 1, "5.5": 1 }, [1, 1]]);
    expect(runs.at(-1)).toContain("CI / 299 2");
    const plan = shop.read("tasks.md");
    expect(plan).toContain("… (cut here");
    expect(plan.length).toBeLessThan(5000);
  });

  it.each([
    {
      name: "a secret that the remote finds",
      print: "GH013: Repository rule violations: Push cannot contain secrets",
      hint: /revoke any secret/,
    },
    { name: "a rule of the remote", print: "\\033[31mno pushes on Fridays", hint: /Follow the message of the remote/ },
  ])("asks about $name, and does not force a push", async ({ print, hint }) => {
    const shop = shippedRun();
    writeScript(join(shop.remote, "hooks"), "pre-receive", `printf '${print}\\n' >&2; exit 1`);
    const ended = await shop.start();
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3, hint: expect.stringMatching(hint) });
    expect([headIn(shop.remote, "work"), shop.world.pulls]).toEqual([null, []]);
    expect(shop.read(".progress.md")).toMatch(/\n- PR: waits for a person: .*(?:GH013|Fridays)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none
    expect(shop.read(".progress.md")).not.toMatch(/\u001b/);
  });

  it("asks about a failing hook of the repository, and resumes once it passes", async () => {
    const shop = shippedRun();
    const hook = writeScript(join(shop.workspace, ".git/hooks"), "pre-push", "echo 'lint fails'; exit 1");
    expect(await shop.start()).toMatchObject({ outcome: "gate", error: expect.stringContaining("lint fails") });
    expect(headIn(shop.remote, "work")).toBeNull();
    writeScript(join(hook, ".."), "pre-push", "exit 0");
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
  });

  it("opens no empty pull request", async () => {
    const shop = shippedRun({ work: idle });
    git(shop.workspace, "push", "-q", "origin", "work:main");
    expect(await shop.start()).toMatchObject({ outcome: "gate", error: expect.stringContaining("nothing to push") });
    expect([headIn(shop.remote, "work"), shop.world.pulls]).toEqual([null, []]);
  });

  it("names both pull requests if the branch has two with different bases", async () => {
    const shop = shippedRun();
    for (const base of ["next", "old"]) {
      git(shop.remote, "branch", base, "main");
      shop.world.open({ branch: "work", base, title: "", body: "", draft: false });
    }
    expect(await shop.start()).toMatchObject({
      outcome: "gate",
      error: expect.stringMatching(/several.*: [12], [12]$/),
    });
    expect(shop.world.pulls).toHaveLength(2);
  });

  it("begins nothing if the repository accepts no pushes, for example an archived one", async () => {
    const server = createServer((_, response) => void response.writeHead(403).end("archived"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const shop = shippedRun();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ann/shop.git`;
    git(shop.workspace, "remote", "set-url", "origin", url);
    await expect(shop.start()).rejects.toMatchObject({ code: "branch-unfit" });
    expect(shop.delegations.size).toBe(0);
  });

  it("asks if its reply is rejected, for example in a locked conversation", async () => {
    const error = { type: "FORBIDDEN", message: "Unable to create comment because conversation is locked" };
    const locked = Promise.resolve(replyOf(200, JSON.stringify({ data: null, errors: [error] })));
    const isAnswer = (body: unknown): boolean =>
      JSON.stringify(body ?? null).includes("addPullRequestReviewThreadReply");
    const shop = shippedRun({ reach: githubOf([], ({ body }) => (isAnswer(body) ? locked : undefined)) });
    expect(await shop.start()).toMatchObject({
      outcome: "gate",
      error: expect.stringContaining("conversation is locked"),
    });
    expect(factsOf(shop)).toMatchObject({ answers: [0, 0], resolved: [false], delegations: { "1.1": 1, "5.5": 1 } });
  });

  it("is ready only after the final check", async () => {
    const folder = temporaryFolder();
    const shop = shippedRun();
    const finalVerify = `test -e ${folder}/ok`;
    expect(await shop.start({ finalVerify })).toMatchObject({
      ...{ outcome: "gate", error: expect.stringContaining("The final check") },
    });
    expect(shop.world.pulls).toMatchObject([{ draft: true }]);
    writeScript(folder, "ok", "");
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    expect(shop.world.pulls).toMatchObject([{ draft: false }]);
  });
});
