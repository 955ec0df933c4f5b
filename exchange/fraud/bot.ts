import { createIsbotFromList, isbot, list } from 'isbot';
import type { BidRequest } from '../openrtb/bid-request.ts';
import { withoutAppName } from './app-name.ts';
import { isPlayer } from './player.ts';

/**
 * The patterns of isbot's list that also apply in apps. The rest of the list assumes browsers: it takes a plain name
 * and version, as native players and SDKs send (`ExoPlayerLib/2.18`), for a bot, and a news app as well.
 */
const AUTOMATION: ReadonlySet<string> = new Set([
  '(?<! cu)bots?(?:\\b|_)',
  '\\bperl\\b',
  '^php',
  '^postman',
  '^python',
  '^wget',
  'crawl',
  'cypress/',
  'headless',
  'httrack',
  'java(?!;)',
  'node\\b',
  'nutch',
  'phantomjs',
  'pingdom',
  'playwright',
  'scrape',
  'selenium',
  'spider',
  'statuscake',
  'synthetic',
]);

/** Programs that isbot only recognises by the form of their user agent. */
const CLIENT_PROGRAMS = ['^curl/', '^go-http-client/'];

/** The patterns of `AUTOMATION` that the installed version of isbot still has. */
export const AUTOMATION_KNOWN: readonly string[] = list.filter((pattern) => AUTOMATION.has(pattern));
export const AUTOMATION_NAMED = AUTOMATION.size;

const isAutomation = createIsbotFromList([...AUTOMATION_KNOWN, ...CLIENT_PROGRAMS]);

/** A headless browser also names itself in its client hints (`HeadlessChrome`). */
const HEADLESS_BRAND = /^headless/i;

/** At most this many characters of a user agent are judged; what matters stands at the beginning. */
export const MAX_USER_AGENT = 512;

/**
 * Whether a user agent is a bot's. In an app fewer patterns apply, since the app's own name begins it; players are
 * recognised by their names.
 */
export function isBotUserAgent(userAgent: string, inApp: boolean): boolean {
  const judged = userAgent.slice(0, MAX_USER_AGENT);
  return inApp || isPlayer(judged) ? isAutomation(withoutAppName(judged)) : isbot(judged);
}

/** Whether `device.sua` (OpenRTB 2.6 §3.2.29) names a headless browser. */
export function isHeadless(device: BidRequest['device']): boolean {
  const browsers = device?.sua?.browsers;
  if (!Array.isArray(browsers)) return false;
  return browsers.some((browser) => typeof browser?.brand === 'string' && HEADLESS_BRAND.test(browser.brand));
}
