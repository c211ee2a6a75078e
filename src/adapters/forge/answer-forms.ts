import * as z from "zod";

const text = z.string();
const maybeText = text.nullable();
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: maybeText });
const author = z.object({ __typename: text, login: text }).nullable();

export const commentPage = z.object({
  pageInfo,
  nodes: z.array(z.object({ id: text, body: text, createdAt: text, viewerDidAuthor: z.boolean(), author })),
});
export type CommentPage = z.infer<typeof commentPage>;

const checkRun = z.object({
  __typename: z.literal("CheckRun"),
  databaseId: z.number().nullable(),
  name: text,
  status: text,
  conclusion: maybeText,
  isRequired: z.boolean().default(false),
  title: maybeText,
  detailsUrl: maybeText,
  startedAt: maybeText,
  completedAt: maybeText,
  checkSuite: z
    .object({ workflowRun: z.object({ event: text, workflow: z.object({ name: text }) }).nullable() })
    .nullable(),
});
export type CheckRunForm = z.infer<typeof checkRun>;
const statusContext = z.object({
  __typename: z.literal("StatusContext"),
  context: text,
  state: text,
  isRequired: z.boolean().default(false),
  targetUrl: maybeText,
  description: maybeText,
  createdAt: text,
});
export type CheckForm = CheckRunForm | z.infer<typeof statusContext>;
const rollup = z
  .object({
    contexts: z.object({ pageInfo, nodes: z.array(z.discriminatedUnion("__typename", [checkRun, statusContext])) }),
  })
  .nullable();

const thread = z.object({
  id: text,
  isResolved: z.boolean(),
  path: text,
  line: z.int().nullable(),
  comments: commentPage,
});
export type ThreadForm = z.infer<typeof thread>;
const review = z.object({ id: text, body: text, state: text, submittedAt: maybeText, author });

export const lookForm = z.object({
  viewer: z.object({ login: text }),
  repository: z.object({
    viewerPermission: maybeText,
    defaultBranchRef: z.object({ name: text }).nullable(),
    pullRequest: z.object({
      url: text,
      state: z.enum(["OPEN", "CLOSED", "MERGED"]),
      isDraft: z.boolean(),
      headRefName: text,
      headRefOid: text,
      baseRefName: text,
      baseRefOid: text,
      isCrossRepository: z.boolean(),
      mergeable: text,
      mergeStateStatus: text,
      isInMergeQueue: z.boolean(),
      commits: z.object({ nodes: z.array(z.object({ commit: z.object({ oid: text, statusCheckRollup: rollup }) })) }),
      reviewThreads: z.object({ pageInfo, nodes: z.array(thread) }),
      latestOpinionatedReviews: z.object({ pageInfo, nodes: z.array(review) }),
    }),
  }),
});
export type LookForm = z.infer<typeof lookForm>;

export const threadForm = z.object({
  node: z.union([
    thread.extend({ __typename: z.literal("PullRequestReviewThread") }),
    z.object({ __typename: z.string().refine((name) => name !== "PullRequestReviewThread") }),
  ]),
});

export const commentsForm = z.object({
  repository: z.object({ pullRequest: z.object({ id: text, comments: commentPage }) }),
});

export const baseForm = z.object({
  repository: z.object({
    ref: z
      .object({
        target: z.object({
          oid: text,
          statusCheckRollup: rollup,
          history: z.object({ nodes: z.array(z.object({ statusCheckRollup: z.object({ state: text }).nullable() })) }),
        }),
      })
      .nullable(),
  }),
});

export const findForm = z.object({
  repository: z.object({
    pullRequests: z.object({
      nodes: z.array(
        z.object({
          ...{ number: z.int(), url: text, state: z.enum(["OPEN", "CLOSED", "MERGED"]) },
          ...{ headRefOid: text, baseRefName: text, isCrossRepository: z.boolean() },
        }),
      ),
    }),
  }),
});

export const standForm = z.object({
  repository: z.object({
    pullRequest: z.object({
      ...{ id: text, isDraft: z.boolean(), headRefOid: text, mergeStateStatus: text },
      autoMergeRequest: z.object({ mergeMethod: text }).nullable(),
    }),
  }),
});

export const jobForm = z.object({
  run_id: z.int(),
  run_attempt: z.int().optional(),
  head_sha: text,
  status: text,
  steps: z.array(z.object({ name: text, conclusion: maybeText })).default([]),
});
/** A page of a run's jobs, with only the latest attempts. */
export const jobsForm = z.object({ total_count: z.int(), jobs: z.array(z.object({ id: z.int() })) });
export const annotationsForm = z.array(
  z.object({
    annotation_level: maybeText,
    message: maybeText,
    path: maybeText.optional(),
    start_line: z.int().optional(),
  }),
);
export const permissionForm = z.object({ permission: text, role_name: text.optional() });
export const openedForm = z.object({
  ...{ number: z.int(), html_url: text },
  ...{ head: z.object({ sha: text }), base: z.object({ ref: text }) },
});
