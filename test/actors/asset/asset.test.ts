import { expect } from 'chai';
import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import { fitsIntoAsset, MAX_CONTENT_BYTES } from '#actors/asset/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const url = 'https://ads.example/banner.png';
const HOUR_MS = 3_600_000;
const media = { path: `/creative/${'a'.repeat(64)}`, mimeType: 'image/png', bytes: 10, width: 300, height: 250 };
const content = { kind: 'image', media };
const facts = [{ use: 'image', bytes: 10, container: 'PNG' }];
const at = (ms: number) => new Date(beginningMs + ms).toISOString();

const store = { type: 'store', body: { url, content: JSON.stringify(content), facts, freshForMs: 24 * HOUR_MS } };
const fail = { type: 'fail', body: { url, reason: 'was answered 503', freshForMs: 24 * HOUR_MS } };
const claim = { type: 'claim', body: { forMs: 60_000 } };
const setAside = { type: 'set-aside', body: { forgetAfterMs: 48 * HOUR_MS, againInMs: 24 * HOUR_MS } };

describe('actors/asset', () => {
  it('has one id for a URL', () => {
    expect(assetId(url)).to.equal(assetId(url));
    expect(new Set([url, `${url}?`, url.toUpperCase(), ''].map(assetId)).size).to.equal(4);
  });
  it('is small: its content is bounded in bytes', () => {
    expect(fitsIntoAsset('x'.repeat(MAX_CONTENT_BYTES))).to.equal(true);
    expect(fitsIntoAsset('é'.repeat(MAX_CONTENT_BYTES / 2 + 1))).to.equal(false);
  });

  runActorCases(asset, assetId(url), [
    {
      title: 'keeps what a fetch came to, for edges to see',
      when: store,
      does: {
        state: { kind: 'image', facts, fetchedAt: at(0), nextRefreshAt: at(24 * HOUR_MS), failures: 0, failure: null },
        view: { url, content },
      },
    },
    {
      title: 'refuses more than a document takes',
      when: {
        type: 'store',
        body: { ...store.body, content: JSON.stringify({ kind: 'x'.repeat(MAX_CONTENT_BYTES) }) },
      },
      does: { rejected: 'VALIDATION_ERROR' },
    },
    {
      title: 'keeps the last good content when a later fetch fails, and is due again soon',
      given: [store],
      when: { ...fail, atMs: 24 * HOUR_MS },
      does: {
        state: {
          failures: 1,
          failure: 'was answered 503',
          fetchedAt: at(0),
          nextRefreshAt: at(24 * HOUR_MS + 300_000),
        },
        view: { url, content },
      },
    },
    {
      title: 'waits longer after each failure, never longer than what is good counts as fresh',
      given: [store, ...Array.from({ length: 12 }, () => fail)],
      when: fail,
      does: { state: { failures: 13, nextRefreshAt: at(24 * HOUR_MS) } },
    },
    {
      title: 'is nothing to edges while no fetch has come to anything',
      when: fail,
      does: { state: { kind: '', failures: 1 }, view: null },
    },
    {
      title: 'forgets failures with the next good fetch',
      given: [store, fail],
      when: { ...store, atMs: 1_000 },
      does: { state: { failures: 0, failure: null, fetchedAt: at(1_000) } },
    },
    { title: 'is not claimed before it is due', given: [store], when: claim, does: { rejected: 'CONFLICT' } },
    {
      title: 'is claimed when it is due',
      given: [store],
      when: { ...claim, atMs: 24 * HOUR_MS },
      does: { state: { claimedUntilMs: beginningMs + 24 * HOUR_MS + 60_000 }, view: { url, content } },
    },
    {
      title: 'is claimed by one at a time',
      given: [store, { ...claim, atMs: 24 * HOUR_MS }],
      when: { ...claim, atMs: 24 * HOUR_MS + 59_999 },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is claimed again after whoever had it has taken too long',
      given: [store, { ...claim, atMs: 24 * HOUR_MS }],
      when: { ...claim, atMs: 24 * HOUR_MS + 60_000 },
      does: { state: { claimedUntilMs: beginningMs + 24 * HOUR_MS + 120_000 } },
    },
    { title: 'is not set aside before it is due', given: [store], when: setAside, does: { rejected: 'CONFLICT' } },
    {
      title: 'stays for a while when no campaign names it any more, out of the way of those that are due',
      given: [store],
      when: { ...setAside, atMs: 24 * HOUR_MS },
      does: {
        state: { unusedSince: at(24 * HOUR_MS), nextRefreshAt: at(48 * HOUR_MS), kind: 'image' },
        view: { url, content },
      },
    },
    {
      title: 'is forgotten when that has lasted',
      given: [store, { ...setAside, atMs: 24 * HOUR_MS }, { ...setAside, atMs: 48 * HOUR_MS }],
      when: { ...setAside, atMs: 72 * HOUR_MS },
      does: { state: null },
    },
    {
      title: 'is claimed at once when a campaign names it again',
      given: [store, { ...setAside, atMs: 24 * HOUR_MS }],
      when: { ...claim, atMs: 25 * HOUR_MS },
      does: { state: { unusedSince: '' } },
    },
    {
      title: 'begins anew to be unused after it was of use',
      given: [store, { ...setAside, atMs: 24 * HOUR_MS }, { ...store, atMs: 25 * HOUR_MS }],
      when: { ...setAside, atMs: 90 * HOUR_MS },
      does: { state: { unusedSince: at(90 * HOUR_MS) } },
    },
  ]);
});
