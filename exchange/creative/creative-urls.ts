import { type Campaign, creativesOf } from '../strategy/document/campaign.ts';
import type { Creative } from '../strategy/document/creative.ts';

/** A URL that a creative is made of and that the exchange fetches. Trackers and landing pages are not such URLs. */
export interface CreativeUrl {
  readonly url: string;
  /** Its place in the campaign: `creative.vast_url`, `creatives[1].native.icon_url`. */
  readonly field: string;
  readonly use: 'vast' | 'image' | 'audio';
}

export function creativeUrls(campaign: Pick<Campaign, 'creative' | 'creatives'>): CreativeUrl[] {
  const isList = campaign.creatives !== undefined;
  return creativesOf(campaign).flatMap((creative, index) =>
    urlsOf(creative, isList ? `creatives[${index}]` : 'creative'),
  );
}

function urlsOf({ vast_url, image_url, audio_url, native }: Creative, path: string): CreativeUrl[] {
  const named: [string | undefined, string, CreativeUrl['use']][] = [
    [vast_url, 'vast_url', 'vast'],
    [image_url, 'image_url', 'image'],
    [audio_url, 'audio_url', 'audio'],
    [native?.image_url, 'native.image_url', 'image'],
    [native?.icon_url, 'native.icon_url', 'image'],
  ];
  return named.flatMap(([url, name, use]) => (url === undefined ? [] : [{ url, field: `${path}.${name}`, use }]));
}
