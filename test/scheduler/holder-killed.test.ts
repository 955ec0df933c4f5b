import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import { job } from '../../actors/job/job.ts';
import type { JobState } from '../../actors/job/reduce.ts';
import { createProviders } from '../../composition/create-providers.ts';
import { readSettings } from '../../settings.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS, realProviders } from '../support/exchange.ts';
import { inheritedEnvironment } from '../support/exchange-command.ts';

const PATH = fileURLToPath(new URL('./holder-process.js', import.meta.url));

class Holder {
  said = '';
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(environment: Record<string, string>) {
    this.child = spawn(process.execPath, [PATH], { env: { ...inheritedEnvironment(), ...environment } });
    this.child.stdout!.on('data', (chunk) => {
      this.said += chunk;
    });
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  says(what: string, timeoutMs = 90_000): Promise<true> {
    return eventually(what, () => this.said.includes(what) as true, { timeoutMs });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}

for (const pair of PROVIDER_PAIRS) {
  describe(`scheduler: a holder that is killed in a run, on ${pair}`, () => {
    it('is replaced within seconds, and its run is run again for the same date', async function () {
      const folder = await mkdtemp(join(tmpdir(), 'exchange-holder-'));
      const real = pair === 'embedded' ? {} : realProviders(this);
      const environment = { DATA_DIR: folder, PARTITIONS: '4', ...real };
      const holders: Holder[] = [];
      const started = (more: Record<string, string> = {}) => {
        const holder = new Holder({ ...environment, ...more });
        holders.push(holder);
        return holder;
      };
      try {
        const first = started({ HANG: 'true' });
        await first.says('begun');
        // The embedded providers live in one process: there the next one starts when the first is gone.
        const waiting = pair === 'embedded' ? null : started();
        await waiting?.says('ready');
        expect(waiting?.said ?? '').not.to.include('begun');
        await first.end('SIGKILL');
        const next = waiting ?? started();
        const diedAtMs = performance.now();
        await next.says('begun');
        expect(performance.now() - diedAtMs, 'ms until another ran jobs').to.be.below(25_000);
        const begun = (holder: Holder) => /begun (.*)/.exec(holder.said)?.[1];
        expect(begun(next)).to.equal(begun(first));

        await next.end('SIGTERM');
        const providers = await createProviders(readSettings(environment), pino({ level: 'silent' }));
        try {
          const [document] = await providers.store.load([{ kind: job.kind, id: 'noting' }]);
          const { last, running, failures } = document!.state as JobState;
          expect({ outcome: last?.outcome, running, failures }).to.deep.equal({
            outcome: `by ${next.child.pid}`,
            running: null,
            failures: 0,
          });
        } finally {
          await providers.close();
        }
      } finally {
        await Promise.all(holders.map((holder) => holder.end('SIGKILL')));
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
