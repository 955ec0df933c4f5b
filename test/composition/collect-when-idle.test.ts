import { expect } from 'chai';
import { IdleWatch } from '../../composition/collect-when-idle.ts';

describe('composition/collect-when-idle', () => {
  const used = { requests: 40, cpuMicros: 2_000_000 };
  const watch = () =>
    new IdleWatch(
      () => used.requests,
      () => used.cpuMicros,
    );

  it('is idle while little of a core is used and nobody calls', () => {
    const idle = watch();
    for (let look = 0; look < 3; look++) {
      used.cpuMicros += 499_000;
      expect(idle.wasIdle(5_000)).to.equal(true);
    }
  });

  it('is not idle while auctions come, however little of a core they use', () => {
    const idle = watch();
    used.requests += 1;
    used.cpuMicros += 20_000;
    expect(idle.wasIdle(5_000)).to.equal(false);
    used.cpuMicros += 20_000;
    expect(idle.wasIdle(5_000), 'nobody calls any more').to.equal(true);
  });

  it('is not idle while there is work that nobody has called for', () => {
    const idle = watch();
    used.cpuMicros += 501_000;
    expect(idle.wasIdle(5_000)).to.equal(false);
    expect(idle.wasIdle(5_000), 'that work is done').to.equal(true);
  });
});
