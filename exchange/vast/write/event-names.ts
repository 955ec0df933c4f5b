import type { VastVersion } from '../vast-version.ts';

const ALWAYS = [
  'creativeView',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'mute',
  'unmute',
  'pause',
  'rewind',
  'resume',
  'acceptInvitation',
  'close',
];
const UNTIL_3 = ['fullscreen', 'expand', 'collapse'];
const SINCE_3 = ['skip', 'progress'];
const SINCE_4 = [
  'playerExpand',
  'playerCollapse',
  'adExpand',
  'adCollapse',
  'minimize',
  'overlayViewDuration',
  'otherAdInteraction',
];
const SINCE_4_1 = ['loaded', 'closeLinear'];

/** The event names of each version's schema. */
const NAMES: Readonly<Record<VastVersion, ReadonlySet<string>>> = {
  '2.0': new Set([...ALWAYS, ...UNTIL_3]),
  '3.0': new Set([...ALWAYS, ...UNTIL_3, ...SINCE_3, 'exitFullscreen', 'acceptInvitationLinear', 'closeLinear']),
  '4.0': new Set([...ALWAYS, ...SINCE_3, ...SINCE_4, 'acceptInvitationLinear', 'timeSpentViewing']),
  '4.1': new Set([...ALWAYS, ...SINCE_3, ...SINCE_4, ...SINCE_4_1]),
  '4.2': new Set([...ALWAYS, ...SINCE_3, ...SINCE_4, ...SINCE_4_1, 'interactiveStart']),
};

/** Names of the same event in different versions. */
const SAME = [
  ['fullscreen', 'playerExpand'],
  ['exitFullscreen', 'playerCollapse'],
  ['expand', 'adExpand'],
  ['collapse', 'adCollapse'],
  ['acceptInvitationLinear', 'acceptInvitation'],
  ['closeLinear', 'close'],
];

const SYNONYM = new Map(SAME.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));

/** The name of an event in a version; undefined where the version does not know it. */
export function eventName(event: string, version: VastVersion): string | undefined {
  const names = NAMES[version];
  if (names.has(event)) return event;
  const synonym = SYNONYM.get(event);
  return synonym !== undefined && names.has(synonym) ? synonym : undefined;
}
