import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';

/** Macros that VAST 4 allows in request URIs (IAB VAST macros, context "VAST request URIs"). */
const REQUEST_MACROS: ReadonlySet<string> = new Set(
  `TIMESTAMP CACHEBUSTING CONTENTPLAYHEAD MEDIAPLAYHEAD BREAKPOSITION BLOCKEDADCATEGORIES ADCATEGORIES ADCOUNT
  TRANSACTIONID PLACEMENTTYPE ADTYPE BREAKMAXDURATION BREAKMAXADS BREAKMINADLENGTH BREAKMAXADLENGTH IFA IFATYPE CLIENTUA
  SERVERUA DEVICEUA SERVERSIDE DEVICEIP LATLONG DOMAIN PAGEURL APPBUNDLE VASTVERSIONS APIFRAMEWORKS EXTENSIONS
  VERIFICATIONVENDORS OMIDPARTNER MEDIAMIME PLAYERCAPABILITIES CLICKTYPE INVENTORYSTATE PLAYERSIZE CONTENTID CONTENTURI
  LIMITADTRACKING REGULATIONS GDPRCONSENT STOREID STOREURL PLAYBACKMETHODS CONTENTCAT GPPSTRING GPPSECTIONID
  DSAREQUIRED DSAPARAMS DSAPUBRENDER`.split(/\s+/),
);

/**
 * VAST 4.2 §6.3: the replacement of a macro whose value is unknown. There is no viewer yet when a creative is saved.
 */
const UNKNOWN = '-1';
/** "Server making request on its own behalf": there is no viewer. */
const SERVER_ALONE = '2';
/** VAST 2.0 to 4.2, inline and wrapper, as AdCOM's list of creative subtypes numbers them. */
const VAST_VERSIONS = '2,3,5,6,7,8,11,12,13,14';

/**
 * Replaces the macros of a VAST request URI with encoded values; text that is no VAST macro stays as it is. `ofViewer`
 * stands for what only a viewer's player knows.
 */
export function fillRequestMacros(url: string, clock: Clock, random: Random, ofViewer = UNKNOWN): string {
  const known: Readonly<Record<string, () => string>> = {
    TIMESTAMP: () => new Date(clock.now()).toISOString(),
    CACHEBUSTING: () => random.id().replace(/\D/g, '').padEnd(8, '0').slice(0, 8),
    SERVERSIDE: () => SERVER_ALONE,
    VASTVERSIONS: () => VAST_VERSIONS,
  };
  return url.replace(
    /\[([A-Z]+)\]|%5B([A-Z]+)%5D/gi,
    (whole, plain: string | undefined, encoded: string | undefined) => {
      const name = (plain ?? encoded ?? '').toUpperCase();
      if (!REQUEST_MACROS.has(name)) return whole;
      return encodeURIComponent(known[name]?.() ?? ofViewer);
    },
  );
}
