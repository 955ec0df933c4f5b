import { encodedKind } from '#runtime/node/envelope';
import type { MessageLog } from '#runtime/ports/log';
import type { LogProvider } from '#runtime/ports/log-provider';

/** What passes through a log. */
export class LogCounts {
  appends = 0;
  /** Entries that were appended, by the kind that they name first, and the characters of all. */
  readonly appended = new Map<string, number>();
  appendedCharacters = 0;
  read = 0;
  readCharacters = 0;

  reset(): void {
    this.appended.clear();
    for (const name of ['appends', 'appendedCharacters', 'read', 'readCharacters'] as const) this[name] = 0;
  }
}

/** A log of which a node is granted some partitions alone. What it appends goes where `route` says. */
export function dividedLog(
  provider: LogProvider,
  owns: (partition: number) => boolean,
  route: (partition: number) => Pick<MessageLog, 'append'>,
  counts = new LogCounts(),
): LogProvider {
  const own = provider.log;
  const log: MessageLog = Object.create(own, {
    partitions: { value: own.partitions },
    append: {
      value: (...[partition, payloads, options]: Parameters<MessageLog['append']>) => {
        counts.appends += 1;
        for (const payload of payloads) {
          const kind = encodedKind(payload);
          counts.appended.set(kind, (counts.appended.get(kind) ?? 0) + 1);
          counts.appendedCharacters += payload.length;
        }
        return route(partition).append(partition, payloads, options);
      },
    },
    read: {
      value: async (...given: Parameters<MessageLog['read']>) => {
        const found = await own.read(...given);
        for (const entries of found.values()) {
          counts.read += entries.length;
          for (const { payload } of entries) counts.readCharacters += payload.length;
        }
        return found;
      },
    },
    appendOnce: { value: own.appendOnce.bind(own) },
    markOnce: { value: own.markOnce.bind(own) },
    remembers: { value: own.remembers.bind(own) },
    wake: { value: own.wake.bind(own) },
    tail: { value: own.tail.bind(own) },
  });
  const { leases } = provider;
  const divided: LogProvider['leases'] = Object.create(leases, {
    ...boundMethods(leases),
    acquire: {
      value: (...[partitions, owner, ttlMs]: Parameters<LogProvider['leases']['acquire']>) =>
        leases.acquire(partitions.filter(owns), owner, ttlMs),
    },
  });
  return Object.create(provider, { log: { value: log }, leases: { value: divided } });
}

/** The methods of an object with private fields, which they find on that object alone. */
function boundMethods(of: LogProvider['leases']): PropertyDescriptorMap {
  const names = ['heartbeat', 'leave', 'renew', 'release', 'cursors', 'commit', 'tokens', 'note', 'raise'] as const;
  return Object.fromEntries(names.map((name) => [name, { value: (of[name] as () => unknown).bind(of) }]));
}
