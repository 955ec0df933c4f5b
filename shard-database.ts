import { auctionRecord } from './actors/auction-record/auction-record.ts';
import { feedPage } from './actors/feed-page/feed-page.ts';
import { EXIT_MISUSE, readArguments } from './command-line.ts';
import { actorKinds } from './composition/actor-kinds.ts';
import { shardCollections, withRouter } from './runtime/providers/mongodb/shard-collections.ts';
import { readSettings } from './settings.ts';

const HELP = `Usage: npm run shard-database

Divides the collections of a sharded MongoDB cluster among its shards: by the hash of the id, feed pages and records of auctions by the
id itself, whose ranges are read. Reads MONGODB_URL, which must lead to a mongos. What is divided already is left as it is. Best done
before the first start; it may be done beside a running exchange, and then takes as long as indexes and balancing take.

  -h, --help  prints this
  --version   prints the version

Exit codes: 0 done, 2 nothing was done, or not all.
`;
/** Kinds whose documents are read by ranges of ids (StateStore.idsBetween). */
const READ_BY_RANGE: ReadonlySet<string> = new Set([feedPage.kind, auctionRecord.kind]);

await readArguments(HELP, {});
try {
  const { mongodbUrl } = readSettings(process.env);
  if (mongodbUrl === null) throw new Error('MONGODB_URL is not set: the embedded store is not divided');
  const kinds = actorKinds.map(({ kind }) => ({ kind, readByRange: READ_BY_RANGE.has(kind) }));
  await withRouter(mongodbUrl, (router, database) =>
    shardCollections(router, database, kinds, (collection, outcome) =>
      process.stdout.write(`${collection}: ${outcome}\n`),
    ),
  );
} catch (error) {
  process.stderr.write(`Not all is divided: ${(error as Error).message}\n`);
  process.exitCode = EXIT_MISUSE;
}
