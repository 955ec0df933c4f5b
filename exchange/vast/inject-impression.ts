import { type Injection, refuse } from '../creative/injection.ts';
import { locateAds } from './locate-ads.ts';
import { takesVast, type VastPlayer } from './player.ts';

/**
 * Adds `<Impression>` with our URL to every `InLine` and `Wrapper` of a VAST 2.0 to 4.2 document (VAST 4.2 §3.3.3: any
 * number of them is allowed, wherever it came from). Everything else stays byte for byte as the DSP wrote it: places are
 * found by a conforming XML parser, the text is inserted there. A document that a given `player` does not take is refused.
 */
export function injectVastImpression(adm: string, trackingUrl: string, player?: VastPlayer): Injection {
  const located = locateAds(adm);
  if (!located.ok) return refuse(located.reason, located.message);
  const { text, insertions, version, hasWrapper } = located;
  if (player !== undefined && !takesVast(player, located)) {
    return refuse('vast-not-taken', `the player takes no ${hasWrapper ? 'wrapper' : 'document'} of VAST ${version}`);
  }
  let result = '';
  let from = 0;
  for (const { offset, prefix } of insertions) {
    result += `${text.slice(from, offset)}<${prefix}Impression><![CDATA[${cdataSafe(trackingUrl)}]]></${prefix}Impression>`;
    from = offset;
  }
  return { ok: true, adm: result + text.slice(from) };
}

/** A CDATA section ends at the first `]]>`; in a URL its `>` may as well be percent-encoded. */
function cdataSafe(url: string): string {
  return url.replaceAll(']]>', ']]%3E');
}
