import { withoutAppName } from '../fraud/app-name.ts';
import { isStitcher } from '../fraud/player.ts';

/**
 * The kind of a caller by its user agent. A crawler names itself. A program speaks HTTP and shows nothing, as servers
 * do, or sends no user agent. Everything else is a device: a browser, a player, an app.
 */
export type UserAgentKind = 'crawler' | 'program' | 'device';

/** At most this many characters are judged; what matters stands at the beginning. */
const MAX_USER_AGENT = 512;

/** Matches crawlers, except `CUBOT`, a maker of phones. */
const CRAWLER =
  /(?<!\bcu)bots?(?:\b|_)|crawl|spider|slurp|mediapartners-google|facebookexternalhit|ia_archiver|archive\.org|bingpreview|duckduckgo-favicons|google-inspectiontool|google-read-aloud|apis-google|feedfetcher|lighthouse|pingdom|statuscake/i;

/** The names of HTTP libraries and commands, which stand at the beginning of their user agents. */
const PROGRAM =
  /^(?:curl|wget|node|node\.js|node-fetch|undici|axios|got|needle|superagent|deno|bun|go-http-client|fasthttp|java|apache-httpclient|jersey|jetty|okhttp|reactornetty|akka-http|pekko-http|vertx|vert\.x|spring|python|python-requests|python-urllib|python-httpx|aiohttp|httpx|libwww-perl|lwp|perl|php|guzzlehttp|symfony|ruby|faraday|typhoeus|rest-client|httpie|postmanruntime|insomnia|hyper|reqwest|ureq|dart|restsharp|\.net|nginx|envoy|varnish|traefik|haproxy|hackney|erlang|finch|libcurl|winhttp|prebid-server|pbs)(?:[/ _(-]|\.|$)/i;

export function userAgentKind(userAgent: string): UserAgentKind {
  if (userAgent === '') return 'program';
  const judged = withoutAppName(userAgent.slice(0, MAX_USER_AGENT));
  if (CRAWLER.test(judged)) return 'crawler';
  return PROGRAM.test(judged) || isStitcher(judged) ? 'program' : 'device';
}
