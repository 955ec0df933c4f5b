import type { Imp } from '../openrtb/fields/imp.ts';
import type { Deal } from '../openrtb/fields/pmp.ts';
import { injectVastTrackers } from '../vast/inject-trackers.ts';
import type { VastPlayer } from '../vast/player.ts';
import { hiddenPixel } from './html-text.ts';
import { injectNativeTracker } from './inject-native.ts';
import { type Injection, refuseInjection } from './injection.ts';
import { LINEAR } from './linear-misfit.ts';
import type { ViewabilityUrl } from './viewability-url.ts';

/** The format that an imp was sold as. */
export type MarkupFormat = 'banner' | 'video' | 'audio' | 'native';

/**
 * The player that shows the markup, the imp that it is for, the seconds that its bid said (`dur`), the deal of the bid,
 * and the URLs that are called for viewability. An absent field is not known, or not wanted.
 */
export interface InjectionContext {
  readonly player?: VastPlayer | undefined;
  readonly imp?: Imp | undefined;
  readonly dur?: number | undefined;
  readonly deal?: Deal | undefined;
  readonly viewUrl?: ViewabilityUrl | undefined;
}

/**
 * Adds the impression tracking URL to a winner's markup and keeps everything that the DSP put there.
 *
 * - Banner: `adm` starts with a hidden 1×1 image.
 * - Video and audio: every ad of the VAST document gets one more `Impression`.
 * - Native: the response gets one more event tracker (OpenRTB Native 1.2 §5.8), or an entry of `imptrackers` where the
 *   renderer or the bid uses these.
 *
 * Video since VAST 4.0, and native where the imp asks for it, report viewability too; audio does not. Where a `player`
 * has said which VAST it takes, any other is refused; so is what the `imp` does not take.
 */
export function injectTracking(
  format: MarkupFormat,
  adm: string,
  trackingUrl: string,
  { player, imp, dur, deal, viewUrl }: InjectionContext = {},
): Injection {
  if (adm.trim() === '') return refuseInjection('markup-empty', 'adm is empty');
  switch (format) {
    case 'banner':
      return { ok: true, adm: injectBannerPixel(adm, trackingUrl) };
    case 'video':
      return injectVastTrackers(adm, trackingUrl, {
        player,
        requested: imp?.video,
        linearity: imp?.video?.linearity,
        dur,
        deal,
        viewUrl,
      });
    case 'audio':
      return injectVastTrackers(adm, trackingUrl, { player, requested: imp?.audio, linearity: LINEAR, dur, deal });
    case 'native':
      return injectNativeTracker(adm, trackingUrl, imp, viewUrl);
  }
}

/** The hidden 1×1 image comes first (specification, Endpoints on {rtb_url}); the DSP's markup follows unchanged. */
function injectBannerPixel(adm: string, trackingUrl: string): string {
  return hiddenPixel(trackingUrl) + adm;
}
