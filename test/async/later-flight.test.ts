import { expect } from 'chai';
import { LaterFlight } from '#async/later-flight';

describe('a later flight', () => {
  /** The works that have begun, by their numbers; each ends when it is told to. */
  function flights() {
    const ends: ((error?: Error) => void)[] = [];
    const flight = new LaterFlight(
      () =>
        new Promise<number>((resolve, reject) => {
          const number = ends.length;
          ends.push((error) => (error ? reject(error) : resolve(number)));
        }),
    );
    return { flight, ends };
  }

  it('shares the run that begins after the one under way', async () => {
    const { flight, ends } = flights();
    const first = flight.run();
    const later = [flight.run(), flight.run()];
    expect(ends).to.have.lengthOf(1);
    ends[0]!();
    expect(await first).to.equal(0);
    const latest = flight.run();
    ends[1]!();
    expect(await Promise.all(later)).to.deep.equal([1, 1]);
    ends[2]!();
    expect(await latest, 'one was under way').to.equal(2);
    const again = flight.run();
    ends[3]!();
    expect(await again).to.equal(3);
  });

  it('goes on after a failure, which those that share it get alone', async () => {
    const { flight, ends } = flights();
    const first = flight.run().catch((error: Error) => error.message);
    const later = flight.run();
    ends[0]!(new Error('away'));
    expect(await first).to.equal('away');
    ends[1]!();
    expect(await later).to.equal(1);
  });
});
