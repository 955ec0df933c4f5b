import Type, { type Static } from 'typebox';
import { MediaFacts } from '../../exchange/creative/media-facts.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { assetMessages } from './messages.ts';
import type { AssetContent } from './projection.ts';

export const AssetState = Type.Object({
  /** '' while nothing is known. */
  url: Type.String(),
  /** `AssetContent` as JSON, since no query reads fields of it. '' while no fetch has succeeded. */
  content: Type.String(),
  /** The kind of the content; '' while there is none. */
  kind: Type.Enum(['', 'vast', 'image', 'audio']),
  /** The facts of every file of the content; the warnings about a creative are derived from them. */
  facts: Type.Array(MediaFacts),
  /** When the content was fetched: ISO 8601, UTC; '' for never. */
  fetchedAt: Type.String(),
  /** When the next fetch is due: ISO 8601, UTC. */
  nextRefreshAt: Type.String(),
  /** The number of failed fetches since the last good one. */
  failures: Type.Integer({ minimum: 0 }),
  /** The reason of the last failure. */
  failure: Type.Union([Type.String(), Type.Null()]),
  /** Since when no campaign names the URL: ISO 8601, UTC; '' while one does. */
  unusedSince: Type.String(),
  /** The end of one process's claim: ms since the Unix epoch, by the log's clock. */
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

/**
 * The largest content of an asset, bytes: every edge holds every asset, so that one may take some 200 KB with all its
 * fields.
 */
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

/** Whether the content must be fetched again before it is used. */
export function isDue({ nextRefreshAt, unusedSince }: AssetState, nowMs: number): boolean {
  return unusedSince !== '' || nextRefreshAt <= isoOf(nowMs);
}

/** The last good content; null when there is none. */
export function parseAssetContent({ content }: AssetState): AssetContent | null {
  return content === '' ? null : JSON.parse(content);
}

function answer(state: AssetState): Effects<AssetState, AssetState> {
  return { state, reply: state };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
