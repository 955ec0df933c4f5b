import type { Imp } from '../openrtb/fields/imp.ts';
import { injectVastTrackers } from '../vast/inject-trackers.ts';
import type { VastPlayer } from '../vast/player.ts';
import { hiddenPixel } from './html-text.ts';
import { injectNativeTracker } from './inject-native.ts';
import { type Injection, refuseInjection } from './injection.ts';
import type { ViewabilityUrl } from './viewability-url.ts';

/** What an imp was sold as. */
export type MarkupFormat = 'banner' | 'video' | 'audio' | 'native';

/** Who shows the markup, and whom it tells what was seen. What is absent is not known, or not asked. */
export interface InjectionContext {
  readonly player?: VastPlayer | undefined;
  readonly imp?: Imp | undefined;
  readonly viewUrl?: ViewabilityUrl | undefined;
}

/**
 * Puts the impression tracking URL into a winner's markup and keeps all that the DSP put there.
 * Banner: `adm` starts with a hidden 1×1 image. Video and audio: one more `Impression` in every ad of the VAST document.
 * Native: one more event tracker (OpenRTB Native 1.2 §5.8), or `imptrackers` where the bid speaks the older form.
 * Video since VAST 4.0, and native where the imp asks for it, tell what is seen, too; what is heard is not seen.
 * Where a `player` has said what it takes, another VAST is refused.
 */
export function injectTracking(
  format: MarkupFormat,
  adm: string,
  trackingUrl: string,
  { player, imp, viewUrl }: InjectionContext = {},
): Injection {
  if (adm.trim() === '') return refuseInjection('markup-empty', 'adm is empty');
  switch (format) {
    case 'banner':
      return { ok: true, adm: injectBannerPixel(adm, trackingUrl) };
    case 'video':
      return injectVastTrackers(adm, trackingUrl, player, viewUrl);
    case 'audio':
      return injectVastTrackers(adm, trackingUrl, player);
    case 'native':
      return injectNativeTracker(adm, trackingUrl, imp, viewUrl);
  }
}

/** The hidden 1×1 image comes first (specification, Endpoints on {rtb_url}); what the DSP sent follows untouched. */
function injectBannerPixel(adm: string, trackingUrl: string): string {
  return hiddenPixel(trackingUrl) + adm;
}
