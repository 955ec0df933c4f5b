import { MongoClient } from 'mongodb';
import { databaseNamedBy } from './names.ts';

const ANSWER_MS = 5_000;

/** What a MongoDB server, or a server that speaks its protocol, says of itself. */
export interface InspectedMongodb {
  readonly version: string;
  readonly database: string;
  readonly kind: 'replica set' | 'router' | 'alone';
  /** Members of the replica set that keep data, as they are configured; 1 for a server alone, null behind a router. */
  readonly members: number | null;
  readonly arbiters: number;
  /** How long a majority took to acknowledge, on disk, what was written before, ms; or why it did not. */
  readonly majority: number | string;
  /** Its clock less ours, ms, to half of the time that the question took; null for a server that does not say. */
  readonly clockAheadMs: number | null;
}

/**
 * Asks the server at the URL, with the write concern of the exchange, and writes nothing.
 * @throws Error when it does not answer within five seconds or refuses the credentials
 */
export async function inspectMongodb(url: string): Promise<InspectedMongodb> {
  const client = new MongoClient(url, {
    appName: 'ad-exchange doctor',
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: ANSWER_MS },
    serverSelectionTimeoutMS: ANSWER_MS,
    connectTimeoutMS: ANSWER_MS,
    socketTimeoutMS: ANSWER_MS + 1_000,
  });
  try {
    await client.connect();
    const name = databaseNamedBy(url);
    const database = client.db(name);
    const askedAtMs = Date.now();
    const hello = await database.command({ hello: 1 });
    const meanMs = (askedAtMs + Date.now()) / 2;
    const build = await database.command({ buildInfo: 1 });
    const isRouter = hello.msg === 'isdbgrid';
    const isMember = typeof hello.setName === 'string';
    // It matches nothing and changes nothing; the server waits until a majority has all that came before it.
    const writtenAtMs = performance.now();
    const majority = await database
      .collection<{ readonly _id: string }>('present')
      .updateOne({ _id: 'nobody' }, { $set: { asked: true } })
      .then(
        () => performance.now() - writtenAtMs,
        (error: Error) => error.message,
      );
    return {
      version: String(build.version),
      database: name,
      kind: isRouter ? 'router' : isMember ? 'replica set' : 'alone',
      members: isRouter ? null : isMember ? countOf(hello.hosts) + countOf(hello.passives) : 1,
      arbiters: countOf(hello.arbiters),
      majority,
      clockAheadMs: hello.localTime instanceof Date ? hello.localTime.getTime() - meanMs : null,
    };
  } finally {
    await client.close();
  }
}

function countOf(names: unknown): number {
  return Array.isArray(names) ? names.length : 0;
}
