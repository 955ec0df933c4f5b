import { hiddenPixel } from './html-text.ts';

/** The hidden 1×1 image comes first (specification, Endpoints on {rtb_url}); what the DSP sent follows untouched. */
export function injectBannerPixel(adm: string, trackingUrl: string): string {
  return hiddenPixel(trackingUrl) + adm;
}
