import type { Impression } from '#actors/impression-rollup/messages';
import { decodeEnvelope } from '#runtime/node/envelope';
import type { IdempotentEntry, LogEntry } from '#runtime/ports/log';
import { comparePositions, type Position, START } from '#runtime/ports/position';
import type { RelayedBatch } from '#runtime/ports/relayed';
import { madeAtMsOf, sourceName } from '#runtime/relay/source-name';
import type { LogObserver, ReceivingLog } from '#runtime/simulator/log-observer';

const HOUR_MS = 3_600_000;
const EIGHT_DAYS_MS = 8 * 24 * HOUR_MS;
/** Ids of hours that began less than this after the log was made may stand in the log before it, ms. */
const UNSURE_MS = 60_000;

/** Whether an operator gives a source up: `writing` while not all partitions have answered. */
export type WriteOff = 'no' | 'writing' | 'yes';

/** An entry that the region's log has taken, and what became of it at home. */
export interface RegionEntry {
  readonly partition: number;
  readonly position: Position;
  readonly type: 'impression' | 'invalid';
  readonly impression: Impression;
  readonly header: Omit<IdempotentEntry, 'payload'>;
  readonly payload: string;
  /** When it first and last came to home, by home's clock; it comes again where home has lost it. */
  cameAtMs: { first: number; last: number } | null;
  /** Whether its source was given up, each time that it came. */
  readonly cameWhen: Set<WriteOff>;
}

/** The log of a region from when it was made until it was lost. */
export class RegionLog {
  readonly entries = new Map<string, RegionEntry>();
  readonly region: string;
  /** By its name at home; null as long as it has none. */
  source: string | null = null;
  isLost = false;
  writeOff: WriteOff = 'no';

  constructor(region: string) {
    this.region = region;
  }

  /** From when on home cannot know any more whether the id of the entry is new. */
  tooLateFromMs({ impression, header }: RegionEntry): number {
    const isOwn = impression.region === this.region && header.bucketMs >= madeAtMsOf(this.source!) + UNSURE_MS;
    return header.expiresAtMs + (isOwn ? EIGHT_DAYS_MS : HOUR_MS);
  }
}

/** The model of a region: everything that its log, and each log before it, has ever taken. */
export class RegionHistory implements LogObserver {
  readonly logs: RegionLog[] = [];
  readonly #name: string;
  readonly #identity: () => string;

  constructor(name: string, identity: () => string) {
    this.#name = name;
    this.#identity = identity;
    this.logs.push(new RegionLog(name));
  }

  /** The log that is there now. */
  get present(): RegionLog {
    const present = this.logs.at(-1)!;
    const identity = this.#identity();
    if (identity !== '') present.source = sourceName(this.#name, identity);
    return present;
  }

  appended(partition: number, entries: readonly LogEntry[]): void {
    for (const { position, payload } of entries) {
      const lineEnd = payload.indexOf('\n');
      const header = JSON.parse(payload.slice(0, lineEnd)) as RegionEntry['header'];
      const message = payload.slice(lineEnd + 1);
      const { type, body } = decodeEnvelope(message) as unknown as { type: RegionEntry['type']; body: Impression };
      const entry: RegionEntry = {
        ...{ partition, position, type, impression: body, header, payload: message },
        ...{ cameAtMs: null, cameWhen: new Set() },
      };
      this.present.entries.set(`${partition} ${position}`, entry);
    }
  }

  unsynced(partition: number, entries: readonly LogEntry[]): void {
    for (const { position } of entries) this.present.entries.delete(`${partition} ${position}`);
  }

  /** The log is lost with everything in it; another is made. */
  wiped(): RegionLog {
    const { present } = this;
    present.isLost = true;
    this.logs.push(new RegionLog(this.#name));
    return present;
  }

  /** A batch comes to home; whether that is a batch of this region. */
  came(home: ReceivingLog, partition: number, source: string, { after, entries }: RelayedBatch): boolean {
    const log = this.#named(source);
    if (log === undefined) return false;
    const held = positionAt(home, partition, source);
    if (comparePositions(after, held) > 0) return true;
    for (const { from } of entries) {
      if (comparePositions(from, held) <= 0) continue;
      const entry = log.entries.get(`${partition} ${from}`);
      if (entry === undefined) throw new Error(`${source} never had ${from} in partition ${partition}`);
      entry.cameAtMs = { first: entry.cameAtMs?.first ?? home.nowMs, last: home.nowMs };
      entry.cameWhen.add(log.writeOff);
    }
    return true;
  }

  #named(source: string): RegionLog | undefined {
    void this.present;
    return this.logs.find((log) => log.source === source);
  }

  trimmed(): void {}
  lost(): void {}
  published(): void {}
  movedByStaleOwner(): void {}
}

/** Up to where home has a source; the start where it knows none of the name. */
export function positionAt(home: ReceivingLog, partition: number, source: string | null): Position {
  const known = home.partition(partition).sources();
  return known.find((one) => one.source === source)?.position ?? START;
}
