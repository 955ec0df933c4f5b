import type { VastAd } from '../../exchange/vast/ad.ts';
import { readVast } from '../../exchange/vast/read-vast.ts';
import type { Script } from './bidder.ts';

export interface Spot {
  readonly name: string;
  /** The duration in the document. */
  readonly seconds?: number;
  readonly version?: string;
  /** True for a wrapper that leads to another document. */
  readonly wrapper?: boolean;
}

/** A VAST document of one ad whose id is the name of the spot. */
export function spotVast({ name, seconds = 15, version = '3.0', wrapper = false }: Spot): string {
  const impression = `<Impression><![CDATA[https://dsp.test/${name}/impression]]></Impression>`;
  if (wrapper) {
    return `<VAST version="${version}"><Ad id="${name}"><Wrapper><AdSystem>s</AdSystem>
    <VASTAdTagURI><![CDATA[https://dsp.test/${name}/inline]]></VASTAdTagURI>${impression}</Wrapper></Ad></VAST>`;
  }
  return `<VAST version="${version}"><Ad id="${name}"><InLine><AdSystem>s</AdSystem><AdTitle>${name}</AdTitle>${impression}
  <Creatives><Creative><Linear><Duration>00:00:${String(seconds).padStart(2, '0')}</Duration><MediaFiles>
  <MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[https://cdn.test/${name}.mp4]]></MediaFile>
  </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
}

export function spotAd(spot: Spot): VastAd {
  const read = readVast(spotVast(spot));
  const [ad] = read.ok ? read.ads : [];
  if (ad?.kind !== 'inline') throw new Error('the spot is no inline ad');
  return ad;
}

export interface SpotBid extends Spot {
  readonly price: number;
  /** The index of the imp in the request; 0 when absent. */
  readonly imp?: number;
  /** Fields of the bid that replace those made from the spot. */
  readonly bid?: Readonly<Record<string, unknown>>;
}

/**
 * Bids with one spot each, every one of another advertiser; a bid for an imp that the request does not have is left
 * out.
 */
export function spotBids(...spots: readonly SpotBid[]): Script {
  return ({ body }, response) => {
    const bid = spots.flatMap((spot) => {
      const impid = body.imp[spot.imp ?? 0]?.id;
      const { name, price, seconds: dur = 15 } = spot;
      const adomain = [`${name}.example`];
      return impid
        ? [{ id: name, impid, price, dur, adomain, crid: name, mtype: 2, adm: spotVast(spot), ...spot.bid }]
        : [];
    });
    if (bid.length === 0) response.writeHead(204).end();
    else response.end(JSON.stringify({ id: body.id, cur: 'USD', seatbid: [{ seat: 'seat-1', bid }] }));
  };
}
