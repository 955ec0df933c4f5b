import { randomBytes, randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { creative } from '../../actors/creative/creative.ts';
import type { creativeMessages } from '../../actors/creative/messages.ts';
import type { CreativeState } from '../../actors/creative/reduce.ts';
import { creativeId } from '../../edge/creatives/creative-id.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { eventually } from './eventually.ts';

export type Seen = Static<typeof creativeMessages.seen>;

/** What an edge tells of a banner that was won once. */
export function makeSeen(fields: Partial<Seen> = {}): Seen {
  return {
    dspId: randomUUID(),
    accountId: randomUUID(),
    partnerId: null,
    sandbox: false,
    campaignId: null,
    crid: 'spring',
    fingerprint: randomBytes(16).toString('hex'),
    declared: 'auto',
    markup: '<a href="https://brand.example/"><img src="https://cdn.example/spring.png" width="300" height="250"></a>',
    formats: ['banner'],
    sizes: ['300x250'],
    advertiserDomains: ['brand.example'],
    categories: ['IAB1-2'],
    categoryTaxonomy: 1,
    attributes: [],
    publisherIds: [],
    sightings: 1,
    wins: 1,
    refusals: 0,
    ...fields,
  };
}

interface Parts {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load'>;
}

/** Tells of a creative as an edge does, and resolves with its id when it can be read. */
export async function tellSeen(parts: Parts, fields: Partial<Seen> = {}): Promise<string> {
  const seen = makeSeen(fields);
  const id = creativeId(seen);
  await parts.messenger.tell(creative, id, 'seen', seen);
  await eventually('the creative to be saved', () => loadCreativeState(parts, id));
  return id;
}

export async function loadCreativeState({ store }: Pick<Parts, 'store'>, id: string): Promise<CreativeState | null> {
  const [document] = await store.load([{ kind: creative.kind, id }]);
  return document && !document.deleted ? (document.state as CreativeState) : null;
}
