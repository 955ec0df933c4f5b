import { formatDuration } from '#exchange/vast/duration';
import { type MediaOrigin, mediaFile, mediaFileFor, urlOf } from '../media-files.ts';
import type { Offer } from '../offer.ts';
import type { SyntheticBidder } from '../synthetic-bidders.ts';

/** The fields of `imp.video` and `imp.audio` that decide about the creative. */
interface AdSlot {
  readonly w?: number;
  readonly h?: number;
  readonly mimes?: readonly string[];
  readonly protocols?: readonly number[];
  readonly minduration?: number;
  readonly maxduration?: number;
  readonly rqddurs?: readonly number[];
  readonly poddur?: number;
  /** For audio: the companion slots. */
  readonly companionad?: readonly object[];
}

/** AdCOM 1.0, "List: Creative Subtypes - Audio/Video": the supported in-line VAST versions, preferred first. */
const versions: readonly (readonly [number, string])[] = [
  [3, '3.0'],
  [7, '4.0'],
  [2, '2.0'],
];

const DEFAULT_AD_SECONDS = 15;

/**
 * One linear ad, of 15 seconds unless the slot wants another length, with a playable file and, where the slot takes
 * one, a companion. Null when the slot takes no supported version.
 */
export function vastMarkup(
  kind: 'video' | 'audio',
  slot: AdSlot,
  persona: SyntheticBidder,
  origin: MediaOrigin,
): Offer | null {
  const accepted = versions.find(([protocol]) => slot.protocols?.includes(protocol) ?? true);
  if (accepted === undefined) return null;
  const site = `https://${persona.path.slice(1)}.example`;
  const { w = 1280, h = 720 } = slot;
  const dur = adDurationSeconds(slot);
  const file = mediaFileFor(kind, slot.mimes, dur);
  const size = kind === 'video' ? ' width="640" height="360"' : ' width="0" height="0"';
  const adm = [
    `<VAST version="${accepted[1]}"><Ad id="${persona.name}"><InLine>`,
    `<AdSystem>${persona.name}</AdSystem><AdTitle>${persona.name} ${dur} s</AdTitle>`,
    `<Impression><![CDATA[${urlOf(mediaFile('pixel.gif'), origin)}]]></Impression>`,
    `<Creatives><Creative><Linear><Duration>${formatDuration(dur * 1_000)}</Duration>`,
    `<VideoClicks><ClickThrough><![CDATA[${site}/]]></ClickThrough></VideoClicks>`,
    `<MediaFiles><MediaFile delivery="progressive" type="${file.mimeType}"${size}>`,
    `<![CDATA[${urlOf(file, origin)}]]></MediaFile></MediaFiles></Linear></Creative>`,
    slot.companionad?.length ? companion(site, origin) : '',
    '</Creatives></InLine></Ad></VAST>',
  ].join('');
  return kind === 'video' ? { adm, mtype: 2, w, h, dur } : { adm, mtype: 3, dur };
}

function companion(site: string, origin: MediaOrigin): string {
  return [
    '<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">',
    `<![CDATA[${urlOf(mediaFile('companion-300x250.png'), origin)}]]></StaticResource>`,
    `<CompanionClickThrough><![CDATA[${site}/]]></CompanionClickThrough></Companion></CompanionAds></Creative>`,
  ].join('');
}

/** Length of the ad in whole seconds. */
export function adDurationSeconds({ minduration = 0, maxduration, rqddurs, poddur }: AdSlot): number {
  if (rqddurs?.length) return rqddurs[0]!;
  const longest = Math.min(maxduration || DEFAULT_AD_SECONDS, poddur || DEFAULT_AD_SECONDS, DEFAULT_AD_SECONDS);
  return Math.max(minduration, longest);
}
