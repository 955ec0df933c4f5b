/** Where an app's own name ends: Apple's networking and Android's media player write what they are behind it. */
const BEHIND_NAME = [' CFNetwork/', ' (Linux;Android '];

/**
 * A user agent without the name of the app that begins it: of what an app is called nothing follows, `SpiderSolitaire/5 CFNetwork/1410
 * Darwin/22` is no spider. Others are returned as they are.
 */
export function withoutAppName(userAgent: string): string {
  for (const mark of BEHIND_NAME) {
    const at = userAgent.indexOf(mark);
    if (at !== -1) return userAgent.slice(at + 1);
  }
  return userAgent;
}
