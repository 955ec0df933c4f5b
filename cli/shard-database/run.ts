import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import { feedPage } from '../../actors/feed-page/feed-page.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { shardCollections, withRouter } from '../../runtime/providers/mongodb/shard-collections.ts';
import { readSettings } from '../../settings.ts';
import type { Run } from '../definition.ts';

/** Kinds whose documents are read by ranges of ids (StateStore.idsBetween). */
const READ_BY_RANGE: ReadonlySet<string> = new Set([feedPage.kind, auctionRecord.kind]);

export const run: Run = async ({ tell }) => {
  const { mongodbUrl } = readSettings(process.env);
  if (mongodbUrl === null) throw new Error('MONGODB_URL is not set: the embedded store is not divided');
  const kinds = actorKinds.map(({ kind }) => ({ kind, readByRange: READ_BY_RANGE.has(kind) }));
  const outcomes: { readonly collection: string; readonly outcome: string }[] = [];
  await withRouter(mongodbUrl, (router, database) =>
    shardCollections(router, database, kinds, (collection, outcome) => {
      outcomes.push({ collection, outcome });
      tell(`${collection}: ${outcome}`);
    }),
  );
  return { json: { collections: outcomes }, text: '' };
};
