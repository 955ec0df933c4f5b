import type { SeedPublisher } from './make-market.ts';

interface Viewer {
  readonly ua: string;
  readonly devicetype: number;
  readonly country: string;
}

const VIEWERS: Readonly<Record<SeedPublisher['type'], readonly Viewer[]>> = {
  web: [
    {
      ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      devicetype: 2,
      country: 'USA',
    },
    {
      ua: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      devicetype: 2,
      country: 'DEU',
    },
  ],
  mobile: [
    {
      ua: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      devicetype: 4,
      country: 'GBR',
    },
  ],
  ctv: [
    {
      ua: 'Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/8.0 TV Safari/537.36',
      devicetype: 3,
      country: 'ARE',
    },
  ],
};

/** The sizes of display ads, by the type of publisher. */
const SIZES = {
  web: [
    [300, 250],
    [728, 90],
  ],
  mobile: [
    [320, 50],
    [300, 250],
  ],
} as const;

/** One imp in so many asks more than anybody pays, so that there are auctions without a sale to look at. */
const TOO_DEAR_ONE_OF = 12;

export interface SeedRequest {
  readonly body: object;
  /** The viewer's, which its device sends with what it calls. */
  readonly userAgent: string;
}

/** The ad request of some viewer of a publisher; `random` is uniform in [0, 1). */
export function bidRequestOf(publisher: SeedPublisher, random: () => number): SeedRequest {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const { ua, devicetype, country } = pick(VIEWERS[publisher.type]);
  const { id, domain, type } = publisher;
  const isApp = type !== 'web';
  const format = type === 'ctv' ? videoFormat() : displayFormat(pick<readonly [number, number]>(SIZES[type]));
  const body = {
    id: `seed-${Math.floor(random() * 2 ** 48).toString(36)}`,
    imp: [{ id: '1', ...format, ...(random() * TOO_DEAR_ONE_OF < 1 && { bidfloor: 90 }) }],
    ...(isApp ? { app: { id, bundle: domain } } : { site: { id, domain, page: `https://${domain}/today` } }),
    device: { ua, devicetype, geo: { country } },
  };
  return { body, userAgent: ua };
}

function displayFormat([w, h]: readonly [number, number]) {
  return { banner: { w, h } };
}

function videoFormat() {
  return {
    video: { mimes: ['video/mp4'], minduration: 5, maxduration: 30, protocols: [2, 3, 5, 6], w: 1920, h: 1080 },
  };
}
