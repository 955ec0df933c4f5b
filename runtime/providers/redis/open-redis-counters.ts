import { Cluster } from 'ioredis';
import { assertWholeAmounts } from '../../expiring/sum-table.ts';
import type { Counters } from '../../ports/counters.ts';
import { CountersUnavailable } from '../../ports/errors.ts';
import { closeClient, commandsOf, createClusterClient, createServerClient, whenReady } from './client.ts';
import type { CommandObserver } from './command-observer.ts';
import { CommandRunner } from './command-runner.ts';
import { Keys } from './keys.ts';
import { oneWritePerTurn } from './one-write-per-turn.ts';
import { parseRedisUrl } from './redis-url.ts';

export interface RedisCountersOptions {
  /** See `parseRedisUrl`. */
  readonly url: string;
  /** The prefix of every key, as for the log. Default `adx`. */
  readonly prefix?: string;
  /** Deadline of every command. Default 1,000 ms. */
  readonly requestTimeoutMs?: number;
  /** Called with connection errors. Connections are restored by themselves. */
  readonly report?: (problem: string, cause: unknown) => void;
  readonly observer?: CommandObserver | undefined;
}

const CONNECT_TIMEOUT_MS = 2000;
const MAX_WAITING = 100_000;
/** The number of keys that one command reads: it keeps other clients waiting for some tens of microseconds. */
const READ_AT_ONCE = 500;
/** The most texts of a topic that are kept, about, and for how long after the last one, ms. */
const BROADCASTS_KEPT = 5_000;
const BROADCASTS_EXPIRE_MS = 3_600_000;
/** The place before the first text of a topic. */
const TOPIC_START = '0-0';

/**
 * Counters in Redis 7 or later, or in a Redis Cluster, on a connection of their own: marks as sorted sets by their end,
 * sums as strings, all with an expiry. Redis may be unavailable at start or later; calls are then rejected at once.
 */
export async function openRedisCounters(options: RedisCountersOptions): Promise<Counters> {
  const { url, prefix = 'adx', requestTimeoutMs: timeoutMs = 1000, report = () => {} } = options;
  const address = parseRedisUrl(url);
  const keys = new Keys(prefix);
  const clientOptions = { name: `${prefix}-counters`, silenceMs: timeoutMs, report };
  const client = address.cluster
    ? createClusterClient(address, clientOptions)
    : createServerClient(address, clientOptions);
  const commands = commandsOf(client);
  const requests = new CommandRunner({
    unavailable: CountersUnavailable,
    timeoutMs,
    maxWaiting: MAX_WAITING,
    observer: options.observer,
    sending: client instanceof Cluster ? () => {} : oneWritePerTurn(client),
    failed: (cause) => {
      if (client instanceof Cluster && cause.message.startsWith('MOVED ')) client.refreshSlotsCache();
    },
  });
  /** Without a connection a call is rejected at once instead of waiting, because its caller has little time. */
  const run = <T>(send: () => Promise<T>): Promise<T> =>
    client.status === 'ready'
      ? requests.run(send)
      : Promise.reject(new CountersUnavailable('there is no connection to Redis'));

  const readOne = (name: string): Promise<number | null> => run(() => commands.get(name)).then(Number, () => null);
  const readSome = (names: readonly string[]): Promise<(number | null)[]> =>
    client instanceof Cluster
      ? Promise.all(names.map(readOne))
      : run(() => commands.mget(names)).then(
          (sums) => sums.map(Number),
          () => names.map(() => null),
        );

  await whenReady(client, CONNECT_TIMEOUT_MS).catch((cause) => report('no counters until Redis answers', cause));
  return {
    marks: {
      async put({ group, key }, mark, untilMs, nowMs) {
        await run(() => commands.putMark(keys.marks(group, key), mark, untilMs, nowMs, ''));
      },
      async putWithin({ group, key }, mark, untilMs, limit, nowMs) {
        return (await run(() => commands.putMark(keys.marks(group, key), mark, untilMs, nowMs, limit))) === 1;
      },
      async remove({ group, key }, mark) {
        await run(() => commands.zrem(keys.marks(group, key), mark));
      },
      async count(group, of, nowMs) {
        if (of.length === 0) return [];
        const names = of.map((key) => keys.marks(group, key));
        return run(() => commands.countMarks(names.length, ...names, nowMs));
      },
    },
    sums: {
      async add(changes) {
        assertWholeAmounts(changes);
        const added = changes.map(({ key, amount, expiresAtMs }) =>
          run(() => commands.addToSum(keys.sum(key), amount, expiresAtMs)),
        );
        return (await Promise.allSettled(added)).map(({ status }) => status === 'fulfilled');
      },
      async read(of) {
        const names = of.map((key) => keys.sum(key));
        const parts: Promise<(number | null)[]>[] = [];
        for (let from = 0; from < names.length; from += READ_AT_ONCE) {
          parts.push(readSome(names.slice(from, from + READ_AT_ONCE)));
        }
        return (await Promise.all(parts)).flat();
      },
    },
    texts: {
      async put(name, text, forMs) {
        await run(() => commands.set(keys.text(name), text, 'PX', forMs));
      },
      get: (name) => run(() => commands.get(keys.text(name))),
    },
    broadcasts: {
      async publish(topic, text) {
        const key = keys.broadcasts(topic);
        await run(() =>
          Promise.all([
            commands.xadd(key, 'MAXLEN', '~', BROADCASTS_KEPT, '*', 't', text),
            commands.pexpire(key, BROADCASTS_EXPIRE_MS),
          ]),
        );
      },
      async read(topic, place, limit) {
        const key = keys.broadcasts(topic);
        if (place === null) {
          const [last] = await run(() => commands.xrevrange(key, '+', '-', 'COUNT', 1));
          return { texts: [], place: last?.[0] ?? TOPIC_START, missed: false };
        }
        // The text at the place is read again: if it is there no more, others may have gone with it.
        const found = await run(() => commands.xrange(key, place, '+', 'COUNT', limit + 1));
        const isThere = found[0]?.[0] === place;
        const after = isThere ? found.slice(1) : found.slice(0, limit);
        return {
          texts: after.map(([, fields]) => fields[1]!),
          place: after.at(-1)?.[0] ?? place,
          missed: !isThere && place !== TOPIC_START,
        };
      },
    },
    async close() {
      requests.close();
      await closeClient(client);
    },
  };
}
