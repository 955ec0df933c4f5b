import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { InvalidImpression } from '#actors/impression-rollup/messages';
import { acceptedIdsOf, emptyImpressionRollup } from '#actors/impression-rollup/reduce';
import { ImpressionRollupState } from '#actors/impression-rollup/state';
import { Totals } from '#actors/ledger/messages';
import { IMPRESSION } from './impression.ts';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const ID = '7:2026-03-14';
const GROSS = 2_500_000;

type Message = Parameters<NonNullable<typeof impressionRollup.handle>>[1];

function anInvalid(fields: Partial<InvalidImpression> = {}): Message {
  return { type: 'invalid', body: { ...IMPRESSION, reason: 'bot-user-agent', ...fields } };
}

function aValid(fields: Partial<typeof IMPRESSION> = {}): Message {
  return { type: 'impression', body: { ...IMPRESSION, ...fields } };
}

/** Positions count up from `<NOON_MS>-0`. */
function folded(messages: readonly Message[], state = emptyImpressionRollup(), from = 0): ImpressionRollupState {
  for (const [number, message] of messages.entries()) {
    const position = `${NOON_MS}-${from + number}`;
    impressionRollup.handle(state, message, {
      id: ID,
      address: `tally/${ID}`,
      nowMs: NOON_MS,
      position,
      random: () => 0,
    });
  }
  return state;
}

function told(state: ImpressionRollupState, published: string | null = null): Record<string, Totals> {
  const sends = impressionRollup.totals!(state, published, ID).filter(({ to }) => to.startsWith('ledger/'));
  return Object.fromEntries(sends.map(({ to, body }) => [to.slice('ledger/'.length), body as Totals]));
}

const NOTHING = { impressions: 0, grossNanos: 0, feeNanos: 0 };
const BOTH_COUNTED = { 'invalid/bot-user-agent': 1, invalidNanos: GROSS };

describe('an impression rollup of invalid traffic', () => {
  it('counts an invalid impression by its reason for both sides, and neither bills it nor names its creative', () => {
    const state = folded([anInvalid({ campaign: 'campaign-1', account: 'account-1' })]);
    const totals = told(state);
    expect(Object.keys(totals)).to.have.members([
      'publisher:publisher-1:2026-03-14T12',
      'dsp:dsp-1:2026-03-14T12',
      'campaign:campaign-1:2026-03-14T12',
      'platform:exchange:2026-03-14T12',
      'account:account-1:2026-03-14T12',
    ]);
    for (const body of Object.values(totals)) {
      expect(body).to.deep.equal({
        partition: 7,
        minuteMs: NOON_MS,
        version: `${NOON_MS}-0`,
        regions: [{ region: 'fra', ...NOTHING, counts: BOTH_COUNTED, counterparties: [], creatives: [] }],
      });
      expect(Compile(Totals).Check(body)).to.equal(true);
    }
    expect(
      impressionRollup.totals!(state, null, ID).filter(({ to }) => to.startsWith('feed-page/')),
      'in no feed',
    ).to.be.empty;
    expect(state.day).to.deep.equal({ ...NOTHING, taken: 1, invalid: BOTH_COUNTED });
  });

  it('bills the first valid call after an invalid one, and counts no id twice', () => {
    const state = folded([
      anInvalid(),
      aValid({ revalidates: 'bot-user-agent' }),
      anInvalid({ id: 'b', reason: 'data-centre' }),
      aValid({ id: 'c' }),
    ]);
    const { day } = state;
    expect(day).to.deep.include({ impressions: 2, grossNanos: 2 * GROSS, taken: 3 });
    expect(day.invalid).to.deep.equal({
      'invalid/bot-user-agent': 1,
      'invalid/data-centre': 1,
      invalidNanos: 2 * GROSS,
      'revalidated/bot-user-agent': 1,
      revalidatedNanos: GROSS,
    });
    const [region] = told(state)['platform:exchange:2026-03-14T12']!.regions;
    expect(region).to.deep.include({ impressions: 2, counts: day.invalid });
    expect(Compile(ImpressionRollupState).Check(state)).to.equal(true);
  });

  it('counts on the day of the call what was invalid on the day before', () => {
    const { day } = folded([aValid({ revalidates: 'self-fired' })]);
    expect(day).to.deep.include({ impressions: 1, taken: 0 });
    expect(day.invalid).to.deep.equal({ 'revalidated/self-fired': 1, revalidatedNanos: GROSS });
  });

  it('tells again only ledgers that a later invalid impression concerns', () => {
    const state = folded([aValid(), anInvalid({ id: 'b', publisher: 'publisher-2' })]);
    expect(Object.keys(told(state, `${NOON_MS}-0`))).to.have.members([
      'publisher:publisher-2:2026-03-14T12',
      'dsp:dsp-1:2026-03-14T12',
      'platform:exchange:2026-03-14T12',
    ]);
    expect(told(state, `${NOON_MS}-1`)).to.deep.equal({});
  });

  it('keeps the sandbox apart, with its generations', () => {
    const state = folded([anInvalid({ sandbox: true, publisherGeneration: 2, account: 'account-1' })]);
    expect(Object.keys(told(state))).to.have.members([
      'publisher:publisher-1:2026-03-14T12:sandbox.2',
      'dsp:dsp-1:2026-03-14T12:sandbox',
      'platform:exchange:2026-03-14T12:sandbox',
    ]);
  });

  it('goes on with the counts of a state that was stored', () => {
    const stored = JSON.parse(JSON.stringify(folded([anInvalid()])));
    const state = folded([anInvalid({ id: 'b' })], stored, 1);
    const [region] = told(state)['dsp:dsp-1:2026-03-14T12']!.regions;
    expect(region!.counts).to.deep.equal({ 'invalid/bot-user-agent': 2, invalidNanos: 2 * GROSS });
  });

  it('takes up what a release has stored that knew valid impressions alone', () => {
    const { taken: _, ...day } = folded([aValid(), aValid({ id: 'b' })]).day;
    const stored = { ...folded([aValid(), aValid({ id: 'b' })]), day };
    const state = impressionRollup.upgrade!(stored, 5) as ImpressionRollupState;
    expect(acceptedIdsOf(state.day)).to.equal(2);
    expect(folded([anInvalid({ id: 'c' }), aValid({ id: 'd' })], state, 2).day.taken).to.equal(4);
  });

  it('takes reasons of newer edges, and no text that is no name', () => {
    const checked = Compile(InvalidImpression);
    expect(checked.Check({ ...IMPRESSION, reason: 'a-reason-of-tomorrow' })).to.equal(true);
    for (const reason of ['', 'A b', 'x'.repeat(33), 'a/b', 'a|b', 7]) {
      expect(checked.Check({ ...IMPRESSION, reason }), String(reason)).to.equal(false);
    }
  });

  it('counts an invalid impression without its price where the sum would not be exact', () => {
    const state = folded([anInvalid()]);
    state.day.invalid!.invalidNanos = Number.MAX_SAFE_INTEGER;
    folded([anInvalid({ id: 'b' }), aValid({ id: 'c' })], state, 1);
    expect(state.day).to.deep.include({ impressions: 1, taken: 3 });
    expect(state.day.invalid).to.deep.equal({
      'invalid/bot-user-agent': 2,
      invalidNanos: Number.MAX_SAFE_INTEGER,
    });
  });
});
