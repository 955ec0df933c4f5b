import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Context } from 'mocha';
import type { Counters } from '../../runtime/ports/counters.ts';
import { CountersUnavailable } from '../../runtime/ports/errors.ts';
import { eventually } from '../support/eventually.ts';
import { skipWithReason } from '../support/skipped-tests.ts';

const ONE_PROCESS = 'these count in one process';
const NOTHING_BETWEEN = 'nothing stands between these and what they are kept in';

export interface CountersHarness {
  counters: Counters;
  /** Another process that counts with it; absent where there is but one. */
  readonly other?: Counters;
  /** Closes and opens `counters` on what was kept; absent where nothing is kept. */
  reopen?(): Promise<void>;
  /** Takes away what the counters are kept in; the function that it resolves with brings it back. */
  interrupt?(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const STRANGE = ['', 'a', 'a}', '{a}', 'a:b', '1:a', 'a b\n', '日本', 'nul\0', 'long'.repeat(400)];

/**
 * The conformance suite of `ExpiringMarks` and `ExpiringSums`. What a technology has not (see {@link CountersHarness})
 * is skipped.
 */
export function countersContract(name: string, open: (test: Context) => Promise<CountersHarness>): void {
  describe(`the contract of expiring counters, kept by ${name}`, () => {
    let harness: CountersHarness;
    before(async function () {
      harness = await open(this);
    });
    after(() => harness?.close());

    describe('marks', () => {
      let now: number;
      beforeEach(() => {
        now = Date.now();
      });
      const place = () => ({ group: randomUUID(), key: 'campaign' });
      const put = (at: { group: string; key: string }, mark: string, untilMs = now + HOUR_MS) =>
        harness.counters.marks.put(at, mark, untilMs, now);
      const count = async (at: { group: string; key: string }, atMs = now, counters = harness.counters) =>
        (await counters.marks.count(at.group, [at.key], atMs))[0];

      it('counts each mark once, however often it is set', async () => {
        const at = place();
        expect(await count(at)).to.equal(0);
        for (const mark of ['a', 'b', 'a']) await put(at, mark);
        expect(await count(at)).to.equal(2);
      });

      it('counts the marks of several groups at once', async () => {
        const places = Array.from({ length: 8 }, place);
        await Promise.all(places.map((at, index) => put(at, `${index}`)));
        await put(places[3]!, 'another');
        expect(await Promise.all(places.map((at) => count(at)))).to.deep.equal([1, 1, 1, 2, 1, 1, 1, 1]);
      });

      it('counts a mark until its own end', async () => {
        const at = place();
        await put(at, 'short', now + 1000);
        await put(at, 'long', now + HOUR_MS);
        expect(await count(at, now + 999)).to.equal(2);
        expect(await count(at, now + 1000)).to.equal(1);
        expect(await count(at, now + HOUR_MS)).to.equal(0);
      });

      it('moves a mark to a later end, never to an earlier one', async () => {
        const at = place();
        await put(at, 'mark', now + 2000);
        await put(at, 'mark', now + 1000);
        expect(await count(at, now + 1500)).to.equal(1);
        await put(at, 'mark', now + HOUR_MS);
        expect(await count(at, now + 2000)).to.equal(1);
      });

      it('counts many keys of a group at once, in their order', async () => {
        const { group } = place();
        await put({ group, key: 'b' }, 'one');
        await put({ group, key: 'b' }, 'two');
        await put({ group, key: 'c' }, 'one');
        const { marks } = harness.counters;
        expect(await marks.count(group, ['a', 'b', 'c', 'b'], now)).to.deep.equal([0, 2, 1, 2]);
        expect(await marks.count(group, [], now)).to.deep.equal([]);
      });

      it('keeps groups, keys and marks apart, whatever characters they have', async () => {
        const prefix = randomUUID();
        const places = STRANGE.flatMap((group) => STRANGE.map((key) => ({ group: `${prefix}${group}`, key })));
        for (const at of places) await put(at, at.key);
        for (const at of places) expect(await count(at), JSON.stringify(at)).to.equal(1);
        const [at] = places;
        for (const mark of STRANGE) await put(at!, mark);
        expect(await count(at!)).to.equal(STRANGE.length);
      });

      it('lets no more in than there is room for, of any number at once', async () => {
        const at = place();
        const all = [harness.counters, harness.other ?? harness.counters];
        const outcomes = await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            all[index % 2]!.marks.putWithin(at, `mark-${index}`, now + HOUR_MS, 3, now),
          ),
        );
        expect(outcomes.filter((within) => within)).to.have.length(3);
        expect(await count(at)).to.equal(3);
      });

      it('has room for a mark that is there, and again when one has ended', async () => {
        const at = place();
        const { marks } = harness.counters;
        expect(await marks.putWithin(at, 'a', now + 1000, 1, now)).to.equal(true);
        expect(await marks.putWithin(at, 'a', now + 2000, 1, now)).to.equal(true);
        expect(await marks.putWithin(at, 'b', now + HOUR_MS, 1, now + 1999)).to.equal(false);
        expect(await marks.putWithin(at, 'b', now + HOUR_MS, 1, now + 2000)).to.equal(true);
        expect(await marks.putWithin(place(), 'c', now + HOUR_MS, 0, now)).to.equal(false);
      });

      it('sets a mark beyond the limit when the caller sets no limit', async () => {
        const at = place();
        await harness.counters.marks.putWithin(at, 'a', now + 1000, 1, now);
        await put(at, 'b');
        expect(await count(at)).to.equal(2);
      });

      it('takes one mark away, and makes room', async () => {
        const at = place();
        const { marks } = harness.counters;
        for (const mark of ['a', 'b']) await put(at, mark);
        await put({ ...at, key: 'other' }, 'a');
        await marks.remove(at, 'a');
        await marks.remove(at, 'a');
        await marks.remove(place(), 'a');
        expect(await marks.count(at.group, [at.key, 'other'], now)).to.deep.equal([1, 1]);
        expect(await marks.putWithin(at, 'c', now + HOUR_MS, 2, now)).to.equal(true);
      });

      it('shares marks with other processes', async function () {
        if (!harness.other) skipWithReason(this, ONE_PROCESS);
        const at = place();
        await put(at, 'a');
        expect(await count(at, now, harness.other)).to.equal(1);
      });
    });

    describe('sums', () => {
      const later = () => Date.now() + HOUR_MS;
      const add = (key: string, amount: number, expiresAtMs = later(), counters = harness.counters) =>
        counters.sums.add([{ key, amount, expiresAtMs }]);
      const read = async (key: string, counters = harness.counters) => (await counters.sums.read([key]))[0];

      it('adds, and takes away', async () => {
        const key = randomUUID();
        expect(await read(key)).to.equal(0);
        expect(await add(key, 7)).to.deep.equal([true]);
        await add(key, -2);
        expect(await read(key)).to.equal(5);
      });

      it('adds to many at once, to one of them twice, and reads in order', async () => {
        const [a, b] = [randomUUID(), randomUUID()];
        const changes = [a, b, a].map((key, index) => ({ key, amount: 10 ** index, expiresAtMs: later() }));
        expect(await harness.counters.sums.add(changes)).to.deep.equal([true, true, true]);
        expect(await harness.counters.sums.read([b, 'none', a])).to.deep.equal([10, 0, 101]);
        expect(await harness.counters.sums.add([])).to.deep.equal([]);
        expect(await harness.counters.sums.read([])).to.deep.equal([]);
      });

      it('reads more keys than any account has campaigns', async () => {
        const prefix = randomUUID();
        const keys = Array.from({ length: 2500 }, (_, index) => `${prefix}${index}`);
        await harness.counters.sums.add(keys.map((key, index) => ({ key, amount: index, expiresAtMs: later() })));
        expect(await harness.counters.sums.read(keys)).to.deep.equal(keys.map((_, index) => index));
      });

      it('keeps keys apart, whatever characters they have', async () => {
        const prefix = randomUUID();
        const keys = STRANGE.map((key) => `${prefix}${key}`);
        for (const [index, key] of keys.entries()) await add(key, index + 1);
        expect(await harness.counters.sums.read(keys)).to.deep.equal(keys.map((_, index) => index + 1));
      });

      it('loses nothing of many that add at once', async () => {
        const key = randomUUID();
        const all = [harness.counters, harness.other ?? harness.counters];
        await Promise.all(Array.from({ length: 200 }, (_, index) => add(key, index, later(), all[index % 2]!)));
        expect(await read(key)).to.equal(19_900);
      });

      it('is exact up to 2^53 and takes nothing that is no whole number', async () => {
        const key = randomUUID();
        await add(key, Number.MAX_SAFE_INTEGER - 1);
        await add(key, 1);
        expect(await read(key)).to.equal(Number.MAX_SAFE_INTEGER);
        for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
          const refused = await add(key, amount).catch((error: unknown) => error);
          expect(refused, String(amount)).to.be.instanceOf(RangeError);
        }
        expect(await read(key)).to.equal(Number.MAX_SAFE_INTEGER);
      });

      it('forgets a sum at the latest end that was said, and begins anew', async () => {
        const key = randomUUID();
        const kept = randomUUID();
        const soon = Date.now() + 300;
        await add(key, 5, soon);
        await add(kept, 5, later());
        await add(kept, 5, soon);
        await eventually('the sum to be forgotten', async () => (await read(key)) === 0);
        expect(await read(kept)).to.equal(10);
        await add(key, 3);
        expect(await read(key)).to.equal(3);
      });

      it('shares sums with other processes', async function () {
        if (!harness.other) skipWithReason(this, ONE_PROCESS);
        const key = randomUUID();
        await add(key, 2);
        await add(key, 1, later(), harness.other);
        expect([await read(key), await read(key, harness.other)]).to.deep.equal([3, 3]);
      });
    });

    describe('texts', () => {
      it('are found by their names, whatever characters either has, until they expire', async () => {
        const { texts } = harness.counters;
        const prefix = randomUUID();
        for (const name of STRANGE) await texts.put(`${prefix}${name}`, `of ${name}`, HOUR_MS);
        for (const name of STRANGE) expect(await texts.get(`${prefix}${name}`)).to.equal(`of ${name}`);
        expect(await texts.get(randomUUID())).to.equal(null);
        const short = randomUUID();
        await texts.put(short, 'short', 30);
        await eventually('a text to expire', async () => (await texts.get(short)) === null);
        expect(await texts.get(`${prefix}a`)).to.equal('of a');
      });

      it('are shared with other processes', async function () {
        if (!harness.other) skipWithReason(this, ONE_PROCESS);
        const name = randomUUID();
        await harness.counters.texts.put(name, 'shared', HOUR_MS);
        expect(await harness.other!.texts.get(name)).to.equal('shared');
      });
    });

    describe('broadcasts', () => {
      it('are read by every reader after its own place, in order and in parts', async () => {
        const { broadcasts } = harness.counters;
        const topic = `topic ${randomUUID()}`;
        const begun = await broadcasts.read(topic, null, 10);
        expect(begun.texts).to.deep.equal([]);
        for (const text of ['a', 'b', STRANGE.join('|')]) await broadcasts.publish(topic, text);
        const first = await broadcasts.read(topic, begun.place, 2);
        expect(first).to.deep.include({ texts: ['a', 'b'], missed: false });
        const second = await broadcasts.read(topic, first.place, 2);
        expect(second).to.deep.include({ texts: [STRANGE.join('|')], missed: false });
        expect(await broadcasts.read(topic, second.place, 2)).to.deep.equal({ ...second, texts: [] });
        const late = await broadcasts.read(topic, null, 10);
        await broadcasts.publish(topic, 'd');
        expect((await broadcasts.read(topic, late.place, 10)).texts).to.deep.equal(['d']);
        expect((await broadcasts.read(`other ${topic}`, null, 10)).texts).to.deep.equal([]);
      });

      it('say that some were missed when they are kept no more', async () => {
        const { broadcasts } = harness.counters;
        const topic = randomUUID();
        await broadcasts.publish(topic, 'first');
        const { place } = await broadcasts.read(topic, null, 1);
        for (let from = 0; from < 12_000; from += 1_000) {
          await Promise.all(Array.from({ length: 1_000 }, (_, index) => broadcasts.publish(topic, `${from + index}`)));
        }
        const part = await broadcasts.read(topic, place, 10);
        expect(part.missed).to.equal(true);
        expect(Number(part.texts[0])).to.be.above(0);
        expect((await broadcasts.read(topic, part.place, 10)).missed).to.equal(false);
      });

      it('are shared with other processes', async function () {
        const { counters, other } = harness;
        if (other === undefined) return skipWithReason(this, ONE_PROCESS);
        const topic = randomUUID();
        const { place } = await other.broadcasts.read(topic, null, 1);
        await counters.broadcasts.publish(topic, 'to all');
        expect((await other.broadcasts.read(topic, place, 10)).texts).to.deep.equal(['to all']);
      });
    });

    it('finds after a restart what was acknowledged before', async function () {
      if (!harness.reopen) skipWithReason(this, 'these counters keep nothing');
      const now = Date.now();
      const at = { group: randomUUID(), key: 'campaign' };
      const key = randomUUID();
      await harness.counters.marks.put(at, 'a', now + HOUR_MS, now);
      await harness.counters.marks.putWithin(at, 'b', now + HOUR_MS, 2, now);
      await harness.counters.marks.put(at, 'gone', now + HOUR_MS, now);
      await harness.counters.marks.remove(at, 'gone');
      await harness.counters.sums.add([{ key, amount: 4, expiresAtMs: now + HOUR_MS }]);
      await harness.counters.sums.add([{ key, amount: 5, expiresAtMs: now + HOUR_MS }]);
      await harness.reopen!();
      expect(await harness.counters.marks.count(at.group, [at.key], now)).to.deep.equal([2]);
      expect(await harness.counters.marks.putWithin(at, 'c', now + HOUR_MS, 2, now)).to.equal(false);
      expect(await harness.counters.sums.read([key])).to.deep.equal([9]);
    });

    it('says at once that it cannot be reached, and goes on when it can', async function () {
      if (!harness.interrupt) skipWithReason(this, NOTHING_BETWEEN);
      const { marks, sums, texts } = harness.counters;
      const now = Date.now();
      const at = { group: randomUUID(), key: 'campaign' };
      const key = randomUUID();
      await marks.put(at, 'before', now + HOUR_MS, now);
      const restore = await harness.interrupt!();
      try {
        await eventually('the interruption', async () => (await sums.read([key]))[0] === null);
        const began = performance.now();
        for (const asked of [
          () => marks.count(at.group, [at.key], now),
          () => marks.put(at, 'during', now + HOUR_MS, now),
          () => marks.putWithin(at, 'during', now + HOUR_MS, 9, now),
          () => texts.put('during', 'text', HOUR_MS),
          () => texts.get('before'),
        ]) {
          expect(await asked().catch((error: unknown) => error)).to.be.instanceOf(CountersUnavailable);
        }
        expect(await sums.add([{ key, amount: 1, expiresAtMs: now + HOUR_MS }])).to.deep.equal([false]);
        expect(performance.now() - began).to.be.below(1000);
      } finally {
        await restore();
      }
      await eventually('the counters to come back', async () => (await sums.read([key]))[0] !== null);
      expect(await marks.count(at.group, [at.key], now)).to.deep.equal([1]);
    });

    it('takes nothing once it is closed', async function () {
      if (!harness.reopen) skipWithReason(this, 'these counters keep nothing');
      const closed = harness.counters;
      await harness.reopen!();
      const refused = await closed.marks.count('group', ['key'], 0).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(CountersUnavailable);
      expect(await closed.sums.read(['key'])).to.deep.equal([null]);
      expect(await closed.sums.add([{ key: 'key', amount: 1, expiresAtMs: 1 }])).to.deep.equal([false]);
    });
  });
}
