import { injectVastImpression } from '../vast/inject-impression.ts';
import type { VastPlayer } from '../vast/player.ts';
import { injectBannerPixel } from './inject-banner.ts';
import { injectNativeTracker } from './inject-native.ts';
import { type Injection, refuse } from './injection.ts';

/** What an imp was sold as. */
export type MarkupFormat = 'banner' | 'video' | 'audio' | 'native';

/**
 * Puts the impression tracking URL into a winner's markup and keeps all that the DSP put there.
 * Banner: `adm` starts with a hidden 1×1 image. Video and audio: one more `Impression` in every ad of the VAST document.
 * Native: one more event tracker (OpenRTB Native 1.2 §5.8), or `imptrackers` where the bid speaks the older form.
 * Where a `player` has said what it takes, another VAST is refused.
 */
export function injectTracking(format: MarkupFormat, adm: string, trackingUrl: string, player?: VastPlayer): Injection {
  if (adm.trim() === '') return refuse('markup-empty', 'adm is empty');
  switch (format) {
    case 'banner':
      return { ok: true, adm: injectBannerPixel(adm, trackingUrl) };
    case 'video':
    case 'audio':
      return injectVastImpression(adm, trackingUrl, player);
    case 'native':
      return injectNativeTracker(adm, trackingUrl);
  }
}
