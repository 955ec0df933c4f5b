import { expect } from 'chai';
import { Installation } from '../composition/installation.ts';
import { EXCHANGE } from '../support/exchange-command.ts';

describe('exchange start', () => {
  let installation: Installation;
  beforeEach(async () => {
    installation = await Installation.make({ LOG_LEVEL: 'info' }, EXCHANGE);
  });
  afterEach(() => installation.remove());

  it('serves as npm start does, and stops when it is told', async () => {
    const run = installation.run({}, ['start', '--json']);
    await run.serving();
    const health = await fetch(`${installation.baseUrl}/api/health`);
    expect(health.status).to.equal(200);
    run.signal('SIGTERM');
    expect(await run.exited, run.stderr).to.equal(0);
    for (const line of run.log) expect(line).to.have.property('msg');
  });

  it('ends as the exchange does where its settings are wrong', async () => {
    const run = installation.run({ PORT: 'eighty' }, ['start']);
    expect(await run.exited).to.equal(2);
    expect(run.stderr).to.match(/The settings are wrong:\nPORT must be a whole number/);
  });
});
