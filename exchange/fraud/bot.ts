import { createIsbotFromList, isbot, list } from 'isbot';
import type { BidRequest } from '../openrtb/bid-request.ts';
import { withoutAppName } from './app-name.ts';
import { isPlayer } from './player.ts';

/**
 * What of isbot's list holds in apps too. The rest of it knows browsers: to it a name and a version, as native players
 * and SDKs call themselves (`ExoPlayerLib/2.18`), is a bot, and so is a news app.
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

/** Programs that isbot knows only by their shape. */
const CLIENT_PROGRAMS = ['^curl/', '^go-http-client/'];

/** What of isbot's list `AUTOMATION` names that the installed version still has. */
export const AUTOMATION_KNOWN: readonly string[] = list.filter((pattern) => AUTOMATION.has(pattern));
export const AUTOMATION_NAMED = AUTOMATION.size;

const isAutomation = createIsbotFromList([...AUTOMATION_KNOWN, ...CLIENT_PROGRAMS]);

/** A browser that runs without a screen says so in its client hints too (`HeadlessChrome`). */
const HEADLESS_BRAND = /^headless/i;

/** Longer ones are nobody's; what matters stands at the beginning. */
export const MAX_USER_AGENT = 512;

/** Whether a user agent is a bot's. In an app it is the app's own name that begins it, so less is known; players go by theirs. */
export function isBotUserAgent(userAgent: string, inApp: boolean): boolean {
  const judged = userAgent.slice(0, MAX_USER_AGENT);
  return inApp || isPlayer(judged) ? isAutomation(withoutAppName(judged)) : isbot(judged);
}

/** Whether `device.sua` (OpenRTB 2.6 §3.2.29) names a browser without a screen. */
export function isHeadless(device: BidRequest['device']): boolean {
  const browsers = device?.sua?.browsers;
  if (!Array.isArray(browsers)) return false;
  return browsers.some((browser) => typeof browser?.brand === 'string' && HEADLESS_BRAND.test(browser.brand));
}
