import type { CheckState, Comment } from "../../src/model/pull-request.ts";
import type { ForgeWorld, WorldJob, WorldPullRequest } from "../../src/testing/forge-world.ts";

interface PageArguments {
  readonly first?: number;
  readonly after?: string | null;
}
type Input<Field extends string> = { readonly input: Readonly<Record<Field, string>> };

export class NotFound extends Error {}

function pageOf<Item>(all: readonly Item[], { first = 100, after }: PageArguments) {
  const begin = after == null ? 0 : Number(after);
  const end = Math.min(begin + first, all.length);
  const pageInfo = { hasNextPage: end < all.length, endCursor: end === begin ? null : String(end) };
  return { pageInfo, nodes: all.slice(begin, end) };
}

const conclusions: Readonly<Record<CheckState, string | null>> = {
  ...{ pending: null, passed: "SUCCESS", failed: "FAILURE", cancelled: "CANCELLED", blocked: "ACTION_REQUIRED" },
};
const stateName = { clean: "CLEAN", behind: "BEHIND", conflicting: "DIRTY", unknown: "UNKNOWN" };
const mergeableName = {
  ...{ clean: "MERGEABLE", behind: "MERGEABLE", conflicting: "CONFLICTING", unknown: "UNKNOWN" },
};

export function githubData(world: ForgeWorld): object {
  const { script } = world;
  const comment = ({ id, author, bot, body, at }: Comment) => ({
    ...{ id, body, createdAt: new Date(at).toISOString(), viewerDidAuthor: author === script.viewer },
    author: author === null ? null : { __typename: bot ? "Bot" : "User", login: author },
  });
  const comments = (all: readonly Comment[]) => (page: PageArguments) => pageOf(all.map(comment), page);
  const thread = (of: ForgeWorld["threads"][number]) => ({
    ...{ __typename: "PullRequestReviewThread", id: of.id, isResolved: of.resolved, path: of.path, line: of.line },
    comments: comments(of.comments),
  });
  const checkRun = ({ job, check, state }: WorldJob) => {
    const [workflow, name = check.id] = check.id.split(" / ");
    return {
      ...{ __typename: "CheckRun", databaseId: Number(job), name, isRequired: check.required ?? true },
      ...{ status: state === "pending" ? "IN_PROGRESS" : "COMPLETED", conclusion: conclusions[state], title: null },
      ...{ detailsUrl: null, startedAt: null, completedAt: null },
      checkSuite: { workflowRun: { event: "push", workflow: { name: workflow } } },
    };
  };
  const commit = (oid: string) => {
    const jobs = world.jobsAt(oid);
    const contexts = (page: PageArguments) => pageOf(jobs.map(checkRun), page);
    const statusCheckRollup = jobs.length === 0 ? null : { state: "PENDING", contexts };
    return { __typename: "Commit", oid, statusCheckRollup, history: { nodes: [{ statusCheckRollup }] } };
  };
  const need = <Value>(value: Value | null | undefined): Value => {
    if (value == null) throw new NotFound("Could not resolve to a node.");
    return value;
  };
  const pullRequest = (pull: WorldPullRequest) => ({
    ...{ __typename: "PullRequest", id: `PR_${pull.number}`, number: pull.number, url: urlOf(pull) },
    ...{ state: pull.state.toUpperCase(), isDraft: pull.draft, headRefName: pull.branch, baseRefName: pull.base },
    ...{ headRefOid: () => need(script.headOf(pull.branch)), baseRefOid: () => need(script.headOf(pull.base)) },
    ...{ isCrossRepository: false, isInMergeQueue: false, mergeable: mergeableName[pull.merge] },
    mergeStateStatus: stateName[pull.merge],
    autoMergeRequest: pull.autoMerge === null ? null : { mergeMethod: pull.autoMerge.toUpperCase() },
    commits: () => ({ nodes: [{ commit: commit(need(script.headOf(pull.branch))) }] }),
    reviewThreads: (page: PageArguments) => pageOf(world.threads.map(thread), page),
    latestOpinionatedReviews: (page: PageArguments) => pageOf([], page),
    comments: comments(pull.comments),
  });
  const byId = (id: string) => need(world.pulls.find(({ number }) => `PR_${number}` === id));
  const threadBy = (id: string) => need(world.threads.find((each) => each.id === id));
  const changed = (id: string, change: (pull: WorldPullRequest) => void) => {
    change(byId(id));
    return { pullRequest: pullRequest(byId(id)) };
  };
  return {
    viewer: { login: script.viewer },
    node: ({ id }: { id: string }) => {
      const found = world.threads.find((each) => each.id === id);
      return found === undefined ? pullRequest(byId(id)) : thread(found);
    },
    repository: () => ({
      viewerPermission: script.writers.includes(script.viewer) ? "WRITE" : "READ",
      defaultBranchRef: { name: script.defaultBranch },
      pullRequest: ({ number }: { number: number }) =>
        pullRequest(need(world.pulls.find((each) => each.number === number))),
      pullRequests: ({ headRefName, ...page }: PageArguments & { headRefName: string }) =>
        pageOf(
          world.pulls
            .filter(({ branch }) => branch === headRefName)
            .map(pullRequest)
            .toReversed(),
          page,
        ),
      ref: ({ qualifiedName }: { qualifiedName: string }) => {
        const head = script.headOf(qualifiedName.replace("refs/heads/", ""));
        return head === null ? null : { target: commit(head) };
      },
    }),
    addComment: ({ input }: Input<"subjectId" | "body">) => {
      world.say(byId(input.subjectId), input.body);
      return { subject: pullRequest(byId(input.subjectId)) };
    },
    addPullRequestReviewThreadReply: ({ input }: Input<"pullRequestReviewThreadId" | "body">) => ({
      comment: comment(world.say(threadBy(input.pullRequestReviewThreadId), input.body)),
    }),
    resolveReviewThread: ({ input }: Input<"threadId">) => {
      threadBy(input.threadId).resolved = true;
      return { thread: thread(threadBy(input.threadId)) };
    },
    markPullRequestReadyForReview: ({ input }: Input<"pullRequestId">) =>
      changed(input.pullRequestId, (pull) => {
        pull.draft = false;
      }),
    enablePullRequestAutoMerge: ({ input }: Input<"pullRequestId" | "mergeMethod">) =>
      changed(input.pullRequestId, (pull) => {
        pull.autoMerge = input.mergeMethod.toLowerCase() as WorldPullRequest["autoMerge"];
      }),
    updatePullRequestBranch: ({ input }: Input<"pullRequestId">) =>
      changed(input.pullRequestId, (pull) => {
        pull.merge = "clean";
      }),
  };
}

export const urlOf = ({ number }: { readonly number: number }): string => `https://github.com/ann/shop/pull/${number}`;
