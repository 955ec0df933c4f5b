/** The device that a user agent describes. */
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

/** At most this many characters are judged; what matters stands at the beginning. */
const MAX_USER_AGENT = 512;

/**
 * The patterns in order of precedence: televisions also name the browsers and phones that their systems derive from.
 */
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

/** The word by which browsers on hand-held devices name themselves; web views of some television boxes use it too. */
const HAND_HELD = /\bmobile\b/i;
const HAND_HELD_DEVICE: DeviceFromUserAgent = { devicetype: PHONE };

/**
 * The device that a user agent names, as far as it does; null for computers and for user agents that name none.
 * `onTelevision`: the source is a television's, where only a phone's own name counts against a television.
 */
export function deviceOfUserAgent(userAgent: string, onTelevision: boolean): DeviceFromUserAgent | null {
  const judged = userAgent.slice(0, MAX_USER_AGENT);
  for (const [pattern, found] of USER_AGENT_PATTERNS) if (pattern.test(judged)) return found;
  return !onTelevision && HAND_HELD.test(judged) ? HAND_HELD_DEVICE : null;
}
