import { renderBanner } from './banner.ts';
import { consentOnPage } from './consent.ts';
import { fire, renderNative, VIEWABLE } from './native.ts';
import type { NearestRegion } from './nearest-region.ts';
import { type Ad, requestAd } from './request-ad.ts';
import { parametersOf, reservedSize, type SlotTerms } from './slot-terms.ts';
import { report, reportUrl } from './trackers.ts';
import { shareToBeViewable, whenInView, whenNear, whenViewable } from './visibility.ts';

export interface Site {
  /** The regions of the exchange. */
  readonly regions: NearestRegion;
  /** The attribute that shows a slot's status. */
  readonly status: string;
}

type Status = 'waiting' | 'empty' | 'ready' | 'rendered' | 'viewable' | 'failed';

/**
 * One place for an ad. The ad is requested when the slot comes near the viewport, and rendered when enough of the slot
 * is in view to be viewable: its pixel, the first part of its markup, is then called, once.
 */
export class Slot {
  readonly #site: Site;
  readonly #element: HTMLElement;
  readonly #terms: SlotTerms;

  constructor(site: Site, element: HTMLElement, terms: SlotTerms) {
    this.#site = site;
    this.#element = element;
    this.#terms = terms;
  }

  open(): void {
    this.#is('waiting');
    if (this.#isBanner) this.#reserve(reservedSize(this.#terms));
    this.#fill().catch((error) => this.#close('failed', error instanceof Error ? error.message : String(error)));
  }

  get #isBanner(): boolean {
    return (this.#terms.format ?? 'banner') === 'banner';
  }

  async #fill(): Promise<void> {
    const element = this.#element;
    await whenNear(element);
    const { signals, mayStore } = await consentOnPage(this.#terms);
    const parameters = parametersOf({ format: 'banner', ...this.#terms, ...signals });
    const ad = await requestAd(this.#site.regions, parameters, mayStore);
    if ('why' in ad) {
      this.#close('empty', ad.why);
      return;
    }
    if (this.#isBanner && ad.size !== null) this.#reserve(ad.size);
    this.#is('ready');
    await whenInView(element);
    const unit = await this.#render(ad);
    this.#is('rendered');
    report(ad.edgeUrl, 'measurable', ad.tracking);
    await whenViewable(unit, shareToBeViewable(unit));
    this.#is('viewable');
    report(ad.edgeUrl, 'viewable', ad.tracking);
    if (ad.native !== null) fire(ad.native, VIEWABLE, reportUrl(ad.edgeUrl));
  }

  #render(ad: Ad): Promise<HTMLElement> {
    if (ad.native !== null) {
      return renderNative(this.#element, ad.native, reportUrl(ad.edgeUrl), this.#terms.template);
    }
    return renderBanner(this.#element, ad.html, ad.size ?? reservedSize(this.#terms));
  }

  /** Frees the reserved place of an ad that does not come, and logs the reason once. */
  #close(status: 'empty' | 'failed', why: string): void {
    if (this.#isBanner && this.#element.childElementCount === 0) this.#reserve({ w: 0, h: 0 });
    this.#is(status);
    console.info(`ad slot: no ad, ${why}`, this.#element);
  }

  /** Reserves the ad's size, so that the page does not jump when the ad comes. */
  #reserve({ w, h }: { readonly w: number; readonly h: number }): void {
    this.#element.style.width = `${w}px`;
    this.#element.style.height = `${h}px`;
  }

  #is(status: Status): void {
    this.#element.setAttribute(this.#site.status, status);
  }
}
