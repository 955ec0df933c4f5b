import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { decodeEnvelope } from '../../runtime/node/envelope.ts';

/** What the impression of an encoded message would have been billed at, whole nano-dollars; null of an invalid one. */
export function encodedPriceOf(payload: string): number | null {
  const { type, body } = decodeEnvelope(payload);
  if (type !== 'impression') return null;
  return nanosPerImpression((body as { readonly priceCpmMicros: number }).priceCpmMicros);
}
