import { longKey, shortKey } from './names-text.ts';
import { emptyRegionPage } from './page.ts';
import type { LedgerPage, LedgerRow } from './page-schema.ts';

/**
 * Packs a page into one line of text, a quarter of its JSON, which is copied where JSON would be parsed: for the many
 * pages that hardly change any more. Regions are separated by `;`, their parts by `|`:
 *
 *     fra|12,30000000,4500000|auctions=40,imps=52|-3=12,8=40|0=12,30000000,4500000,,12|1=…
 *
 * The parts are: region; impressions, gross, fee; counts; latency bins; counterparties; creatives. Rows are separated
 * by `&`, each is `<name>=<impressions>,<gross>,<fee>,<bids>,<wins>,<measurable>,<viewable>` up to the last figure that
 * exists, and nothing where its money is the region's and there is nothing else. A name is its number in the ledger's
 * table of names, or the name itself when the table is full (see names-text.ts). Nothing needs to be escaped in JSON.
 * Nothing is lost: rows of zeros stay, in their order. All figures are whole and at least 0.
 */
export function packPage(page: LedgerPage, names: string[]): string {
  const regions: string[] = [];
  for (const region in page) {
    const { impressions, grossNanos, feeNanos, counts, latency, counterparties, creatives } = page[region]!;
    const parts = [
      encodeURIComponent(region),
      `${impressions},${grossNanos},${feeNanos}`,
      packCounts(counts),
      packCounts(latency),
      packRows(counterparties, names, page[region]!),
      packRows(creatives, names, page[region]!),
    ];
    regions.push(parts.join('|'));
  }
  return regions.join(';');
}

export function unpackPage(packed: string, names: readonly string[]): LedgerPage {
  const page: LedgerPage = {};
  if (packed === '') return page;
  for (const region of packed.split(';')) {
    const [name, sums, counts, latency, counterparties, creatives] = region.split('|') as [string, ...string[]];
    const [impressions, grossNanos, feeNanos] = sums!.split(',').map(Number) as [number, number, number];
    const whole = { impressions, grossNanos, feeNanos };
    page[decodeURIComponent(name)] = Object.assign(emptyRegionPage(), {
      ...whole,
      counts: unpackCounts(counts!),
      latency: unpackCounts(latency!),
      counterparties: unpackRows(counterparties!, names, whole),
      creatives: unpackRows(creatives!, names, whole),
    });
  }
  return page;
}

/** The most names in a ledger's table: usually more than an hour needs, and few compared with its pages. */
const MAX_NAMES = 4_000;

/** The numbers of the names of each table, as of its last use. */
const numbers = new WeakMap<readonly string[], Map<string, number>>();

function numberOf(key: string, names: string[]): number | undefined {
  let known = numbers.get(names);
  if (!known) {
    known = new Map(names.map((name, number) => [name, number]));
    numbers.set(names, known);
  }
  let number = known.get(key);
  if (number === undefined && names.length < MAX_NAMES) {
    number = names.length;
    names.push(key);
    known.set(key, number);
  }
  return number;
}

function packCounts(counts: Readonly<Record<string, number>>): string {
  const parts: string[] = [];
  for (const name in counts) parts.push(`${encodeURIComponent(name)}=${counts[name]}`);
  return parts.join(',');
}

function unpackCounts(packed: string): Record<string, number> {
  const counts: Record<string, number> = {};
  if (packed === '') return counts;
  for (const part of packed.split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at);
    counts[name.includes('%') ? decodeURIComponent(name) : name] = Number(part.slice(at + 1));
  }
  return counts;
}

/** The figures of a row, in the order in which they are packed. */
export const ROW_PARTS = ['impressions', 'grossNanos', 'feeNanos', 'bids', 'wins', 'measurable', 'viewable'] as const;
const AMPERSAND = 38;
const COMMA = 44;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** The money of a row or of a whole region. */
type Billed = Pick<LedgerRow, 'impressions' | 'grossNanos' | 'feeNanos'>;

function packRows(rows: Readonly<Record<string, LedgerRow>>, names: string[], whole: Billed): string {
  const parts: string[] = [];
  for (const key in rows) parts.push(`${numberOf(key, names) ?? shortKey(key)}=${packRow(rows[key]!, whole)}`);
  return parts.join('&');
}

function packRow(row: LedgerRow, whole: Billed): string {
  const { impressions, grossNanos, feeNanos, bids, wins, measurable, viewable } = row;
  const money = `${impressions},${grossNanos},${feeNanos}`;
  if (!bids && !wins && !measurable && !viewable) {
    const isWhole = impressions === whole.impressions && grossNanos === whole.grossNanos && feeNanos === whole.feeNanos;
    return isWhole ? '' : money;
  }
  const counts = [bids, wins, measurable, viewable];
  while (!counts.at(-1)) counts.pop();
  return `${money},${counts.map((count) => count ?? '').join(',')}`;
}

/** Reads character by character instead of splitting: a report of six hours reads tens of thousands of rows. */
function unpackRows(packed: string, names: readonly string[], whole: Billed): Record<string, LedgerRow> {
  const rows: Record<string, LedgerRow> = {};
  for (let at = 0; at < packed.length; ) {
    const equals = packed.indexOf('=', at);
    const name = packed.slice(at, equals);
    const first = name.charCodeAt(0);
    const key = first >= DIGIT_0 && first <= DIGIT_9 ? names[Number(name)]! : longKey(name);
    const row: LedgerRow = { impressions: 0, grossNanos: 0, feeNanos: 0 };
    at = equals + 1;
    if (at === packed.length || packed.charCodeAt(at) === AMPERSAND) Object.assign(row, whole);
    for (const part of ROW_PARTS) {
      let value = 0;
      let code = packed.charCodeAt(at);
      for (; code >= DIGIT_0 && code <= DIGIT_9; code = packed.charCodeAt(++at)) value = value * 10 + (code - DIGIT_0);
      if (value > 0) row[part] = value;
      if (code !== COMMA) break;
      at += 1;
    }
    at += 1;
    rows[key] = row;
  }
  return rows;
}
