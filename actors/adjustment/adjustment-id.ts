/** One trade: a publisher's impressions with a demand source in a month, `yyyy-mm`. */
export interface AdjustedTrade {
  readonly publisherId: string;
  readonly dspId: string;
  readonly period: string;
}

/** The id of the actor that holds the adjustments of one trade: `<publisher>:<demand source>:<month>`. */
export function adjustmentId({ publisherId, dspId, period }: AdjustedTrade): string {
  return `${encodeURIComponent(publisherId)}:${encodeURIComponent(dspId)}:${period}`;
}

export function parseAdjustmentId(id: string): AdjustedTrade {
  const [publisherId = '', dspId = '', period = ''] = id.split(':');
  return { publisherId: decodeURIComponent(publisherId), dspId: decodeURIComponent(dspId), period };
}
