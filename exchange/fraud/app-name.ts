/** What Apple's networking and Android's media player write behind the app's own name. */
const BEHIND_NAME = [' CFNetwork/', ' (Linux;Android '];

/**
 * Removes the name of the app that begins a user agent, because an app's name says nothing about the caller:
 * `SpiderSolitaire/5 CFNetwork/1410 Darwin/22` is not a spider. Other user agents are returned unchanged.
 */
export function withoutAppName(userAgent: string): string {
  for (const mark of BEHIND_NAME) {
    const at = userAgent.indexOf(mark);
    if (at !== -1) return userAgent.slice(at + 1);
  }
  return userAgent;
}
