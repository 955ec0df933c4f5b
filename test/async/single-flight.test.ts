import { expect } from 'chai';
import { SingleFlight } from '../../async/single-flight.ts';

describe('async/single-flight', () => {
  it('begins work once for each key while it is under way, and anew when it has ended', async () => {
    const flights = new SingleFlight<number>();
    const ends: (() => void)[] = [];
    const work = () => new Promise<number>((resolve) => ends.push(() => resolve(ends.length)));
    const [first, shared, other] = [flights.run(work, 'a'), flights.run(work, 'a'), flights.run(work, 'b')];
    expect(shared).to.equal(first);
    expect(other).not.to.equal(first);
    expect([ends.length, flights.size]).to.deep.equal([2, 2]);
    for (const end of ends) end();
    expect(await Promise.all([first, shared, other])).to.deep.equal([2, 2, 2]);
    expect(flights.size).to.equal(0);
    void flights.run(work, 'a');
    expect(ends).to.have.length(3);
  });

  it('shares a failure, and begins anew after it', async () => {
    const flights = new SingleFlight<string>();
    const failing = () => Promise.reject(new Error('failed'));
    const outcomes = await Promise.allSettled([flights.run(failing), flights.run(failing)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await flights.run(async () => 'again')).to.equal('again');
  });

  it('is settled when nothing is under way, whatever came of it', async () => {
    const flights = new SingleFlight<void>();
    let fail = () => {};
    const flight = flights.run(() => new Promise<void>((_, reject) => (fail = () => reject(new Error('failed')))));
    flight.catch(() => {});
    const settling = flights.settled();
    fail();
    await settling;
    expect(flights.size).to.equal(0);
  });
});
