import { Registry } from 'prom-client';
import { createNode } from '../../runtime/node/node.ts';
import type { LogProvider } from '../../runtime/ports/log-provider.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { benchCounter, benchRegister } from './counters.ts';

export interface MessageRate {
  /** The time from the first tell to the last message that a saved state covers. */
  readonly messagesPerSecond: number;
  readonly cpuMicrosPerMessage: number;
  /** Average number of messages in one append. */
  readonly meanBatch: number;
}

export interface Ports {
  readonly log: LogProvider;
  readonly store: StateStore;
}

const PADDING = 'x'.repeat(270);

/**
 * Tells `messages` messages of 300 bytes to 10,000 lazily saved actors, `inFlight` at a time, and waits until all are
 * saved.
 */
export async function measureMessageRate(ports: Ports, messages: number, inFlight: number): Promise<MessageRate> {
  const appends = { calls: 0, messages: 0 };
  const registry = new Registry();
  const node = benchNode({ ...ports, log: counting(ports.log, appends) }, registry);
  await node.start();
  const cpu = process.cpuUsage();
  const since = performance.now();
  let sent = 0;
  const tellInTurn = async () => {
    while (sent < messages) {
      const index = sent++;
      await node.messenger.tell(benchCounter, `c${index % 10_000}`, 'add', { amount: 1, padding: PADDING });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, tellInTurn));
  while ((await handled(registry)) < messages) await new Promise((resolve) => setTimeout(resolve, 5));
  await node.stop();
  const seconds = (performance.now() - since) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  let counted = 0;
  for await (const { state } of ports.store.scan(benchCounter.kind)) counted += (state as { count: number }).count;
  if (counted !== messages) throw new Error(`${messages} messages were sent and ${counted} counted`);
  return {
    messagesPerSecond: messages / seconds,
    cpuMicrosPerMessage: (user + system) / messages,
    meanBatch: appends.messages / appends.calls,
  };
}

/** The times of `asks` consecutive asks, in ms. */
export async function measureAsks(ports: Ports, asks: number): Promise<number[]> {
  const node = benchNode(ports);
  await node.start();
  const times: number[] = [];
  for (let index = 0; index < asks; index++) {
    const since = performance.now();
    await node.messenger.ask(benchRegister, `r${index % 100}`, 'set', { value: String(index) });
    times.push(performance.now() - since);
  }
  await node.stop();
  return times;
}

async function handled(registry: Registry): Promise<number> {
  const metric = await registry.getSingleMetric('actor_messages_total')!.get();
  return metric.values.reduce((sum, { value }) => sum + value, 0);
}

function benchNode({ log, store }: Ports, registry = new Registry()) {
  return createNode({
    name: 'bench',
    provider: log,
    store,
    clock: systemClock,
    random: systemRandom,
    definitions: [benchCounter, benchRegister],
    hostsActors: true,
    replicates: [],
    registry,
  });
}

function counting(provider: LogProvider, appends: { calls: number; messages: number }): LogProvider {
  const { log } = provider;
  const counted = Object.create(log, {
    append: {
      value: (...[partition, payloads, options]: Parameters<typeof log.append>) => {
        appends.calls += 1;
        appends.messages += payloads.length;
        return log.append(partition, payloads, options);
      },
    },
    appendOnce: { value: log.appendOnce.bind(log) },
    read: { value: log.read.bind(log) },
    wake: { value: log.wake.bind(log) },
    tail: { value: log.tail.bind(log) },
    partitions: { value: log.partitions },
  });
  return Object.create(provider, { log: { value: counted } });
}
