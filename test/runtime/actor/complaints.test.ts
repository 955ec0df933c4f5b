import { expect } from 'chai';
import { Complaints } from '#runtime/actor/complaints';
import { SteppedClock } from '../node/stepped-clock.ts';

const MINUTE_MS = 60_000;

class Log {
  readonly clock = new SteppedClock();
  readonly lines: string[] = [];
  readonly complaints: Complaints;

  constructor() {
    const note = (level: string) => (fields: object, message: string) =>
      this.lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    this.complaints = new Complaints({ logger, clock: this.clock });
  }
}

describe('complaints', () => {
  it('are logged when a trouble begins, once a minute, and when it is over, with how often and how long', async () => {
    const log = new Log();
    log.complaints.warn({ nth: 0 }, 'it is away');
    expect(log.lines).to.deep.equal(['warn it is away {"nth":0}']);
    for (let nth = 1; nth <= 540; nth++) {
      log.clock.pass(100);
      log.complaints.warn({ nth }, 'it is away');
    }
    expect(log.lines).to.have.length(1);
    await log.clock.step();
    expect(log.lines[1]).to.equal(`warn it is away; it goes on {"nth":540,"times":541,"forMs":${MINUTE_MS}}`);
    log.clock.pass(1_000);
    log.complaints.warn({ nth: 541 }, 'it is away');
    await log.clock.step();
    expect(log.lines[2]).to.contain('it goes on');
    await log.clock.step();
    expect(log.lines[3]).to.equal('info it is away; no more of it {"nth":541,"times":542,"forMs":61000}');
    expect(log.lines).to.have.length(4);
    expect(log.clock.timers).to.equal(0);
    log.complaints.warn({ nth: 0 }, 'it is away');
    expect(log.lines[4]).to.equal('warn it is away {"nth":0}');
  });

  it('are told apart by their message and their kind', () => {
    const log = new Log();
    log.complaints.warn({}, 'it is away', 'a');
    log.complaints.warn({}, 'it is away', 'b');
    log.complaints.error({}, 'it is lost', 'a');
    log.complaints.error({}, 'it is lost', 'a');
    expect(log.lines).to.deep.equal(['warn it is away {}', 'warn it is away {}', 'error it is lost {}']);
  });

  it('say nothing more of what came once', async () => {
    const log = new Log();
    log.complaints.error({}, 'it is lost');
    await log.clock.step();
    expect(log.lines).to.have.length(1);
    expect(log.clock.timers).to.equal(0);
  });

  it('are summed up at the end of the process', () => {
    const log = new Log();
    log.complaints.warn({}, 'it is away');
    log.clock.pass(5_000);
    log.complaints.warn({}, 'it is away');
    log.complaints.close();
    expect(log.lines[1]).to.equal('info it is away; no more of it {"times":2,"forMs":5000}');
    expect(log.clock.timers).to.equal(0);
  });
});
