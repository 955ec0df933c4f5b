import Type, { type Static } from 'typebox';
import { MediaFacts } from '../../exchange/creative/media-facts.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { assetMessages } from './messages.ts';
import type { AssetContent } from './projection.ts';

export const AssetState = Type.Object({
  /** '' while nothing is known. */
  url: Type.String(),
  /** `AssetContent` as JSON: nothing in it is looked for. '' while no fetch has come to anything good. */
  content: Type.String(),
  /** Of the content; '' while there is none. */
  kind: Type.Enum(['', 'vast', 'image', 'audio']),
  /** Of every file of the content: what the warnings about a creative follow from. */
  facts: Type.Array(MediaFacts),
  /** When the content was fetched: ISO 8601, UTC; '' for never. */
  fetchedAt: Type.String(),
  /** When it is to be fetched again: ISO 8601, UTC. */
  nextRefreshAt: Type.String(),
  /** Fetches that came to nothing since the last good one. */
  failures: Type.Integer({ minimum: 0 }),
  /** Why the last of them did. */
  failure: Type.Union([Type.String(), Type.Null()]),
  /** Since when no campaign names the URL: ISO 8601, UTC; '' while one does. */
  unusedSince: Type.String(),
  /** Until then one process is at it: ms since the Unix epoch, by the log's clock. */
  claimedUntilMs: Type.Integer({ minimum: 0 }),
});
export type AssetState = Static<typeof AssetState>;

export const noAsset: AssetState = {
  url: '',
  content: '',
  kind: '',
  facts: [],
  fetchedAt: '',
  nextRefreshAt: '',
  failures: 0,
  failure: null,
  unusedSince: '',
  claimedUntilMs: 0,
};

/** Every edge holds every asset, so that one is to be small: some 200 KB with all that belongs to it. */
export const MAX_CONTENT_BYTES = 180_000;

const FIRST_RETRY_MS = 5 * 60_000;

export function fitsIntoAsset(content: string): boolean {
  return new TextEncoder().encode(content).length <= MAX_CONTENT_BYTES;
}

export const assetHandlers = handlersOf(AssetState, assetMessages, {
  store(_state, { url, content, facts, freshForMs }, { nowMs }) {
    if (!fitsIntoAsset(content)) return reject('VALIDATION_ERROR', 'The ad that the URL leads to is too large.');
    const { kind } = JSON.parse(content) as AssetContent;
    const fetchedAt = isoOf(nowMs);
    return answer({ ...noAsset, url, content, kind, facts, fetchedAt, nextRefreshAt: isoOf(nowMs + freshForMs) });
  },
  fail(state, { url, reason, freshForMs }, { nowMs }) {
    const failures = state.failures + 1;
    const retryMs = Math.min(freshForMs, FIRST_RETRY_MS * 2 ** Math.min(state.failures, 20));
    const nextRefreshAt = isoOf(nowMs + retryMs);
    return answer({ ...state, url, failures, failure: reason, nextRefreshAt, unusedSince: '', claimedUntilMs: 0 });
  },
  claim(state, { forMs }, { nowMs }) {
    if (!isDue(state, nowMs)) return reject('CONFLICT', 'The asset is not due.');
    if (state.claimedUntilMs > nowMs) return reject('CONFLICT', 'Another process refreshes the asset.');
    return answer({ ...state, unusedSince: '', claimedUntilMs: nowMs + forMs });
  },
  'set-aside'(state, { forgetAfterMs, againInMs }, { nowMs }) {
    if (state.nextRefreshAt > isoOf(nowMs)) return reject('CONFLICT', 'The asset is not due.');
    const unusedSince = state.unusedSince || isoOf(nowMs);
    if (unusedSince <= isoOf(nowMs - forgetAfterMs)) return { state: null, reply: noAsset };
    return answer({ ...state, unusedSince, nextRefreshAt: isoOf(nowMs + againInMs) });
  },
});

/** Whether the content is to be fetched again before it is relied on. */
export function isDue({ nextRefreshAt, unusedSince }: AssetState, nowMs: number): boolean {
  return unusedSince !== '' || nextRefreshAt <= isoOf(nowMs);
}

/** The last good content; null when there was none. */
export function parseAssetContent({ content }: AssetState): AssetContent | null {
  return content === '' ? null : JSON.parse(content);
}

function answer(state: AssetState): Effects<AssetState, AssetState> {
  return { state, reply: state };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
