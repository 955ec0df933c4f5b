import { expect } from 'chai';
import { CircuitBreaker } from '#gateways/bidders/circuit-breaker';
import type { BreakerSettings } from '#gateways/bidders/settings';

const settings: BreakerSettings = {
  windowMs: 10_000,
  minimumCalls: 4,
  timeoutRate: 0.5,
  errorRate: 0.5,
  openMs: 30_000,
  probesToClose: 2,
};

function call(breaker: CircuitBreaker, nowMs: number, end: 'answered' | 'timedOut' | 'failed'): boolean {
  const ticket = breaker.admit(nowMs);
  if (ticket < 0) return false;
  breaker[end](ticket, nowMs);
  return true;
}

function opened(): CircuitBreaker {
  const breaker = new CircuitBreaker(settings);
  for (let i = 0; i < 4; i++) call(breaker, 1_000, 'timedOut');
  return breaker;
}

describe('circuit breaker', () => {
  it('stays closed below the minimum of calls, however bad they are', () => {
    const breaker = new CircuitBreaker(settings);
    for (let i = 0; i < 3; i++) call(breaker, 0, 'timedOut');
    expect(breaker.state(0)).to.equal('closed');
  });

  for (const bad of ['timedOut', 'failed'] as const) {
    it(`opens when half of the calls ${bad === 'failed' ? 'fail' : 'time out'}`, () => {
      const breaker = new CircuitBreaker(settings);
      for (let i = 0; i < 4; i++) call(breaker, 0, 'answered');
      for (let i = 0; i < 3; i++) call(breaker, 0, bad);
      expect(breaker.state(0)).to.equal('closed');
      call(breaker, 0, bad);
      expect(breaker.state(0)).to.equal('open');
      expect(breaker.admit(0)).to.equal(-1);
    });
  }

  it('forgets what has left the window', () => {
    const breaker = new CircuitBreaker(settings);
    for (let i = 0; i < 3; i++) call(breaker, 0, 'timedOut');
    call(breaker, 10_500, 'timedOut');
    expect(breaker.state(10_500)).to.equal('closed');
  });

  it('lets one probe at a time through when its pause is over', () => {
    const breaker = opened();
    expect(breaker.admit(30_999)).to.equal(-1);
    expect(breaker.state(31_000)).to.equal('half_open');
    const probe = breaker.admit(31_000);
    expect(probe).to.be.at.least(0);
    expect(breaker.admit(31_000)).to.equal(-1);
    breaker.answered(probe, 31_050);
    expect(breaker.state(31_050)).to.equal('half_open');
    expect(breaker.admit(31_050)).to.be.at.least(0);
  });

  it('closes after enough good probes and opens again on a bad one', () => {
    const breaker = opened();
    call(breaker, 31_000, 'answered');
    call(breaker, 31_001, 'answered');
    expect(breaker.state(31_001)).to.equal('closed');

    const again = opened();
    call(again, 31_000, 'answered');
    call(again, 31_001, 'failed');
    expect(again.state(31_002)).to.equal('open');
    expect(again.state(61_001)).to.equal('half_open');
  });

  it('takes a call back that was not made: it counts for nothing, and the next probe may go', () => {
    const breaker = new CircuitBreaker(settings);
    for (let i = 0; i < 3; i++) call(breaker, 0, 'timedOut');
    for (let i = 0; i < 9; i++) breaker.withdrawn(breaker.admit(0));
    expect(breaker.state(0)).to.equal('closed');
    call(breaker, 0, 'timedOut');
    expect(breaker.state(0)).to.equal('open');
    breaker.withdrawn(breaker.admit(30_000));
    expect(breaker.state(30_000)).to.equal('half_open');
    expect(call(breaker, 30_000, 'answered')).to.equal(true);
  });

  it('does not let a call from before it opened settle a probe', () => {
    const breaker = new CircuitBreaker(settings);
    const late = breaker.admit(0);
    for (let i = 0; i < 4; i++) call(breaker, 0, 'timedOut');
    breaker.admit(30_000);
    breaker.answered(late, 30_001);
    expect(breaker.admit(30_001), 'a second probe beside the first').to.equal(-1);
    breaker.failed(late, 30_001);
    expect(breaker.state(30_001)).to.equal('half_open');
  });

  it('closes at once when reset, and trips again when the bidder is still bad', () => {
    const breaker = opened();
    breaker.reset();
    expect(breaker.state(1_001)).to.equal('closed');
    for (let i = 0; i < 4; i++) call(breaker, 1_002, 'timedOut');
    expect(breaker.state(1_003)).to.equal('open');
  });
});
