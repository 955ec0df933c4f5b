import { isBotUserAgent, isHeadless, MAX_USER_AGENT } from '../../exchange/fraud/bot.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import { GenerationalCache } from './generations.ts';

const VERDICTS_KEPT = 20_000;

/** Recognizes bots by their user agents. Each user agent is judged once: a few thousand make up nearly all traffic. */
export class BotDetector {
  readonly #inApps = new GenerationalCache<string, boolean>(Number.POSITIVE_INFINITY, VERDICTS_KEPT, 0);
  readonly #inBrowsers = new GenerationalCache<string, boolean>(Number.POSITIVE_INFINITY, VERDICTS_KEPT, 0);

  /** A missing user agent alone does not make a bot: OpenRTB does not demand one, and SSAI servers have none. */
  isBotRequest({ device, app }: BidRequest): boolean {
    const userAgent = device?.ua;
    if (userAgent && this.#isBot(userAgent, app !== undefined)) return true;
    return device?.sua !== undefined && isHeadless(device);
  }

  #isBot(userAgent: string, inApp: boolean): boolean {
    // A user agent longer than any browser's is not worth remembering.
    if (userAgent.length > MAX_USER_AGENT) return isBotUserAgent(userAgent, inApp);
    const verdicts = inApp ? this.#inApps : this.#inBrowsers;
    const known = verdicts.get(userAgent, 0);
    if (known !== undefined) return known;
    const verdict = isBotUserAgent(userAgent, inApp);
    verdicts.put(userAgent, verdict, 0);
    return verdict;
  }
}
