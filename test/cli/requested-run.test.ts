import { expect } from 'chai';
import { RequestedRun, type ShownJob } from '../../cli/jobs/requested-run.ts';

const at = (second: number) => new Date(Date.UTC(2031, 2, 10, 12, 0, second)).toISOString();

const idle: ShownJob = {
  running: null,
  last_run: { started_at: at(1), outcome: 'of an earlier run' },
  failures: 0,
  last_failure: null,
};
const under = (second: number) => ({ running: { started_at: at(second) } });
const done = (second: number) => ({
  running: null,
  last_run: { started_at: at(second), outcome: 'done' },
  failures: 0,
});
const failed = (second: number, failures: number) => ({
  ...{ running: null, failures },
  last_failure: { at: at(second), reason: `a fault at ${second}` },
});

describe('a run of a job that is asked for', () => {
  it('has not ended while the job shows an earlier run', () => {
    const run = new RequestedRun(idle);
    expect(run.observe(idle)).to.deep.equal({ phase: 'waiting' });
    expect(run.observe({ ...idle, ...under(5) })).to.deep.equal({ phase: 'running', startedAt: at(5) });
    expect(run.observe({ ...idle, ...done(5) })).to.deep.equal({ phase: 'done' });
  });

  it('is done when it was never seen under way', () => {
    expect(new RequestedRun(idle).observe({ ...idle, ...done(5) })).to.deep.equal({ phase: 'done' });
    const never = { ...idle, last_run: null };
    expect(new RequestedRun(never).observe({ ...never, ...done(5) })).to.deep.equal({ phase: 'done' });
  });

  it('is not the run that was under way before it was asked for', () => {
    const before = { ...idle, ...under(3) };
    const run = new RequestedRun(before);
    expect(run.observe(before)).to.deep.equal({ phase: 'waiting' });
    expect(run.observe({ ...idle, ...done(3) })).to.deep.equal({ phase: 'waiting' });
    expect(run.observe({ ...idle, ...done(3), ...under(6) })).to.deep.equal({ phase: 'running', startedAt: at(6) });
    expect(run.observe({ ...idle, ...done(6) })).to.deep.equal({ phase: 'done' });
  });

  it('has failed when a failure follows that is its own', () => {
    const failure = { phase: 'failed', reason: 'a fault at 6' };
    const once = { ...idle, ...failed(2, 1) };
    expect(new RequestedRun(once).observe(once)).to.deep.equal({ phase: 'waiting' });
    expect(new RequestedRun(once).observe({ ...once, ...failed(6, 2) })).to.deep.equal(failure);
    const run = new RequestedRun({ ...idle, ...under(3) });
    expect(run.observe({ ...idle, ...failed(4, 1) }), 'of the run before').to.deep.equal({ phase: 'waiting' });
    expect(run.observe({ ...idle, ...failed(4, 1), ...under(5) }).phase).to.equal('running');
    expect(run.observe({ ...idle, ...failed(6, 2) })).to.deep.equal(failure);
  });

  it('has failed when two failures follow a run that was under way', () => {
    const run = new RequestedRun({ ...idle, ...under(3) });
    expect(run.observe({ ...idle, ...failed(6, 2) })).to.deep.equal({ phase: 'failed', reason: 'a fault at 6' });
  });
});
