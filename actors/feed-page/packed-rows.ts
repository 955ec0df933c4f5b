import { comparePositions, positionOf, positionSequence, positionTimeMs } from '../../runtime/actor/position.ts';
import { type FeedEvent, MAX_ID_BYTES } from './feed-event.ts';
import { truncateToBytes } from './truncate-to-bytes.ts';

/**
 * The impressions of one partition on one page as one line of text, a third of their JSON. The text is copied on its
 * way from the impression rollup to the page and parsed only when a feed is read. Rows are separated by `;`, their
 * fields by `,`:
 *
 *     5123-2,<tracking id>,<auction>,<publisher>,<campaign>,<creative>,2500000,fra,1840,150000;5124,…
 *
 * The fields are: the place in the log, as ms from the beginning of the page's stretch and, unless it is 0, the
 * sequence; ids; price; region; ms between the sale and that place; the publisher's fee; and, where an earlier call of
 * the id was invalid traffic, its reason. An empty field stands for null, and `'` for the value of the first row. Rows
 * of releases up to 0.4 end before the fee, and those releases pass over what comes after the sale. Nothing needs to be
 * escaped in JSON: characters that would, and those with a meaning here, are percent-encoded.
 */
export type PackedRows = string;

/** An impression as a page knows it: its `atMs` is that of its position, and it has no `impId`. */
export type FeedImpression = Omit<FeedEvent, 'atMs' | 'impId'> & {
  readonly position: string;
  /** The publisher's fee at the moment of the impression, parts per million; null in rows of releases up to 0.4. */
  readonly feePpm: number | null;
  /** The reason for which an earlier call of the id was counted as invalid traffic; null for none. */
  readonly revalidates: string | null;
};

const SAME_AS_FIRST = "'";
/** Stands for the fields of the first row where there is none yet. */
const NO_FIELDS: readonly string[] = [];

/** Characters that are not encoded. */
const PLAIN = /^[ !#$&(-+\--:<-[\]-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SPECIAL = /["%',;\\\u0000-\u001f]/g;

/**
 * Packs one row. `first` holds the fields of the first row, by their places; null when this is the first. Impressions of
 * one page often have the same publisher, campaign, creative, price, region and fee.
 */
export function packRow(shown: FeedImpression, startMs: number, first: readonly string[] | null): string {
  const { position, trackingId, auctionId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs } = shown;
  const { feePpm, revalidates } = shown;
  const atMs = positionTimeMs(position);
  const sequence = positionSequence(position);
  const common = first ?? NO_FIELDS;
  const fields = [
    sequence === 0 ? `${atMs - startMs}` : `${atMs - startMs}-${sequence}`,
    escaped(trackingId),
    escaped(auctionId),
    commonId(publisherId, common[3]),
    commonId(campaignId ?? '', common[4]),
    commonId(crid ?? '', common[5]),
    unlessFirst(`${priceCpmMicros}`, common[6]),
    commonId(region, common[7]),
    soldAtMs === null ? '' : `${atMs - soldAtMs}`,
    feePpm === null ? '' : unlessFirst(`${feePpm}`, common[9]),
  ];
  if (revalidates !== null) fields.push(escaped(revalidates));
  return fields.join(',');
}

/** The field of an id that the first row may have, too. One that equals an escaped id and has no escape needs none. */
function commonId(id: string, first: string | undefined): string {
  const isFirst = id === first && id.length > SAME_AS_FIRST.length && !id.includes('%');
  return isFirst ? SAME_AS_FIRST : unlessFirst(escaped(id), first);
}

function unlessFirst(field: string, first: string | undefined): string {
  return field.length > SAME_AS_FIRST.length && field === first ? SAME_AS_FIRST : field;
}

/** The fields of the first row, for {@link packRow}. */
export function firstFields(rows: PackedRows): string[] {
  const end = rows.indexOf(';');
  return (end === -1 ? rows : rows.slice(0, end)).split(',');
}

/** One event of a page, not parsed yet. */
export interface PackedEvent {
  readonly atMs: number;
  readonly trackingId: string;
  read(): FeedImpression;
}

/** The events of packed rows. `startMs` is the beginning of the page's stretch. */
export function packedEvents(rows: PackedRows, startMs: number): PackedEvent[] {
  const first = firstFields(rows);
  return rows.split(';').map((row) => {
    const end = row.indexOf(',');
    return {
      atMs: startMs + Number.parseInt(row, 10),
      trackingId: unescaped(row.slice(end + 1, row.indexOf(',', end + 1))),
      read: () => unpackRow(row, startMs, first),
    };
  });
}

/** The rows after `position`, out of rows that were sent again together with known ones. */
export function rowsAfter(rows: PackedRows, startMs: number, position: string): PackedRows {
  let first: string[] | null = null;
  const kept: string[] = [];
  for (const event of packedEvents(rows, startMs)) {
    const shown = event.read();
    if (comparePositions(shown.position, position) <= 0) continue;
    const row = packRow(shown, startMs, first);
    first ??= firstFields(row);
    kept.push(row);
  }
  return kept.join(';');
}

function unpackRow(row: string, startMs: number, first: readonly string[]): FeedImpression {
  const fields = row.split(',').map((field, at) => (field === SAME_AS_FIRST ? first[at]! : field));
  const [at, trackingId, auctionId, publisherId, campaignId, crid, price, region, soldAgoMs] = fields as [
    ...[string, string, string, string, string, string, string, string, string],
  ];
  const [feePpm = '', revalidates = ''] = fields.slice(9);
  const [afterMs, sequence = '0'] = at.split('-') as [string, string?];
  const atMs = startMs + Number(afterMs);
  return {
    position: positionOf(atMs, Number(sequence)),
    trackingId: unescaped(trackingId),
    auctionId: unescaped(auctionId),
    publisherId: unescaped(publisherId),
    campaignId: campaignId === '' ? null : unescaped(campaignId),
    crid: crid === '' ? null : unescaped(crid),
    priceCpmMicros: Number(price),
    region: unescaped(region),
    soldAtMs: soldAgoMs === '' ? null : atMs - Number(soldAgoMs),
    feePpm: feePpm === '' ? null : Number(feePpm),
    revalidates: revalidates === '' ? null : unescaped(revalidates),
  };
}

function escaped(id: string): string {
  if (id.length <= MAX_ID_BYTES && PLAIN.test(id)) return id;
  return truncateToBytes(id, MAX_ID_BYTES, escapeSpecial).replace(SPECIAL, escapeSpecial);
}

function escapeSpecial(character: string): string {
  return character.replace(SPECIAL, (special) => `%${special.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function unescaped(field: string): string {
  if (!field.includes('%')) return field;
  return field.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
