import { withoutAppName } from '../fraud/app-name.ts';
import { isStitcher } from '../fraud/player.ts';

/**
 * What calls, by what it says of itself: a crawler that names itself; a program that speaks HTTP and shows nothing (or says nothing of
 * itself), as servers use; or a device, which is all else: a browser, a player, an app.
 */
export type UserAgentKind = 'crawler' | 'program' | 'device';

/** What matters stands at the beginning. */
const MAX_USER_AGENT = 512;

/** `CUBOT` makes phones. */
const CRAWLER =
  /(?<!\bcu)bots?(?:\b|_)|crawl|spider|slurp|mediapartners-google|facebookexternalhit|ia_archiver|archive\.org|bingpreview|duckduckgo-favicons|google-inspectiontool|google-read-aloud|apis-google|feedfetcher|lighthouse|pingdom|statuscake/i;

/** Names of libraries and commands at the beginning, where such programs name themselves. */
const PROGRAM =
  /^(?:curl|wget|node|node\.js|node-fetch|undici|axios|got|needle|superagent|deno|bun|go-http-client|fasthttp|java|apache-httpclient|jersey|jetty|okhttp|reactornetty|akka-http|pekko-http|vertx|vert\.x|spring|python|python-requests|python-urllib|python-httpx|aiohttp|httpx|libwww-perl|lwp|perl|php|guzzlehttp|symfony|ruby|faraday|typhoeus|rest-client|httpie|postmanruntime|insomnia|hyper|reqwest|ureq|dart|restsharp|\.net|nginx|envoy|varnish|traefik|haproxy|hackney|erlang|finch|libcurl|winhttp|prebid-server|pbs)(?:[/ _(-]|\.|$)/i;

export function userAgentKind(userAgent: string): UserAgentKind {
  if (userAgent === '') return 'program';
  const judged = withoutAppName(userAgent.slice(0, MAX_USER_AGENT));
  if (CRAWLER.test(judged)) return 'crawler';
  return PROGRAM.test(judged) || isStitcher(judged) ? 'program' : 'device';
}
