import { expect } from 'chai';
import fc from 'fast-check';
import { creative } from '#actors/creative/creative';
import {
  type CreativeState,
  DYNAMIC_REASON,
  MOST_DECISIONS,
  MOST_PUBLISHERS,
  noCreative,
} from '#actors/creative/reduce';
import { creativeId } from '#edge/creatives/creative-id';
import { makeSeen, type Seen } from '#test/support/seen-creative';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(beginningMs + ms).toISOString();
const told = makeSeen({ dspId: 'dsp', accountId: 'acct', fingerprint: 'f'.repeat(32), publisherIds: ['p1'] });
const id = creativeId(told);
const seen = (fields: Partial<Seen> = {}, atMs = 0) => ({ type: 'seen', body: { ...told, ...fields }, atMs });
const decided = (decision: 'none' | 'block' | 'approve', atMs = 0) => ({
  type: 'decided',
  body: { scope: 'publisher', scopeId: 'p1', decision, reason: 'r' },
  atMs,
});
const report = { domains: [], redirects: 0, wrappers: 0, loadMs: 1, bytes: 1, landingDomain: null, screenshot: null };
const scanned = (codes: readonly string[], atMs = 0) => ({
  type: 'scanned',
  body: {
    report,
    findings: codes.map((code) => ({ code, message: 'm', url: null })),
    media: [],
    againInMs: 24 * HOUR_MS,
  },
  atMs,
});
const failed = { type: 'scan-failed', body: { reason: 'was answered 503', againInMs: HOUR_MS } };
const claim = { type: 'claim', body: { forMs: 60_000 } };
const hosted = { type: 'hosted', body: { file: 'a'.repeat(64), files: ['b'.repeat(64)] } };
const reported = (atMs: number) => ({ type: 'report', body: { by: 'user/u', reason: 'malware', comment: '' }, atMs });
const forget = (unseenSince: string) => ({ type: 'forget', body: { unseenSince } });

