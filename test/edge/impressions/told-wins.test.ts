import { expect } from 'chai';
import { WinNotifier } from '#edge/impressions/told-wins';
import { CountersUnavailable } from '#runtime/ports/errors';
import type { MarkKey } from '#runtime/ports/expiring-marks';
import { systemClock } from '#runtime/providers/system/system-clock';

const LATER_MS = Date.now() + 60_000;
const URL = 'https://dsp.test/won';

/** Room for one mark in each group, as `ExpiringMarks.putWithin` keeps it. */
class SharedMarks {
  readonly #holders = new Map<string, string>();
  away = false;

  async putWithin({ group }: MarkKey, mark: string): Promise<boolean> {
    if (this.away) throw new CountersUnavailable('away');
    if (!this.#holders.has(group)) this.#holders.set(group, mark);
    return this.#holders.get(group) === mark;
  }
}

describe('the wins that demand sources are notified of', () => {
  let told: string[];
  const edge = (name: string, marks?: SharedMarks) =>
    new WinNotifier({
      edge: name,
      clock: systemClock,
      onWin: (url) => told.push(`${name} ${url}`),
      ...(marks && { marks }),
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  beforeEach(() => {
    told = [];
  });

  it('are notified once by one edge, whether a report or a billed impression comes first', () => {
    const wins = edge('one');
    for (let times = 0; times < 3; times++) wins.tell('a', URL, 'dsp-1', LATER_MS);
    wins.tell('b', URL, 'dsp-1', LATER_MS);
    expect(told).to.deep.equal([`one ${URL}`, `one ${URL}`]);
  });

  it('are notified by one of several edges', async () => {
    const marks = new SharedMarks();
    const [one, other] = [edge('one', marks), edge('other', marks)];
    one.tell('a', URL, 'dsp-1', LATER_MS);
    other.tell('a', URL, 'dsp-1', LATER_MS);
    other.tell('b', URL, 'dsp-1', LATER_MS);
    await settled();
    expect(told).to.deep.equal([`one ${URL}`, `other ${URL}`]);
  });

  it('are notified all the same while the edges cannot reach what they share', async () => {
    const marks = new SharedMarks();
    marks.away = true;
    edge('one', marks).tell('a', URL, 'dsp-1', LATER_MS);
    await settled();
    expect(told).to.deep.equal([`one ${URL}`]);
  });
});
