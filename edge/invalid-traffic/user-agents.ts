import { isBotUserAgent, MAX_USER_AGENT } from '../../exchange/fraud/bot.ts';
import { type DeviceFamily, deviceFamilyOf } from '../../exchange/invalid-traffic/device-family.ts';
import { type UserAgentKind, userAgentKind } from '../../exchange/invalid-traffic/user-agent-kind.ts';
import { GenerationalCache } from '../screening/generations.ts';

const KEPT = 20_000;

export interface UserAgent {
  readonly kind: UserAgentKind;
  readonly family: DeviceFamily | null;
  readonly isBotInBrowser: boolean;
  /** In an app, the user agent begins with the app's own name, so less is known. */
  readonly isBotInApp: boolean;
}

/** Classifies user agents. Each is judged once: a few thousand make up nearly all traffic. */
export class UserAgentClassifier {
  readonly #known = new GenerationalCache<string, UserAgent>(Number.POSITIVE_INFINITY, KEPT, 0);

  classify(userAgent: string): UserAgent {
    // A user agent longer than any browser's is not worth remembering.
    if (userAgent.length > MAX_USER_AGENT) return classifyUserAgent(userAgent);
    const known = this.#known.get(userAgent, 0);
    if (known !== undefined) return known;
    const agent = classifyUserAgent(userAgent);
    this.#known.put(userAgent, agent, 0);
    return agent;
  }
}

function classifyUserAgent(userAgent: string): UserAgent {
  return {
    kind: userAgentKind(userAgent),
    family: deviceFamilyOf(userAgent),
    // Every browser states its user agent; apps need not.
    isBotInBrowser: userAgent === '' || isBotUserAgent(userAgent, false),
    isBotInApp: isBotUserAgent(userAgent, true),
  };
}
