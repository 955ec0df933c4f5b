/**
 * Families of devices that a user agent tells apart reliably. One device may call itself a phone or, when a page's
 * desktop version is wanted, a computer of the same maker: such kinds are one family. Tracking URLs store the index in
 * this list, so new families are added at the end.
 */
export const DEVICE_FAMILIES = ['windows', 'apple', 'linux', 'roku', 'playstation', 'nintendo'] as const;
export type DeviceFamily = (typeof DEVICE_FAMILIES)[number];

/** At most this many characters are judged; what matters stands at the beginning. */
const MAX_USER_AGENT = 512;

/** The patterns in order of precedence: Windows phones also name Android and iPhone, and Xboxes name Windows. */
const FAMILIES: readonly (readonly [RegExp, DeviceFamily])[] = [
  [/\broku/i, 'roku'],
  [/playstation/i, 'playstation'],
  [/nintendo/i, 'nintendo'],
  [/windows|xbox/i, 'windows'],
  [/iphone|ipad|ipod|macintosh|mac os|apple ?tv|applecoremedia|\bcfnetwork|\bdarwin\b|\btvos\b|\bios\b/i, 'apple'],
  // Android, ChromeOS, and televisions: Tizen, webOS, Fire TV.
  [/linux|android|\bcros\b|tizen|web0s|webos|dalvik|silk\/|\bx11\b/i, 'linux'],
];

/** The family that a user agent names; null when it names none. */
export function deviceFamilyOf(userAgent: string): DeviceFamily | null {
  const judged = userAgent.slice(0, MAX_USER_AGENT);
  for (const [pattern, family] of FAMILIES) if (pattern.test(judged)) return family;
  return null;
}
