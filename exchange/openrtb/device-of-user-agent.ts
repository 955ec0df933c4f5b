/** What a user agent says of the device. */
export interface DeviceFromUserAgent {
  /** AdCOM 1.0, List: Device Types. */
  readonly devicetype: number;
  readonly make?: string;
  readonly os?: string;
}

const CONNECTED_TV = 3;
const PHONE = 4;
const TABLET = 5;
const CONNECTED_DEVICE = 6;

/** What matters stands at the beginning. */
const MAX_USER_AGENT = 512;

/** In this order: televisions name the browsers and telephones that their systems come from. */
const USER_AGENT_PATTERNS: readonly (readonly [RegExp, DeviceFromUserAgent])[] = [
  [/\broku/i, { devicetype: CONNECTED_TV, make: 'Roku', os: 'Roku OS' }],
  [/\bapple ?tv|\btvos\b/i, { devicetype: CONNECTED_TV, make: 'Apple', os: 'tvOS' }],
  // Amazon's models: AFTMM, AFTKA, … (Fire TV, "Identify Fire TV devices").
  [/\bAFT[A-Z]/, { devicetype: CONNECTED_TV, make: 'Amazon', os: 'Fire OS' }],
  [/\bweb0s\b|\bwebos\b/i, { devicetype: CONNECTED_TV, make: 'LG', os: 'webOS' }],
  [/\btizen\b/i, { devicetype: CONNECTED_TV, make: 'Samsung', os: 'Tizen' }],
  [/\bcrkey\b|chromecast/i, { devicetype: CONNECTED_TV, make: 'Google' }],
  [/\bbravia\b/i, { devicetype: CONNECTED_TV, make: 'Sony' }],
  [/\bvizio\b|smartcast/i, { devicetype: CONNECTED_TV, make: 'Vizio' }],
  [/smart-?tv|google ?tv|android ?tv|\bhbbtv\b|\bnetcast\b|\bviera\b/i, { devicetype: CONNECTED_TV }],
  [/playstation|\bxbox\b|nintendo/i, { devicetype: CONNECTED_DEVICE }],
  [/\bipad\b/i, { devicetype: TABLET, make: 'Apple' }],
  [/\biphone\b|\bipod\b/i, { devicetype: PHONE, make: 'Apple', os: 'iOS' }],
];

/** Browsers on hand-held devices say so; so do web views of some televisions' boxes. */
const HAND_HELD = /\bmobile\b/i;
const HAND_HELD_DEVICE: DeviceFromUserAgent = { devicetype: PHONE };

/**
 * The device that a user agent names, as far as it does; null for computers and whatever names none. `onTelevision`: the source
 * is a television's, where no hint but a telephone's own name speaks against it.
 */
export function deviceOfUserAgent(userAgent: string, onTelevision: boolean): DeviceFromUserAgent | null {
  const judged = userAgent.slice(0, MAX_USER_AGENT);
  for (const [pattern, said] of USER_AGENT_PATTERNS) if (pattern.test(judged)) return said;
  return !onTelevision && HAND_HELD.test(judged) ? HAND_HELD_DEVICE : null;
}
