import { clockOf } from '../../../../exchange/vast/clock.ts';
import type { Offer } from '../offer.ts';
import type { Persona } from '../personas.ts';

/** Of `imp.video` and `imp.audio`: what decides how the creative looks. */
interface Slot {
  readonly w?: number;
  readonly h?: number;
  readonly mimes?: readonly string[];
  readonly protocols?: readonly number[];
  readonly minduration?: number;
  readonly maxduration?: number;
  readonly rqddurs?: readonly number[];
  readonly poddur?: number;
}

/** AdCOM 1.0, "List: Creative Subtypes - Audio/Video": the in-line VAST versions spoken here, the best known first. */
const versions: readonly (readonly [number, string])[] = [
  [3, '3.0'],
  [7, '4.0'],
  [2, '2.0'],
];

const SPOT_SECONDS = 15;

/** One linear ad, of 15 seconds unless the slot wants another length; null when the slot takes none of the versions spoken here. */
export function vastMarkup(kind: 'video' | 'audio', slot: Slot, persona: Persona): Offer | null {
  const accepted = versions.find(([protocol]) => slot.protocols?.includes(protocol) ?? true);
  if (accepted === undefined) return null;
  const site = `https://${persona.path.slice(1)}.example`;
  const { w = 1280, h = 720 } = slot;
  const dur = spotSeconds(slot);
  const type = slot.mimes?.[0] ?? (kind === 'video' ? 'video/mp4' : 'audio/mpeg');
  const size = kind === 'video' ? ` width="${w}" height="${h}"` : ' width="0" height="0"';
  const adm = [
    `<VAST version="${accepted[1]}"><Ad id="${persona.name}"><InLine>`,
    `<AdSystem>${persona.name}</AdSystem><AdTitle>${persona.name} ${dur} s</AdTitle>`,
    `<Impression><![CDATA[${site}/impression]]></Impression>`,
    `<Creatives><Creative><Linear><Duration>${clockOf(dur * 1_000)}</Duration>`,
    `<VideoClicks><ClickThrough><![CDATA[${site}/]]></ClickThrough></VideoClicks>`,
    `<MediaFiles><MediaFile delivery="progressive" type="${escapeXml(type)}"${size}>`,
    `<![CDATA[${site}/spot-${dur}s]]></MediaFile></MediaFiles>`,
    '</Linear></Creative></Creatives></InLine></Ad></VAST>',
  ].join('');
  return kind === 'video' ? { adm, mtype: 2, w, h, dur } : { adm, mtype: 3, dur };
}

/** Whole seconds. */
export function spotSeconds({ minduration = 0, maxduration, rqddurs, poddur }: Slot): number {
  if (rqddurs?.length) return rqddurs[0]!;
  const longest = Math.min(maxduration || SPOT_SECONDS, poddur || SPOT_SECONDS, SPOT_SECONDS);
  return Math.max(minduration, longest);
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
