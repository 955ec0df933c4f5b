import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { mongodbUrl } from '../../support/real-servers.ts';
import { requireRedisServer } from '../../support/redis-server.ts';
import { sentinel } from '../scenarios/sentinel.ts';
import { runScenario } from './run-scenario.ts';

describe('faults on real servers, in their shortest form', () => {
  it('bill what was acknowledged, once, where Sentinel replaces a primary that is killed under load', async function () {
    requireRedisServer(this);
    const options = { seed: randomInt(1_000_000), safe: true, small: true, rounds: 1, mongodbUrl: mongodbUrl(this) };
    const { outcome, seed } = await runScenario(sentinel, options);
    const { acknowledged, lost, doubled, recoveredMs } = outcome;
    process.stdout.write(
      `      seed ${seed}: ${acknowledged} impressions, recovered after ${Math.round(recoveredMs)} ms\n`,
    );
    expect([lost, doubled]).to.deep.equal([0, 0]);
    expect(acknowledged).to.be.at.least(100);
  });
});
