import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNode } from '../../runtime/node/node.ts';
import type { LogProvider } from '../../runtime/ports/log-provider.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { benchCounter, benchRegister } from './counters.ts';

export interface MessageRate {
  /** From the first tell to the last message covered by saved state. */
  readonly messagesPerSecond: number;
  readonly cpuMicrosPerMessage: number;
}

export interface Ports {
  readonly log: LogProvider;
  readonly store: StateStore;
}

/** Tells `messages` messages of 300 bytes to 10,000 lazily saved actors, `inFlight` at a time, and waits for the saves. */
export async function measureMessageRate(ports: Ports, messages: number, inFlight: number): Promise<MessageRate> {
  const node = benchNode(ports);
  await node.start();
  const padding = 'x'.repeat(270);
  const cpu = process.cpuUsage();
  const since = performance.now();
  let sent = 0;
  const tellInTurn = async () => {
    while (sent < messages) {
      const index = sent++;
      await node.messenger.tell(benchCounter, `c${index % 10_000}`, 'add', { amount: 1, padding });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, tellInTurn));
  await node.stop();
  const seconds = (performance.now() - since) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  let counted = 0;
  for await (const { state } of ports.store.scan(benchCounter.kind)) counted += (state as { count: number }).count;
  if (counted !== messages) throw new Error(`${messages} messages were sent and ${counted} counted`);
  return { messagesPerSecond: messages / seconds, cpuMicrosPerMessage: (user + system) / messages };
}

/** Times of `asks` asks, one after the other, ms. */
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

function benchNode({ log, store }: Ports) {
  return createNode({
    name: 'bench',
    provider: log,
    store,
    clock: systemClock,
    random: systemRandom,
    definitions: [benchCounter, benchRegister],
    hostsActors: true,
    replicates: [],
  });
}

/** Runs `work` on an embedded pair of its own. */
export async function withEmbedded<T>(work: (ports: Ports) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const embedded = await openEmbedded({ folder, partitions: 64, clock: systemClock });
  try {
    return await work({ log: embedded.log, store: embedded.store });
  } finally {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  }
}
