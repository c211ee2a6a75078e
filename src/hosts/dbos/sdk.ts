import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { createSpecMachine } from "../../../machines/spec.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import { readPolicy } from "../../model/policy.ts";
import { type FleetRun, workflows } from "./protocol.ts";

type Sdk = typeof import("@dbos-inc/dbos-sdk");
export type Client = Awaited<ReturnType<Sdk["DBOSClient"]["create"]>>;

/** The part of `pg` that fixpoint uses. `pg` is installed with the SDK. */
export interface Database {
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  connect(): Promise<Pick<Database, "query"> & { release(isBroken?: boolean): void }>;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "connect", listener: (client: Pick<Database, "on">) => void): void;
  end(): Promise<void>;
}

export interface Opened {
  readonly sdk: Sdk;
  readonly database: Database;
  readonly client: Client;
  close(): Promise<void>;
}

/** Discards the log of the engine, which is not for people: problems of the engine are also thrown as errors. */
const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };

const application = "fixpoint";
const schemaVersion = 1;

const tables = `
create schema if not exists fixpoint;
create table if not exists fixpoint.meta (version int not null);
create table if not exists fixpoint.workers (id text primary key, at timestamptz not null default now(), facts jsonb not null);
create table if not exists fixpoint.runs (id text primary key, at timestamptz not null default now(), shown jsonb not null);
create table if not exists fixpoint.deaths (job text primary key, times int not null);
create table if not exists fixpoint.blocked (executor text primary key, until bigint not null, why text not null);
create table if not exists fixpoint.spent (day date not null, executor text not null, usd numeric not null, primary key (day, executor));
insert into fixpoint.meta select ${schemaVersion} where not exists (select from fixpoint.meta);
`;

/** A run as it was submitted, and whether it has ended; null if there is no run of that name. */
export async function findRun(client: Client, run: string) {
  const [found] = await client.listWorkflows({ workflowIDs: [run], loadOutput: false });
  if (found?.workflowName !== workflows.run) return null;
  const isOver = found.status !== "ENQUEUED" && found.status !== "PENDING";
  return { submitted: found.input?.[0] as FleetRun, isOver };
}

export const spentToday = "select executor, usd from fixpoint.spent where day = (now() at time zone 'utc')::date";

/** Reason for the wait of an executor whose daily limit is spent. @param perDay Maximum dollars per day. */
export const daySpent = (perDay: number): string => `The daily limit of ${perDay} dollars is spent`;

/** Beginning of the next day by UTC, in milliseconds since 1970. */
export const nextDay = (): number => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000;

/**
 * The version of a worker: version of the package, and a hash of charts and settings. A worker does not take work that
 * another version began.
 */
export function fleetVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("fixpoint/package.json");
  const rules = [createSpecMachine().config, readPolicy({})];
  return `${version}-${createHash("sha256").update(JSON.stringify(rules)).digest("hex").slice(0, 8)}`;
}

