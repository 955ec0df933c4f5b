import type { FactCounts } from '../../actors/ledger/messages.ts';
import { decodeEnvelope } from '../../runtime/node/envelope.ts';
import type { MessageSum, SummedMessage, UnsummedMessage } from '../../runtime/ports/message-sum.ts';
import { addCount } from './counted.ts';

const MINUTE_MS = 60_000;

/** The fields that are summed. A message with another one, of a later or an earlier release, is sent on as it is. */
const SUMMED_FIELDS: ReadonlySet<string> = new Set<keyof FactCounts>([
  'minuteMs',
  'region',
  'counts',
  'counterparties',
  'creatives',
  'latency',
]);

type NamedCounts = Readonly<Record<string, number | string>> & { readonly id: string };

/** Sums of rows by their ids, whatever they count. */
type Rows = Map<string, Map<string, number>>;

/** The counts of one address in one minute. */
interface AddressSum {
  readonly to: string;
  readonly minuteMs: number;
  readonly region: string;
  readonly counts: Map<string, number>;
  readonly counterparties: Rows;
  readonly creatives: Rows;
  readonly latency: Map<string, number>;
}

/**
 * The counts of a region's edges (see FactCounts), summed by address and minute: all of them are added up at home in
 * any case, so that it makes no difference in which messages they come.
 */
export class CountsSum implements MessageSum {
  readonly #sums = new Map<string, AddressSum>();
  readonly #unsummed: UnsummedMessage[] = [];

  get size(): number {
    return this.#sums.size + this.#unsummed.length;
  }

  add(payload: string): void {
    let to = '';
    try {
      const envelope = decodeEnvelope(payload);
      to = envelope.to;
      const counts = envelope.body as FactCounts;
      if (envelope.type === 'facts' && envelope.ask === null && canBeSummed(counts) && this.#add(to, counts)) return;
    } catch {
      // Home parks what cannot be read, and operators see it there.
    }
    this.#unsummed.push({ to, payload });
  }

  summed(): SummedMessage[] {
    // An address takes nothing behind a later minute of the same batch.
    return [...this.#sums.values()].sort(byMinute).map((sum) => {
      const { to, minuteMs, region } = sum;
      const body: FactCounts = {
        minuteMs,
        region,
        counts: Object.fromEntries(sum.counts),
        counterparties: namedCounts(sum.counterparties),
        creatives: namedCounts(sum.creatives),
        latency: Object.fromEntries(sum.latency),
      };
      return { to, type: 'facts', body, index: minuteMs / MINUTE_MS };
    });
  }

  unsummed(): readonly UnsummedMessage[] {
    return this.#unsummed;
  }

  /** Returns false where the counts cannot join those of the same address and minute. */
  #add(to: string, { minuteMs, region, counts, counterparties, creatives, latency }: FactCounts): boolean {
    const key = `${to} ${minuteMs}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = {
        ...{ to, minuteMs, region },
        ...{ counts: new Map(), counterparties: new Map(), creatives: new Map(), latency: new Map() },
      };
      this.#sums.set(key, sum);
    }
    if (sum.region !== region) return false;
    for (const name in counts) addCount(sum.counts, name, counts[name]!);
    for (const bin in latency) addCount(sum.latency, bin, latency[bin]!);
    addRows(sum.counterparties, counterparties);
    addRows(sum.creatives, creatives);
    return true;
  }
}

function byMinute(a: AddressSum, b: AddressSum): number {
  return a.minuteMs - b.minuteMs;
}

function canBeSummed(counts: FactCounts): boolean {
  for (const field in counts) if (!SUMMED_FIELDS.has(field)) return false;
  return (
    Number.isInteger(counts.minuteMs / MINUTE_MS) &&
    Array.isArray(counts.counterparties) &&
    Array.isArray(counts.creatives)
  );
}

function addRows(sums: Rows, rows: readonly NamedCounts[]): void {
  for (const row of rows) {
    let sum = sums.get(row.id);
    if (sum === undefined) {
      sum = new Map();
      sums.set(row.id, sum);
    }
    for (const name in row) if (name !== 'id') sum.set(name, (sum.get(name) ?? 0) + (row[name] as number));
  }
}

function namedCounts(rows: Rows): FactCounts['counterparties'] {
  return [...rows].map(([id, sum]) => ({ id, ...Object.fromEntries(sum) }) as FactCounts['counterparties'][number]);
}
