import { expect } from 'chai';
import fc from 'fast-check';
import type { FactCounts } from '#actors/ledger/messages';
import { emptyLedger, ledgerHandlers } from '#actors/ledger/reduce';
import type { LedgerState } from '#actors/ledger/state';
import { CountsSum } from '#edge/facts/counts-sum';
import { encodeEnvelope } from '#runtime/node/envelope';

const HOUR_MS = Date.UTC(2026, 2, 14, 12);
const MINUTE_MS = 60_000;

interface Message {
  readonly to: string;
  readonly body: FactCounts;
}

/** Edges leave out what is 0. */
const count = fc.integer({ min: 1, max: 1_000 });
const rows = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'ä.$'),
      ...{ bids: count, wins: count, measurable: count, viewable: count },
    },
    { requiredKeys: ['id', 'bids', 'wins'] },
  ),
  { selector: ({ id }) => id },
);
const message: fc.Arbitrary<Message> = fc.record({
  to: fc.constantFrom('publisher:p', 'dsp:d').map((owner) => `facts/${owner}:2026-03-14T12`),
  body: fc.record({
    minuteMs: fc.nat(3).map((minute) => HOUR_MS + minute * MINUTE_MS),
    region: fc.constant('nyc'),
    counts: fc.dictionary(fc.constantFrom('auctions', 'imps', 'losses/price', 'blocked/bot'), count),
    counterparties: rows,
    creatives: rows,
    latency: fc.dictionary(fc.integer({ min: -40, max: 400 }).map(String), fc.integer({ min: 1, max: 50 })),
  }),
});

function encoded({ to, body }: Message, number: number): string {
  return encodeEnvelope({ to, type: 'facts', body, from: 'edge', sequence: `${number}` });
}

function summed(messages: readonly Message[]): Message[] {
  const sum = new CountsSum();
  for (const [number, one] of messages.entries()) sum.add(encoded(one, number));
  expect(sum.unsummed()).to.deep.equal([]);
  expect(sum.summed()).to.have.lengthOf(sum.size);
  return sum.summed() as (Message & { index: number })[];
}

/** The ledgers that have received these messages. */
function received(messages: readonly Message[]): Record<string, LedgerState> {
  const ledgers: Record<string, LedgerState> = {};
  for (const { to, body } of messages) {
    const id = to.slice('facts/'.length);
    ledgers[id] ??= emptyLedger(id);
    const context = { id, address: to, nowMs: HOUR_MS, position: `${HOUR_MS}-0`, random: () => 0 };
    ledgerHandlers.facts(ledgers[id], structuredClone(body), context);
  }
  return ledgers;
}

/** Figures by what they count, without those that are 0. */
function figures(messages: readonly Message[]): Record<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, times: number) => {
    if (times > 0) sums.set(name, (sums.get(name) ?? 0) + times);
  };
  for (const { to, body } of messages) {
    const of = `${to} ${body.minuteMs} ${body.region}`;
    for (const part of ['counts', 'latency'] as const)
      for (const [name, times] of Object.entries(body[part])) add(`${of} ${part} ${name}`, times);
    for (const part of ['counterparties', 'creatives'] as const)
      for (const { id, ...row } of body[part])
        for (const [name, times] of Object.entries(row)) add(`${of} ${part} ${id} ${name}`, times as number);
  }
  return Object.fromEntries([...sums].sort());
}

describe("the sum of a region's counts", () => {
  it('is for a ledger what the counts of its edges are one by one, in at most one message of an address and minute', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
        const sums = summed(messages);
        expect(figures(sums)).to.deep.equal(figures(messages));
        const of = ({ to, body }: Message) => `${to} ${body.minuteMs}`;
        expect(new Set(sums.map(of)).size).to.equal(sums.length);
        expect(new Set(messages.map(of)).size).to.equal(sums.length);
      }),
      { numRuns: 100 },
    );
  });

  it('makes the documents that its parts make', () => {
    // Names that no page of a minute would sum as others, and minutes in their order: both decide about rows alone.
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const inOrder = messages.toSorted((one, other) => one.body.minuteMs - other.body.minuteMs);
        const ofParts = received(inOrder);
        const ofSums = received(summed(inOrder));
        for (const id of Object.keys(ofParts)) expect(hourOf(ofSums[id]!)).to.deep.equal(hourOf(ofParts[id]!));
        expect(Object.keys(ofSums)).to.have.members(Object.keys(ofParts));
      }),
      { numRuns: 50 },
    );
  });

  it('numbers the messages of an address by their minutes, in whose order it sends them', () => {
    const at = (minute: number) => ({
      to: 'facts/publisher:p:2026-03-14T12',
      body: {
        ...{ minuteMs: HOUR_MS + minute * MINUTE_MS, region: 'nyc', counts: { imps: 1 } },
        ...{ counterparties: [], creatives: [], latency: {} },
      },
    });
    const indexes = summed([at(1), at(0), at(1)]).map((one) => (one as Message & { index: number }).index);
    expect(indexes).to.deep.equal([HOUR_MS / MINUTE_MS, HOUR_MS / MINUTE_MS + 1]);
  });

  it('leaves what it does not know as it is, so that nothing of it is lost', () => {
    const [known] = fc.sample(message, { numRuns: 1, seed: 1 });
    const { to, body } = known!;
    const others = [
      { to, body: { ...body, unleased: [{ slotMs: 0, nanos: 5 }] } },
      { to, body: { ...body, counterparties: 'many' } },
      { to, body: { ...body, minuteMs: HOUR_MS + 1 } },
      { to, body: null },
    ].map((one, number) => encoded(one as unknown as Message, number));
    others.push(encodeEnvelope({ to, type: 'close', body: {}, from: 'edge', sequence: '9' }), '{', '[]');
    const sum = new CountsSum();
    for (const payload of [encoded(known!, 5), ...others]) sum.add(payload);
    expect(sum.unsummed().map(({ payload }) => payload)).to.deep.equal(others);
    expect(sum.summed().map((one) => one.body)).to.deep.equal([{ ...body, ...(summed([known!])[0]!.body as object) }]);
    const elsewhere = encoded({ to, body: { ...body, region: 'lon' } }, 6);
    sum.add(elsewhere);
    expect(sum.unsummed().at(-1)).to.deep.equal({ to, payload: elsewhere });
  });
});

/** A ledger's hour, whose rows have no order. */
function hourOf({ hours }: LedgerState): unknown {
  return JSON.parse(JSON.stringify(hours), (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
