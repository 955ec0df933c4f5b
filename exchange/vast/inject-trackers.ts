import { type Injection, refuseInjection } from '../creative/injection.ts';
import { linearMisfit } from '../creative/linear-misfit.ts';
import type { ViewabilityUrl } from '../creative/viewability-url.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import type { Audio, Video } from '../openrtb/fields/video-audio.ts';
import { type Insertion, locateAds } from './locate-ads.ts';
import { takesVast, type VastPlayer } from './player.ts';

/** Viewability elements exist since VAST 4.0; before, no element that every player must know reports it. */
const SUPPORTS_VIEWABILITY = /^4(\.|$)/;

export interface VastInjection {
  readonly player?: VastPlayer | undefined;
  /** What the imp takes; absent: anything. */
  readonly requested?: Video | Audio | undefined;
  /** Whether the imp takes ads in the break alone, or over the content alone (OpenRTB 2.6 §3.2.7); absent: both. */
  readonly linearity?: number | undefined;
  /** The seconds that the bid said. */
  readonly dur?: number | undefined;
  /** The deal of the bid. */
  readonly deal?: Deal | undefined;
  readonly viewUrl?: ViewabilityUrl | undefined;
}

/**
 * Adds `<Impression>` with the exchange's URL to every `InLine` and `Wrapper` of a VAST 2.0 to 4.2 document (VAST 4.2
 * §3.3.3 allows any number, from any party). Since 4.0, and with a `viewUrl`, it also adds the URLs that players call
 * when the ad was viewable, was not, or could not be measured (§3.3.4, `ViewableImpression`), beside those of the DSP.
 * Everything else stays as the DSP wrote it, byte for byte: a conforming XML parser finds the places, and text is
 * inserted there. A document that the given `player` or the imp does not take is refused.
 */
export function injectVastTrackers(
  adm: string,
  trackingUrl: string,
  { player, requested, linearity, dur, deal, viewUrl }: VastInjection = {},
): Injection {
  const located = locateAds(adm);
  if (!located.ok) return refuseInjection(located.reason, located.message);
  const { text, insertions, version, hasWrapper, ads } = located;
  if (player !== undefined && !takesVast(player, located)) {
    return refuseInjection(
      'vast-not-taken',
      `the player takes no ${hasWrapper ? 'wrapper' : 'document'} of VAST ${version}`,
    );
  }
  const misfit = requested === undefined ? null : linearMisfit(ads, { requested, linearity, dur, deal });
  if (misfit !== null) return refuseInjection(misfit, 'the imp does not take an ad of the document');
  const views = viewUrl !== undefined && SUPPORTS_VIEWABILITY.test(version) ? viewUrl : null;
  let result = '';
  let from = 0;
  for (const insertion of insertions) {
    const inserted = insertedAt(insertion, trackingUrl, views);
    if (inserted === '') continue;
    result += text.slice(from, insertion.offset) + inserted;
    from = insertion.until;
  }
  return { ok: true, adm: result + text.slice(from) };
}

function insertedAt({ what, prefix }: Insertion, trackingUrl: string, viewUrl: ViewabilityUrl | null): string {
  if (what === 'impression') return tracker(`${prefix}Impression`, trackingUrl);
  if (viewUrl === null) return '';
  const viewable = () => tracker(`${prefix}Viewable`, viewUrl('viewable'));
  const notViewable = () => tracker(`${prefix}NotViewable`, viewUrl('not_viewable'));
  const undetermined = () => tracker(`${prefix}ViewUndetermined`, viewUrl('undetermined'));
  switch (what) {
    case 'viewable':
      return viewable();
    case 'not-viewable':
      return notViewable();
    case 'undetermined':
      return undetermined();
    case 'views':
      return `<${prefix}ViewableImpression>${viewable()}${notViewable()}${undetermined()}</${prefix}ViewableImpression>`;
    case 'views-in-empty':
      return `>${viewable()}${notViewable()}${undetermined()}</${prefix}ViewableImpression>`;
  }
}

function tracker(name: string, url: string): string {
  return `<${name}><![CDATA[${cdataSafe(url)}]]></${name}>`;
}

/** Makes a URL safe for CDATA, which ends at the first `]]>`; in a URL its `>` can be percent-encoded. */
function cdataSafe(url: string): string {
  return url.replaceAll(']]>', ']]%3E');
}
