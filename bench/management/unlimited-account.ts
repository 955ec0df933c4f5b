import { pino } from 'pino';
import { account } from '../../actors/account/account.ts';
import { actorKinds } from '../../composition/actor-kinds.ts';
import { createProviders } from '../../composition/create-providers.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import { createNode } from '../../runtime/node/node.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { readSettings } from '../../settings.ts';
import type { Prepare } from '../processes/exchange.ts';

/** More requests than any benchmark makes. */
const REQUESTS_PER_MINUTE = 10_000_000;

/**
 * Creates the first account before the program would, as an enterprise account with a high rate limit: the limiter runs
 * in each measured call and refuses none.
 */
export const createUnlimitedAccount: Prepare = async (environment) => {
  const { store, log, close } = await createProviders(readSettings(environment), pino({ level: 'silent' }));
  const node = createNode({
    name: 'benchmark',
    provider: log,
    store,
    clock: systemClock,
    random: systemRandom,
    definitions: actorKinds,
    hostsActors: true,
    replicates: [],
  });
  try {
    await node.start();
    const opening = { name: 'Benchmark', tier: 'enterprise', requestsPerMinute: REQUESTS_PER_MINUTE } as const;
    await node.messenger.ask(account, firstAccountId, 'open', opening);
    await node.stop();
  } finally {
    await close();
  }
};
