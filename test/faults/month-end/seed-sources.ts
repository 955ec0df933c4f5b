import { campaign } from '#actors/campaign/campaign';
import { noCampaign } from '#actors/campaign/reduce';
import { dsp } from '#actors/dsp/dsp';
import { noDsp } from '#actors/dsp/reduce';
import { publisher } from '#actors/publisher/publisher';
import { noPublisher } from '#actors/publisher/reduce';
import { actorKinds } from '#composition/actor-kinds';
import { KindRegistry } from '#runtime/node/kind-registry';
import type { ActorDocument, StateStore } from '#runtime/ports/store';
import type { MonthEndMarket } from './market.ts';

const AT_ONCE = 1_000;

/** Saves the documents of all publishers, DSPs and campaigns, as their actors would leave them. */
export async function seedSources(store: StateStore, market: MonthEndMarket, partitions: number): Promise<void> {
  const kinds = new KindRegistry(actorKinds, partitions);
  const createdAt = '2026-01-01T00:00:00.000Z';
  const documentOf = (of: { kind: string; schemaVersion: number }, id: string, state: object): ActorDocument => ({
    ...{ kind: of.kind, id, schema: of.schemaVersion, state, partition: kinds.partitionOf(`${of.kind}/${id}`) },
    ...{ version: 1, writer: 'seed', position: '1-0', deleted: false, viewPending: false, published: null },
    ...{ outbox: [], received: {}, replies: {} },
  });
  const documents: ActorDocument[] = [];
  for (const { id, account } of market.sellers) {
    const state = { ...noPublisher, name: id, status: 'active', accountId: account, createdAt };
    documents.push(documentOf(publisher, id, { ...state, feePpm: market.feePpm('publisher') }));
  }
  for (const { id } of market.buyers) {
    const state = { ...noDsp, name: id, mode: 'delegate', status: 'active', createdAt, updatedAt: createdAt };
    documents.push(documentOf(dsp, id, { ...state, accountId: market.accounts[0], feePpm: market.feePpm('dsp') }));
  }
  for (const { id, buyer } of market.campaigns) {
    documents.push(documentOf(campaign, id, { ...noCampaign, accountId: market.accounts[0], dspId: buyer.id }));
  }
  for (let start = 0; start < documents.length; start += AT_ONCE) {
    const outcomes = await store.save(documents.slice(start, start + AT_ONCE));
    if (outcomes.some((outcome) => outcome !== 'saved')) throw new Error(`the sources were not saved: ${outcomes}`);
  }
}
