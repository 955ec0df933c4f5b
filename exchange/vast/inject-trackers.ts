import { type Injection, refuseInjection } from '../creative/injection.ts';
import type { ViewabilityUrl } from '../creative/viewability-url.ts';
import { type Insertion, locateAds } from './locate-ads.ts';
import { takesVast, type VastPlayer } from './player.ts';

/** VAST 4.0 on knows what players tell of views; before, no element that a player must know does. */
const SUPPORTS_VIEWABILITY = /^4(\.|$)/;

/**
 * Adds `<Impression>` with our URL to every `InLine` and `Wrapper` of a VAST 2.0 to 4.2 document (VAST 4.2 §3.3.3: any
 * number of them is allowed, wherever it came from), and since 4.0, with a `viewUrl`, what players call when the ad was seen, was
 * not, or nobody can tell (§3.3.4, `ViewableImpression`), beside what the DSP has there. Everything else stays byte for byte as
 * the DSP wrote it: places are found by a conforming XML parser, the text is inserted there. A document that a given `player`
 * does not take is refused.
 */
export function injectVastTrackers(
  adm: string,
  trackingUrl: string,
  player?: VastPlayer,
  viewUrl?: ViewabilityUrl,
): Injection {
  const located = locateAds(adm);
  if (!located.ok) return refuseInjection(located.reason, located.message);
  const { text, insertions, version, hasWrapper } = located;
  if (player !== undefined && !takesVast(player, located)) {
    return refuseInjection(
      'vast-not-taken',
      `the player takes no ${hasWrapper ? 'wrapper' : 'document'} of VAST ${version}`,
    );
  }
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

/** A CDATA section ends at the first `]]>`; in a URL its `>` may as well be percent-encoded. */
function cdataSafe(url: string): string {
  return url.replaceAll(']]>', ']]%3E');
}
