import { expect } from 'chai';
import { PROVIDER_PAIRS, type ProviderPair, realProviders } from '../support/exchange.ts';
import { type Ended, exchangeCommand } from '../support/exchange-command.ts';
import { type ExchangeProcess, Installation } from './installation.ts';
import { SandboxTraffic } from './sandbox-traffic.ts';

const SOURCES = 6;
const IMPRESSIONS = 15;

for (const pair of PROVIDER_PAIRS) describeMove(pair);

function describeMove(pair: ProviderPair): void {
  describe(`exchange partitions, on ${pair}`, () => {
    let installation: Installation;
    before(async function () {
      const servers = pair === 'embedded' ? {} : realProviders(this);
      installation = await Installation.make({
        ...servers,
        BOOTSTRAP_API_KEY: 'pk_live_of-this-test',
        BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-this-test',
        PARTITIONS: '4',
      });
    });
    after(() => installation?.remove());

    const move = (to: number) => exchangeCommand(installation.environment, 'partitions', '--to', `${to}`);
    const stop = async (run: ExchangeProcess) => {
      run.signal('SIGTERM');
      expect(await run.exited).to.equal(0);
    };
    /**
     * One process of all roles may stop with messages of its last moment in the log: then it is started and stopped
     * once more.
     */
    const movedOnceDrained = async (to: number, tries = 5): Promise<Ended> => {
      const moved = await move(to);
      if (tries === 0 || !moved.stderr.includes('Messages wait')) return moved;
      await stop(await installation.start());
      return movedOnceDrained(to, tries - 1);
    };
    const sell = async (traffic: SandboxTraffic) => {
      const wanted = traffic.confirmed + IMPRESSIONS;
      while (traffic.confirmed < wanted) for (const url of await traffic.auction()) await traffic.confirm(url);
    };

    it('bills each impression once, before and after, and every actor goes on', async function () {
      this.timeout(120_000);
      const traffic = new SandboxTraffic(installation);
      const first = await installation.start();
      await sell(traffic);
      await traffic.expectBooks();
      const paths: string[] = [];
      for (let at = 0; at < SOURCES; at++) {
        const source = { name: `Site ${at}`, domain: `site-${at}.example`, type: 'web' };
        const pool = await installation.call('POST', '/api/supply/pools', { name: `Pool ${at}` });
        const supply = await installation.call('POST', '/api/supply/sources', { ...source, pool_id: pool.body.id });
        expect([pool.status, supply.status]).to.deep.equal([201, 201]);
        paths.push(`/api/supply/pools/${pool.body.id}`, `/api/supply/sources/${supply.body.id}`);
      }
      const inUse = await move(9);
      expect(inUse.code, inUse.stderr).to.be.oneOf([1, 2]);
      expect(inUse.stderr).to.match(/is not stopped|in use/);
      await stop(first);

      const moved = await movedOnceDrained(9);
      expect(moved.code, moved.stderr).to.equal(0);
      installation.change({ PARTITIONS: '9' });
      const second = await installation.start();
      for (const url of traffic.pixels.keys()) await traffic.confirm(url);
      await traffic.expectBooks();
      await sell(traffic);
      await traffic.expectBooks();
      for (const [at, path] of paths.entries()) {
        const name = `Renamed ${at}`;
        const { status, body } = await installation.call('PATCH', path, { name });
        expect(status, JSON.stringify(body)).to.equal(200);
        expect((await installation.call('GET', path)).body.name).to.equal(name);
      }
      expect(second.stdout).to.not.match(/partitions since|log-behind-store|log-lost/);
      await stop(second);
      const audit = await installation.audit();
      expect(audit.code, audit.stdout + audit.stderr).to.equal(0);
    });
  });
}
