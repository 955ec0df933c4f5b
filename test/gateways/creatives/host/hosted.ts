import { CREATIVES_URL_PLACEHOLDER, fillPlaceholders } from '#exchange/creative/creative-template';
import type { HostedMarkup } from '#exchange/creative/hosted-markup';
import { substituteMacros } from '#exchange/openrtb/macros';
import type { CreativeStorage } from '#gateways/creatives/storage/creative-storage';

/** What is stored as the hosted markup of a creative. */
export async function hostedMarkup(storage: CreativeStorage, file: string | null): Promise<HostedMarkup> {
  const stored = file === null ? null : await storage.open(file);
  if (stored === null) throw new Error('nothing is hosted');
  const chunks: Buffer[] = [];
  for await (const chunk of await stored.read()) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as HostedMarkup;
}

/** The markup as an edge serves it, to a bid of id `b-1` that pays 2.5. */
export function served({ markup }: HostedMarkup): string {
  const filled = fillPlaceholders(markup, { bidId: 'b-1', cacheBuster: '12345678' });
  return substituteMacros(filled, { price: '2.5', auctionId: 'a-1', bidId: 'r-1', impId: 'i-1' }).replaceAll(
    CREATIVES_URL_PLACEHOLDER,
    'https://cdn.exchange.test',
  );
}
