import { crc32 } from 'node:zlib';
import type { InvalidReason } from '../../exchange/invalid-traffic/invalid-reason.ts';
import type { IdempotentEntry } from '../../runtime/ports/log.ts';
import type { RenderedSale } from '../budgets/shares/publisher-shares.ts';
import type { CampaignImpression } from '../tracking/campaign-viewing.ts';

/** An impression that was answered with 200 while the log could not take it. */
export interface SpooledImpression {
  /** Of the number of partitions that there was. */
  readonly partition: number;
  readonly entry: IdempotentEntry;
  /** Time at which this edge found it to be in time, by its own clock, ms since the epoch. */
  readonly judgedAtMs: number;
  readonly publisherId: string;
  readonly sandbox: boolean;
  /** The DSP's `burl`, to be called when the impression is billed. */
  readonly noticeUrl: string | null;
  /**
   * The DSP's `nurl`, to be called likewise unless the win notice is sent before. Absent where there is none, and in
   * records of releases before 0.5.0.
   */
  readonly winNoticeUrl?: string;
  /** The DSP of that notice; absent in records of releases before 0.5.0. */
  readonly dspId?: string;
  /** Absent in records of releases that did not serve campaigns. */
  readonly viewing?: CampaignImpression | null;
  /**
   * The reason why the call was invalid traffic; absent when it was valid. It is not judged again when it is replayed.
   */
  readonly invalid?: InvalidReason;
  /**
   * The sale that counts as rendered when the impression is billed; absent for an invalid one, and in records of
   * releases before 0.5.0.
   */
  readonly rendered?: Pick<RenderedSale, 'campaignId' | 'priceNanos' | 'soldAtMs'>;
}

/** One line: CRC-32 of the JSON in 8 hex digits, a space, the JSON. */
export function encodeSpooled(impression: SpooledImpression): string {
  const json = JSON.stringify(impression);
  return `${checksum(json)} ${json}\n`;
}

const HEADER = 'exchange ';

/**
 * The first line of a file: the exchange of its impressions. Older releases take it for a damaged line, with no other
 * effect.
 */
export function spoolHeader(exchange: string): string {
  return `${HEADER}${exchange}\n`;
}

export interface DecodedSpool {
  /** The exchange of the impressions; null in files of releases up to 0.4. */
  readonly exchange: string | null;
  readonly impressions: SpooledImpression[];
  /**
   * Number of lines that are not as they were written. The last line of a file may be torn by a crash: its impression
   * was never answered.
   */
  readonly damagedLines: number;
}

export function decodeSpool(text: string): DecodedSpool {
  const lines = text.split('\n');
  const impressions: SpooledImpression[] = [];
  let damagedLines = 0;
  const exchange = text.startsWith(HEADER) ? lines[0]!.slice(HEADER.length) : null;
  // The text after the last line feed is empty or a torn line.
  for (const line of lines.slice(exchange === null ? 0 : 1, -1)) {
    const json = line.slice(9);
    if (line.slice(0, 8) === checksum(json)) impressions.push(JSON.parse(json));
    else damagedLines += 1;
  }
  return { exchange, impressions, damagedLines };
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