describe('actors/creative', () => {
  runActorCases(creative, id, [
    {
      title: 'keeps what an edge saw, is due for a scan, and is there for edges',
      when: seen(),
      does: {
        state: {
          ...{ accountId: 'acct', dspId: 'dsp', crid: 'spring', stability: 'unknown', markup: told.markup },
          ...{ words: ['spring', 'brand.example'], publisherIds: ['p1'], sightings: 1, wins: 1, refusals: 0 },
          ...{ firstSeenAt: at(0), lastSeenAt: at(0), lastWonAt: at(0), nextScanAt: at(0), changedAt: at(0) },
        },
        view: { dspId: 'dsp', clean: false, dynamic: false, hosted: null },
      },
    },
    {
      title: 'adds what is seen later, and keeps the markup that it has',
      given: [seen()],
      when: seen({ markup: null, wins: 0, refusals: 2, sizes: ['728x90'], publisherIds: ['p2'] }, 1_000),
      does: {
        state: {
          ...{ markup: told.markup, sizes: ['300x250', '728x90'], publisherIds: ['p2', 'p1'], sightings: 2, wins: 1 },
          ...{ refusals: 2, firstSeenAt: at(0), lastSeenAt: at(1_000), lastWonAt: at(0), changedAt: at(0) },
        },
      },
    },
    {
      title: 'takes the markup that comes later, where the first sighting had none',
      given: [seen({ markup: null })],
      when: seen({ markup: '<b>later</b>' }),
      does: { state: { markup: '<b>later</b>' } },
    },
    {
      title: 'is stable once it was the same often enough, and then due for hosting at once',
      given: [seen(), scanned([], 1_000), seen({ sightings: 1 }, 2_000)],
      when: seen({ sightings: 1 }, 3_000),
      does: {
        state: {
          ...{ stability: 'stable', nextScanAt: at(3_000), changedAt: at(3_000) },
          hosting: { status: 'waiting', file: null, files: [], reason: null },
        },
        view: { clean: true },
      },
    },
    {
      title: 'is stable at once where its demand source says so',
      when: seen({ declared: 'stable' }),
      does: { state: { stability: 'stable' } },
    },
    {
      title: 'is not hosted where its markup differs in every auction',
      when: seen({ fingerprint: '' }),
      does: {
        state: {
          stability: 'dynamic',
          hosting: { status: 'not-hosted', file: null, files: [], reason: DYNAMIC_REASON },
        },
        view: { dynamic: true },
      },
    },
    {
      title: 'is hosted no more once its demand source says that it differs',
      given: [seen({ declared: 'stable' }), hosted],
      when: seen({ declared: 'dynamic' }, 1_000),
      does: {
        state: {
          changedAt: at(1_000),
          hosting: { status: 'not-hosted', file: null, files: [], reason: DYNAMIC_REASON },
        },
        view: { hosted: null },
      },
    },
    {
      title: 'takes nothing of the sandbox once it was sold live',
      given: [seen()],
      when: seen({ sandbox: true, wins: 5 }, 1_000),
      does: { state: 'same' },
    },
    {
      title: 'counts from anew, and is told of, when it is sold live after the sandbox',
      given: [seen({ sandbox: true, wins: 7, sightings: 2 })],
      when: seen({ wins: 1 }, 1_000),
      does: {
        state: { sandbox: false, wins: 1, sightings: 1, firstSeenAt: at(1_000), changedAt: at(1_000) },
      },
    },
    {
      title: 'remembers what was decided, by scope, and what queries find it by',
      given: [seen(), decided('approve')],
      when: decided('block', 1_000),
      does: {
        state: {
          decisions: [{ scope: 'publisher', scopeId: 'p1', decision: 'block', reason: 'r', decidedAt: at(1_000) }],
          marks: ['block', 'decided', 'publisher:p1 block', 'publisher:p1 decided'],
          changedAt: at(1_000),
        },
      },
    },
    {
      title: 'forgets a decision that was taken back',
      given: [seen(), decided('block')],
      when: decided('none', 1_000),
      does: { state: { decisions: [], marks: [], changedAt: at(1_000) } },
    },
    { title: 'is nothing before it was seen, whatever is decided', when: decided('block'), does: { state: 'same' } },
    {
      title: 'is clean when a scan found nothing against it',
      given: [seen()],
      when: scanned(['too-large'], 1_000),
      does: {
        state: { changedAt: at(1_000), nextScanAt: at(1_000 + 24 * HOUR_MS), claimedUntilMs: 0 },
        view: { clean: true },
      },
    },
    {
      title: 'is flagged by a violation',
      given: [seen(), scanned([])],
      when: scanned(['plain-http'], 1_000),
      does: { state: { changedAt: at(1_000) }, view: { clean: false } },
    },
    {
      title: 'is not told of again when a later scan finds the same',
      given: [seen(), scanned(['plain-http'], 1_000)],
      when: scanned(['plain-http'], 2_000),
      does: { state: { changedAt: at(1_000) } },
    },
    {
      title: 'is told of when a later scan finds something else, also where it stays flagged',
      given: [seen(), scanned(['plain-http'], 1_000)],
      when: scanned(['mining-script'], 2_000),
      does: { state: { changedAt: at(2_000) } },
    },
    {
      title: 'is told of when its first scan fails',
      given: [seen()],
      when: { ...failed, atMs: 1_000 },
      does: { state: { changedAt: at(1_000), nextScanAt: at(1_000 + HOUR_MS) }, view: { clean: false } },
    },
    {
      title: 'stays clean when a later scan fails',
      given: [seen(), scanned([], 1_000)],
      when: { ...failed, atMs: 2_000 },
      does: { state: { changedAt: at(1_000) }, view: { clean: true } },
    },
    {
      title: 'is claimed when a scan is due',
      given: [seen()],
      when: claim,
      does: { state: { claimedUntilMs: beginningMs + 60_000 } },
    },
    { title: 'is claimed by one at a time', given: [seen(), claim], when: claim, does: { rejected: 'CONFLICT' } },
    {
      title: 'is not claimed before a scan is due',
      given: [seen(), scanned([])],
      when: claim,
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is served from its file once it is hosted',
      given: [seen({ declared: 'stable' })],
      when: { ...hosted, atMs: 1_000 },
      does: { state: { changedAt: at(1_000) }, view: { hosted: 'a'.repeat(64) } },
    },
    {
      title: 'is not told of again when it is hosted as before',
      given: [seen({ declared: 'stable' }), hosted],
      when: { ...hosted, atMs: 1_000 },
      does: { state: { changedAt: at(0) } },
    },
    {
      title: 'waits for somebody once it was reported',
      given: [seen(), decided('approve', 1_000)],
      when: reported(2_000),
      does: { state: { marks: ['approve', 'decided', 'publisher:p1 approve', 'publisher:p1 decided', 'reported'] } },
    },
    {
      title: 'waits no longer once something was decided since',
      given: [seen(), reported(1_000)],
      when: decided('approve', 2_000),
      does: { state: { marks: ['approve', 'decided', 'publisher:p1 approve', 'publisher:p1 decided'] } },
    },
    { title: 'is forgotten when it was not seen again', given: [seen()], when: forget(at(0)), does: { state: null } },
    {
      title: 'stays while a decision names it',
      given: [seen(), decided('block')],
      when: forget(at(0)),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is forgotten once the decision is taken back',
      given: [seen(), decided('block'), decided('none')],
      when: forget(at(0)),
      does: { state: null },
    },
    {
      title: 'stays when it was seen again',
      given: [seen(), seen({}, 1_000)],
      when: forget(at(0)),
      does: { rejected: 'CONFLICT' },
    },
    ...[scanned([]), failed, hosted, { type: 'not-hosted', body: { reason: 'r' } }, reported(0)].map((when) => ({
      title: `is not there for ${when.type} before it was seen`,
      when,
      does: { rejected: 'NOT_FOUND' },
    })),
  ]);

  it('comes to the same whatever the order in which edges tell what they saw', () => {
    const sighting = fc.record({
      sightings: fc.integer({ min: 0, max: 3 }),
      wins: fc.integer({ min: 0, max: 9 }),
      refusals: fc.integer({ min: 0, max: 9 }),
      sizes: fc.subarray(['300x250', '728x90', '160x600']),
      advertiserDomains: fc.subarray(['a.example', 'b.example']),
      categories: fc.subarray(['IAB1', 'IAB2-3']),
      attributes: fc.subarray([1, 2, 13]),
      publisherIds: fc.subarray(['p1', 'p2', 'p3']),
      markup: fc.constantFrom(told.markup, null),
    });
    fc.assert(
      fc.property(fc.array(sighting, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (all, random) => {
        const shuffled = all
          .map((one) => ({ one, order: random.next().value as number }))
          .sort((a, b) => a.order - b.order)
          .map(({ one }) => one);
        expect(unordered(stateAfter(shuffled))).to.deep.equal(unordered(stateAfter(all)));
        const wins = all.reduce((sum, one) => sum + one.wins, 0);
        expect(stateAfter(all).wins).to.equal(wins);
      }),
    );
  });

  it('stays small however much edges tell of it', () => {
    const many = Array.from({ length: MOST_PUBLISHERS + 200 }, (_, index) => ({
      sizes: [`${index}x1`],
      advertiserDomains: [`d${index}.example`],
      categories: [`IAB${index}`],
      attributes: [index],
      publisherIds: [`p${index}`],
    }));
    const state = stateAfter(many);
    for (const kept of [state.sizes, state.advertiserDomains, state.categories, state.attributes]) {
      expect(kept).to.have.lengthOf(50);
    }
    expect(state.publisherIds).to.have.lengthOf(MOST_PUBLISHERS);
    expect(state.publisherIds[0], 'the newest first').to.equal(`p${MOST_PUBLISHERS + 199}`);
    expect(state.words).to.have.lengthOf(51);
  });

  it('remembers what each of its many publishers decided', () => {
    let state = stateAfter([{}]);
    const decideIn = (scopeId: string) => {
      const body = { scope: 'publisher', scopeId, decision: 'block', reason: 'r' };
      state = next(state, { type: 'decided', body });
    };
    for (let number = 0; number < MOST_DECISIONS; number++) decideIn(`p${number}`);
    expect(state.decisions).to.have.lengthOf(MOST_DECISIONS);
    expect(state.marks).to.include('publisher:p0 block');
    decideIn('another');
    expect(state.decisions, 'the oldest is left out').to.have.lengthOf(MOST_DECISIONS);
    expect(state.marks).to.include('publisher:another block').and.not.include('publisher:p0 block');
  });
});

/** All are told at the same instant. */
function stateAfter(all: readonly Partial<Seen>[]): CreativeState {
  let state: CreativeState = noCreative;
  for (const fields of all) state = next(state, { type: 'seen', body: { ...told, ...fields } });
  return state;
}

function next(state: CreativeState, message: { readonly type: string; readonly body: unknown }): CreativeState {
  const outcome = creative.handle(state, message as never, {
    ...{ id, address: `creative/${id}`, nowMs: beginningMs, position: `${beginningMs}-0`, random: () => 0.5 },
  });
  return (outcome as { state?: CreativeState }).state ?? state;
}

/** What is listed in the order in which it came. */
function unordered(state: CreativeState): Record<string, unknown> {
  const sorted = Object.entries(state).map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value]);
  return Object.fromEntries(sorted);
}