/**
 * Open the database of a fleet, and create missing tables.
 *
 * @param queue Address of Postgres, `postgres://user@host:port/database`.
 * @throws {InputError} `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function openQueue(queue: string): Promise<Opened> {
  if (!/^postgres(?:ql)?:\/\//.test(queue)) {
    throw new InputError("Cannot use --queue, expected the address of a Postgres database", {
      code: "queue-invalid",
      hint: "For example: --queue postgres://fixpoint@db.example.com/fixpoint, with the password in PGPASSWORD",
    });
  }
  const { sdk, Pool } = await load();
  const database: Database = new Pool({ connectionString: queue, max: 10, connectionTimeoutMillis: 10_000 });
  // Ignore the loss of a connection: queries on that connection fail anyway.
  database.on("error", () => {});
  database.on("connect", (client) => client.on("error", () => {}));
  try {
    await alone(database, async () => {
      await database.query(tables);
      const { rows } = await database.query("select max(version) as version from fixpoint.meta");
      if (Number(rows[0]?.["version"]) > schemaVersion) throw newer(queue);
      await migrate(sdk, queue);
    });
    const systemDatabasePool = database as never;
    const client = await sdk.DBOSClient.create({
      ...{ systemDatabaseUrl: queue, systemDatabasePool, logger: silent, applicationName: application },
    });
    const close = async (): Promise<void> => {
      await client.destroy().catch(() => {});
      await database.end().catch(() => {});
    };
    return { sdk, database, client, close };
  } catch (error) {
    await database.end().catch(() => {});
    if (error instanceof EnvironmentError) throw error;
    throw new EnvironmentError(`Cannot use the database at \`${placeOf(queue)}\`: ${reasonOf(error)}`, {
      code: "queue-unreachable",
      hint: "Check with psql and the same address that Postgres runs there and that its user may create schemas",
      cause: error,
    });
  }
}

/** Create the tables of the engine, without its notice on standard output, where programs expect JSON. */
async function migrate({ DBOS }: Sdk, queue: string): Promise<void> {
  const { log } = console;
  console.log = (...words: readonly unknown[]): void => {
    if (words[0] !== "Running DBOS system database migrations...") log(...words);
  };
  try {
    await DBOS.migrate(queue);
  } finally {
    console.log = log;
  }
}

/** Id of the database lock under which tables are created. */
const lock = 4_971_000;

/**
 * Run `act` while holding a lock in the database. Poll for the lock: a query that waits in the database would block the
 * creation of indexes.
 */
async function alone(database: Database, act: () => Promise<void>): Promise<void> {
  const holder = await database.connect();
  try {
    for (;;) {
      const { rows } = await holder.query("select pg_try_advisory_lock($1) as held", [lock]);
      if (rows[0]?.["held"] === true) break;
      await setTimeout(100);
    }
    await act();
    await holder.query("select pg_advisory_unlock($1)", [lock]);
  } finally {
    holder.release(true);
  }
}

const away = /terminat|ECONN|EPIPE|ETIMEDOUT|timeout|starting up|shutting down|recovery mode/i;

/** Queries that wait until an unreachable database has come back. */
export const patient = ({ query }: Pick<Database, "query">): Database["query"] => {
  const ask: Database["query"] = async (sql, values) => {
    for (;;) {
      try {
        return await query(sql, values);
      } catch (error) {
        if (!away.test(`${(error as { code?: string }).code} ${String(error)}`)) throw error;
        await setTimeout(500);
      }
    }
  };
  return ask;
};

export const configOf = (queue: string, { database }: Pick<Opened, "database">) => ({
  name: application,
  systemDatabaseUrl: queue,
  systemDatabasePool: database as never,
  logger: silent,
});

async function load() {
  try {
    const [sdk, { default: pg }] = await Promise.all([import("@dbos-inc/dbos-sdk"), import("pg")]);
    return { sdk, Pool: pg.Pool };
  } catch (cause) {
    throw new EnvironmentError("Cannot use a queue without the packages @dbos-inc/dbos-sdk and pg", {
      code: "engine-missing",
      hint: "Install them next to fixpoint: npm install @dbos-inc/dbos-sdk pg",
      cause,
    });
  }
}

/** Remove the password from an address before it is shown to a person, who can set `PGPASSWORD` instead. */
export const withoutPassword = (queue: string): string => queue.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1@");

function placeOf(queue: string): string {
  const [place = ""] = queue.split("?", 1);
  return place.replace(/^(\w+:\/\/)[^@/]*@/, "$1");
}

const reasonOf = (error: unknown): string => {
  const { message = "", code = "", errors = [] } = error as { message?: string; code?: string; errors?: Error[] };
  return message || errors[0]?.message || code || String(error);
};

const newer = (queue: string): EnvironmentError =>
  new EnvironmentError(`Cannot use the tables at \`${placeOf(queue)}\`: a newer version of fixpoint has made them`, {
    code: "queue-newer",
    hint: "Install that version here, too: npm install fixpoint@latest",
  });
