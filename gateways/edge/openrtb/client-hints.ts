import type { Ext } from '#exchange/openrtb/fields/field';

/** A browser or a platform and its version, part by part (OpenRTB 2.6 §3.2.30). */
export interface BrandVersion {
  readonly brand: string;
  readonly version?: readonly string[];
}

/** `device.sua` (OpenRTB 2.6 §3.2.29). */
export interface StructuredUserAgent extends Ext {
  readonly browsers: readonly BrandVersion[];
  readonly platform?: BrandVersion;
  readonly mobile?: 0 | 1;
  readonly architecture?: string;
  readonly bitness?: string;
  readonly model?: string;
  /**
   * 1: from hints that every request carries; 2: from hints that were requested (AdCOM 1.0, List: User-Agent Source).
   */
  readonly source: 1 | 2;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Longer than any browser's hint; longer text is ignored. */
const LONGEST_HINT = 1_024;
/** `"Chromium";v="124"` (RFC 8941: a string with a parameter); brands and versions hold no quotes. */
const BRAND = /"([^"\\]{1,64})"\s?;\s?v="([^"\\]{1,32})"/g;
/** `"Windows"` */
const STRING = /^"([^"\\]{1,64})"$/;

/**
 * The client hints of a request (User-Agent Client Hints, "Sec-CH-UA") as `device.sua`. Null where it has none, as from
 * browsers that are not based on Chromium, and from any browser over plain http.
 */
export function clientHints(headers: Headers): StructuredUserAgent | null {
  const full = headers['sec-ch-ua-full-version-list'];
  const brands = full ?? headers['sec-ch-ua'];
  if (brands === undefined) return null;
  const browsers = brandsOf(brands);
  if (browsers.length === 0) return null;
  const platform = stringOf(headers['sec-ch-ua-platform']);
  const platformVersion = stringOf(headers['sec-ch-ua-platform-version']);
  const architecture = stringOf(headers['sec-ch-ua-arch']);
  const bitness = stringOf(headers['sec-ch-ua-bitness']);
  const model = stringOf(headers['sec-ch-ua-model']);
  const mobile = headers['sec-ch-ua-mobile'];
  return {
    browsers,
    ...(platform && {
      platform: { brand: platform, ...(platformVersion && { version: platformVersion.split('.') }) },
    }),
    ...((mobile === '?0' || mobile === '?1') && { mobile: mobile === '?1' ? 1 : 0 }),
    ...(architecture && { architecture }),
    ...(bitness && { bitness }),
    ...(model && { model }),
    source: full === undefined && platformVersion === undefined ? 1 : 2,
  };
}

function brandsOf(list: string): BrandVersion[] {
  const browsers: BrandVersion[] = [];
  for (const [, brand, version] of list.slice(0, LONGEST_HINT).matchAll(BRAND)) {
    browsers.push({ brand: brand!, version: version!.split('.') });
  }
  return browsers;
}

function stringOf(item: string | undefined): string | undefined {
  return item === undefined ? undefined : STRING.exec(item.slice(0, LONGEST_HINT))?.[1];
}
