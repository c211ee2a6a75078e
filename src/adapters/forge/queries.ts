const page = "pageInfo{hasNextPage endCursor}";

const comments = `${page} nodes{id body createdAt viewerDidAuthor author{__typename login}}`;

const contexts = (isRequired: string): string => `${page} nodes{__typename
  ...on CheckRun{databaseId name status conclusion ${isRequired} title detailsUrl startedAt completedAt
    checkSuite{workflowRun{event workflow{name}}}}
  ...on StatusContext{context state ${isRequired} targetUrl description createdAt}}`;

const required = "isRequired(pullRequestNumber:$number)";

export const lookQuery = `query($owner:String!,$name:String!,$number:Int!,$checks:String,$threads:String,$reviews:String){
  viewer{login}
  repository(owner:$owner,name:$name){viewerPermission defaultBranchRef{name}
    pullRequest(number:$number){url state isDraft headRefName headRefOid baseRefName baseRefOid isCrossRepository
      mergeable mergeStateStatus isInMergeQueue
      commits(last:1){nodes{commit{oid statusCheckRollup{contexts(first:100,after:$checks){${contexts(required)}}}}}}
      reviewThreads(first:50,after:$threads){${page} nodes{id isResolved path line comments(first:50){${comments}}}}
      latestOpinionatedReviews(first:50,after:$reviews){${page}
        nodes{id body state submittedAt author{__typename login}}}}}}`;

export const threadQuery = `query($id:ID!,$after:String){node(id:$id){__typename
  ...on PullRequestReviewThread{id isResolved path line comments(first:100,after:$after){${comments}}}}}`;

/** Reads comments on the whole pull request, not on a line. */
export const commentsQuery = `query($owner:String!,$name:String!,$number:Int!,$after:String){
  repository(owner:$owner,name:$name){pullRequest(number:$number){id comments(first:100,after:$after){${comments}}}}}`;

export const baseQuery = `query($owner:String!,$name:String!,$ref:String!,$checks:String){
  repository(owner:$owner,name:$name){ref(qualifiedName:$ref){target{...on Commit{oid
    statusCheckRollup{contexts(first:100,after:$checks){${contexts("")}}}
    history(first:5){nodes{statusCheckRollup{state}}}}}}}}`;

export const findQuery = `query($owner:String!,$name:String!,$branch:String!){repository(owner:$owner,name:$name){
  pullRequests(headRefName:$branch,first:30,orderBy:{field:CREATED_AT,direction:DESC}){
    nodes{number url state headRefOid baseRefName isCrossRepository}}}}`;

export const standQuery = `query($owner:String!,$name:String!,$number:Int!){repository(owner:$owner,name:$name){
  pullRequest(number:$number){id isDraft headRefOid mergeStateStatus autoMergeRequest{mergeMethod}}}}`;

export const replyMutation = `mutation($thread:ID!,$body:String!){
  addPullRequestReviewThreadReply(input:{pullRequestReviewThreadId:$thread,body:$body}){comment{id}}}`;
export const commentMutation = `mutation($subject:ID!,$body:String!){
  addComment(input:{subjectId:$subject,body:$body}){subject{id}}}`;
export const resolveMutation = `mutation($thread:ID!){resolveReviewThread(input:{threadId:$thread}){thread{isResolved}}}`;
export const updateMutation = `mutation($id:ID!,$head:GitObjectID!){
  updatePullRequestBranch(input:{pullRequestId:$id,expectedHeadOid:$head}){pullRequest{headRefOid}}}`;
export const readyMutation = `mutation($id:ID!){
  markPullRequestReadyForReview(input:{pullRequestId:$id}){pullRequest{isDraft}}}`;
export const autoMergeMutation = `mutation($id:ID!,$head:GitObjectID!,$how:PullRequestMergeMethod!){
  enablePullRequestAutoMerge(input:{pullRequestId:$id,expectedHeadOid:$head,mergeMethod:$how}){pullRequest{state}}}`;
