import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { Installation } from './installation.ts';
import { SandboxTraffic } from './sandbox-traffic.ts';

const ROUNDS = 4;
const WORKERS = 8;
const IMPRESSIONS_PER_ROUND = 60;

describe('the program, killed under a stream of impressions', () => {
  let installation: Installation;
  before(async () => {
    installation = await Installation.make({
      BOOTSTRAP_API_KEY: 'pk_live_of-this-test',
      BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-this-test',
    });
  });
  after(() => installation.remove());

  it('has each answered impression in its ledgers exactly once', async () => {
    const traffic = new SandboxTraffic(installation);
    const killed = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const run = await installation.start();
      killed.push(run);
      const until = traffic.confirmed + IMPRESSIONS_PER_ROUND + 7 * round;
      traffic.start(WORKERS);
      await eventually('impressions', () => traffic.confirmed >= until, { timeoutMs: 60_000, everyMs: 1 });
      await run.kill();
      await traffic.end();
    }
    expect(traffic.unanswered, 'calls cut off').to.be.above(0);

    const run = await installation.start();
    // Calls that were cut off may count or not: called again they do, once. The answered ones are
    // not called again before the books have shown them.
    const cutOff = [...traffic.pixels].filter(([, answered]) => !answered).map(([url]) => url);
    for (const url of cutOff) await traffic.confirm(url);
    await traffic.expectBooks();
    for (const url of traffic.pixels.keys()) await traffic.confirm(url);
    await traffic.expectBooks();
    run.signal('SIGTERM');
    expect(await run.exited).to.equal(0);

    await installation.start();
    for (const url of traffic.pixels.keys()) await traffic.confirm(url);
    await traffic.expectBooks();
    console.log(
      `      ${traffic.pixels.size} impressions through ${ROUNDS} kills, ${traffic.unanswered} calls cut off`,
    );
    for (const { stderr } of killed) expect(stderr).to.equal('');
  });
});
