import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import type { StateStore } from '#runtime/ports/store';
import { type FeedPosition, feedPositionAt, timeOfPosition } from './cursor.ts';

export interface ChangedCreative {
  readonly position: FeedPosition;
  readonly id: string;
  readonly state: CreativeState;
}

interface ChangedCreatives {
  readonly changed: readonly ChangedCreative[];
  /** True when the reader can continue at once. */
  readonly hasMore: boolean;
  /** The position from which the reader continues. */
  readonly next: FeedPosition;
}

type Reads = Pick<StateStore, 'find' | 'load'>;

const SHOWN_FIELDS: readonly (keyof CreativeState)[] = [
  ...(['crid', 'fingerprint', 'stability', 'scan', 'hosting', 'decisions', 'changedAt'] as const),
];

/**
 * Reads the creatives of a demand source that have changed since a position, in the order of their last changes, up to
 * `throughMs`, before which every change is saved. A creative that changes while a reader goes on is met again further
 * on, in its new state: a reader that reaches the end has the state of each.
 */
export async function readChangedCreatives(
  store: Reads,
  { dspId, sandbox }: { readonly dspId: string; readonly sandbox: boolean },
  { after, throughMs, limit }: { readonly after: FeedPosition; readonly throughMs: number; readonly limit: number },
): Promise<ChangedCreatives> {
  const end = feedPositionAt(throughMs);
  const range = { gte: isoOf(timeOfPosition(after)), lt: isoOf(throughMs) };
  // Of the creatives that have changed within the same millisecond, the first may have been read.
  for (let most = limit + 1; ; most *= 2) {
    const where = { dspId, sandbox, changedAt: range };
    const found = await store.find(creative.kind, { where, orderBy: 'changedAt', limit: most });
    const keys = found.map(({ id }) => ({ kind: creative.kind, id }));
    const documents = await store.load(keys, SHOWN_FIELDS);
    const changed = documents.flatMap((document) => changedOf(document)).filter(({ position }) => position > after);
    const inRange = changed.filter(({ position }) => position < end).sort((a, b) => (a.position < b.position ? -1 : 1));
    if (inRange.length === 0 && found.length === most) continue;
    const read = inRange.slice(0, limit);
    const last = read.at(-1)?.position ?? after;
    const hasMore = found.length === most || inRange.length > limit;
    return { changed: read, hasMore, next: hasMore || end <= last ? last : end };
  }
}

function changedOf(document: Awaited<ReturnType<Reads['load']>>[number]): readonly ChangedCreative[] {
  if (document === null || document.deleted) return [];
  const state = document.state as CreativeState;
  const position = `${feedPositionAt(Date.parse(state.changedAt))}creative_${document.id}`;
  return [{ position, id: document.id, state }];
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
