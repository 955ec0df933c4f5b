import { pino } from 'pino';
import { Registry } from 'prom-client';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { createProviders } from '../../composition/create-providers.ts';
import { createNode } from '../../runtime/node/node.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import type { Job } from '../../scheduler/job.ts';
import { startScheduler } from '../../scheduler/scheduler.ts';
import { readSettings } from '../../settings.ts';

// One process with actors and a scheduler, whose one job says that it begins and, with HANG, never ends. Says when it
// is ready.
const settings = readSettings(process.env);
const logger = pino({ level: 'silent' });
const providers = await createProviders(settings, logger);
const node = createNode({
  name: `holder-${process.pid}`,
  provider: providers.log,
  store: providers.store,
  clock: systemClock,
  random: systemRandom,
  definitions: actorKinds,
  hostsActors: true,
  replicates: [],
});
await node.start();

const say = (line: string) => process.stdout.write(`${line}\n`);
const job: Job = {
  name: 'noting',
  purpose: 'Says that it begins',
  cron: '0 0 1 1 *',
  missed: 'newest',
  run({ dueMs, signal }) {
    say(`begun ${new Date(dueMs).toISOString()}`);
    if (process.env.HANG !== 'true') return Promise.resolve(`by ${process.pid}`);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  },
};
const scheduler = await startScheduler({
  messenger: node.messenger,
  clock: systemClock,
  random: systemRandom,
  logger,
  registry: new Registry(),
  process: node.incarnation,
  jobs: [job],
  workers: [],
});
say('ready');
process.once('SIGTERM', async () => {
  await scheduler.close();
  await node.stop();
  await providers.close();
  process.exit(0);
});
