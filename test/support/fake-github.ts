import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { buildSchema, type DocumentNode, execute, type GraphQLError, parse, validate } from "graphql";
import type { NewPullRequest } from "../../src/ports/forge.ts";
import type { ForgeWorld } from "../../src/testing/forge-world.ts";
// Imported as text, because a bundle of this file in another folder could not find the schema.
import schemaText from "../fixtures/github.graphql?raw";
import { githubData, NotFound, urlOf } from "./fake-github-data.ts";

const schema = buildSchema(schemaText);

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}
interface Fault extends Reply {
  readonly late?: boolean;
}
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** Fake GitHub. GraphQL uses GitHub's own schema; REST covers only the requests of fixpoint. */
export interface FakeGithub {
  readonly address: string;
  readonly requests: Asked[];
  readonly logRequests: Asked[];
  readonly faults: Fault[];
  close(): Promise<void>;
}

export async function fakeGithub(world: ForgeWorld, socket?: string): Promise<FakeGithub> {
  const data = githubData(world);
  const requests: Asked[] = [];
  const logRequests: Asked[] = [];
  const faults: Fault[] = [];
  const sendLog: RequestListener = (request, response) => {
    logRequests.push(askedBy(request));
    send(response, { status: 200, body: world.findJob(request.url?.slice(1) ?? "")?.check.log ?? "" });
  };
  const logs = createServer(sendLog);
  const logHost = await listen(logs);
  const api = createServer((async (request, response) => {
    // On a socket, requests to the host of logs arrive here too.
    if (`http://${request.headers.host}` === logHost) return sendLog(request, response);
    const asked = askedBy(request);
    requests.push(asked);
    const body: unknown = JSON.parse((await textOf(request)) || "null");
    const fault = faults.shift();
    const reply = fault === undefined || fault.late === true ? await answer(asked, body) : fault;
    send(response, fault ?? reply);
  }) as RequestListener);
  const answer = async ({ method, path }: Asked, body: unknown): Promise<Reply> => {
    if (path === "/graphql") return { status: 200, body: await answerQuery(data, body) };
    if (!path.startsWith("/repos/ann/shop/")) return notFound;
    return rest(world, logHost, `${method} ${path.slice("/repos/ann/shop/".length)}`, body);
  };
  const address = await listen(api, socket);
  return {
    ...{ address, requests, logRequests, faults },
    close: async () => {
      await Promise.all([api, logs].map((each) => new Promise((done) => each.close(done).closeAllConnections())));
    },
  };
}

const notFound: Reply = { status: 404, body: { message: "Not Found" } };

async function answerQuery(rootValue: object, body: unknown): Promise<unknown> {
  const { query, variables } = body as { query: string; variables: Record<string, unknown> };
  const { document, wrongs } = readQuery(query);
  if (wrongs.length > 0) return { errors: wrongs };
  const { data, errors } = await execute({ schema, document, rootValue, variableValues: variables });
  if (errors === undefined) return { data };
  const told = errors.map(({ message, originalError }) => ({
    ...(originalError instanceof NotFound && { type: "NOT_FOUND" }),
    message,
  }));
  return { data: data ?? null, errors: told };
}

const queries = new Map<string, { readonly document: DocumentNode; readonly wrongs: readonly GraphQLError[] }>();

function readQuery(query: string) {
  const known = queries.get(query);
  if (known !== undefined) return known;
  const document = parse(query);
  const read = { document, wrongs: validate(schema, document) };
  queries.set(query, read);
  return read;
}

function rest(world: ForgeWorld, logHost: string, asked: string, body: unknown): Reply {
  const [, job = "", more = ""] = /^[A-Z]+ actions\/jobs\/(\d+)(\/\w+)?$/.exec(asked) ?? [];
  const found = world.findJob(job);
  if (asked === "POST pulls") return openPull(world, body as { head: string } & NewPullRequest);
  if (/^GET check-runs\/\d+\/annotations$/.test(asked)) return { status: 200, body: [] };
  const [, login] = /^GET collaborators\/([^/]+)\/permission$/.exec(asked) ?? [];
  if (login !== undefined) {
    return { status: 200, body: { permission: world.script.writers.includes(login) ? "write" : "read" } };
  }
  const [, run, page = "1"] =
    /^GET actions\/runs\/(\d+)\/jobs\?filter=latest&per_page=100&page=(\d+)$/.exec(asked) ?? [];
  if (run !== undefined) return jobsOf(world, run, Number(page));
  if (found === null) return notFound;
  if (more === "/logs" && found.check.log === undefined) return notFound;
  if (more === "/logs") return { status: 302, headers: { location: `${logHost}/${job}` } };
  if (more === "/rerun") {
    world.rerun(found);
    return { status: 201, body: {} };
  }
  const { head, attempt, state, check } = found;
  const run_id = Number(runOf(world, head));
  const steps = check.step === undefined ? [] : [{ name: check.step, conclusion: "failure" }];
  const status = state === "pending" ? "in_progress" : "completed";
  return { status: 200, body: { run_id, run_attempt: attempt, head_sha: head, status, steps } };
}

const runOf = (world: ForgeWorld, head: string): string =>
  world.keep().jobs.find((each) => each.head === head)?.job ?? "0";

function jobsOf(world: ForgeWorld, run: string, page: number): Reply {
  const first = world.findJob(run);
  if (first === null) return notFound;
  const jobs = world.jobsAt(first.head).map(({ job }) => ({ id: Number(job) }));
  return { status: 200, body: { total_count: jobs.length, jobs: jobs.slice(100 * (page - 1), 100 * page) } };
}

function openPull(world: ForgeWorld, { head: branch, base, title, body, draft }: { head: string } & NewPullRequest) {
  const isThere = world.pulls.some((each) => each.branch === branch && each.base === base && each.state === "open");
  if (isThere) {
    const errors = [{ message: `A pull request already exists for ann:${branch}.` }];
    return { status: 422, body: { message: "Validation Failed", errors } };
  }
  const pull = world.open({ branch, base, title, body, draft });
  const sha = world.script.headOf(branch);
  return { status: 201, body: { number: pull.number, html_url: urlOf(pull), head: { sha }, base: { ref: base } } };
}

const askedBy = ({ method = "", url = "", headers }: IncomingMessage): Asked => ({ method, path: url, headers });

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, { status, headers = {}, body = "" }: Reply): void {
  response.writeHead(status, headers);
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const listen = (server: Server, socket?: string): Promise<string> =>
  new Promise((done) => {
    const tell = () => {
      const at = server.address();
      done(socket ?? `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}`);
    };
    if (socket === undefined) server.listen(0, "127.0.0.1", tell);
    else server.listen(socket, tell);
  });
