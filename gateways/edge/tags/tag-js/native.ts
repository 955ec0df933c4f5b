import { safeUrl, track } from './trackers.ts';

/** OpenRTB Native 1.2 §5: the fields that are shown. */
export interface NativeAd {
  readonly assets?: readonly NativeAsset[];
  readonly link?: Link;
  readonly imptrackers?: readonly string[];
  readonly eventtrackers?: readonly { readonly event?: number; readonly method?: number; readonly url?: string }[];
}

interface NativeAsset {
  readonly id?: number;
  readonly title?: { readonly text?: string };
  readonly img?: { readonly url?: string };
  readonly data?: { readonly value?: string };
  readonly link?: Link;
}

interface Link {
  readonly url?: string;
  readonly clicktrackers?: readonly string[];
}

/** Names of assets by their ids in the exchange's native request. */
const ASSETS = ['', 'title', 'image', 'icon', 'sponsored', 'body', 'cta', 'rating', 'downloads', 'price'];

const IMPRESSION = 1;
/** Event type: half of the pixels in view for a second. */
export const VIEWABLE = 2;
const BY_IMAGE = 1;

/** The unit where the page has no template of its own; `.ad-native` and its contents are there to be styled. */
const TEMPLATE =
  '<a data-asset="link" class="ad-native" style="display:block;box-sizing:border-box;max-width:480px;padding:12px;border:1px solid #ddd;' +
  'border-radius:8px;background:#fff;font:14px/1.4 system-ui,sans-serif;color:#111;text-decoration:none">' +
  '<img data-asset="image" alt="" style="display:block;width:100%;height:auto;margin-bottom:12px;border-radius:4px">' +
  '<img data-asset="icon" alt="" width="40" height="40" style="float:left;margin-right:10px;border-radius:4px">' +
  '<strong data-asset="title" style="display:block;font-size:16px"></strong>' +
  '<small style="color:#666">Ad</small> <small data-asset="sponsored" style="color:#666"></small>' +
  '<span data-asset="body" style="display:block;clear:both;margin:8px 0"></span>' +
  '<b data-asset="cta" style="display:inline-block;padding:6px 12px;border-radius:4px;background:#1d4ed8;color:#fff"></b></a>';

/** Calls the ad's trackers of an event, except those at `told`, to which the tag itself reports. */
export function fire(ad: NativeAd, happened: number, told: string): void {
  const called = (ad.eventtrackers ?? []).filter(({ event, method }) => event === happened && method === BY_IMAGE);
  for (const { url } of called) if (!url?.startsWith(told)) track(url);
}

/**
 * Puts a native ad into its slot and fires its impression trackers, except those at `told`. Text of the bidder becomes
 * text and HTTP URLs and nothing else, in the page's own template (`<template id="unit">` and
 * `data-ad-template="#unit"`) or in the default one: elements with `data-asset` take that asset, and are removed where
 * the ad has none.
 */
export async function renderNative(
  slot: HTMLElement,
  ad: NativeAd,
  told: string,
  template?: string,
): Promise<HTMLElement> {
  const unit = document.createElement('div');
  unit.append(content(template));
  const assets = new Map((ad.assets ?? []).map((asset) => [ASSETS[asset.id ?? 0], asset]));
  for (const element of unit.querySelectorAll('[data-asset]')) {
    const name = element.getAttribute('data-asset') ?? '';
    if (name === 'link') setLink(element, ad.link);
    else if (!setAsset(element, assets.get(name))) element.remove();
  }
  slot.replaceChildren(unit);
  fire(ad, IMPRESSION, told);
  for (const url of ad.imptrackers ?? []) track(url);
  return unit;
}

function content(template: string | undefined): Node {
  const own = template === undefined ? null : document.querySelector(template);
  if (own instanceof HTMLTemplateElement) return own.content.cloneNode(true);
  const ours = document.createElement('template');
  ours.innerHTML = TEMPLATE;
  return ours.content;
}

/** False where the ad does not have the asset. */
function setAsset(element: Element, asset: NativeAsset | undefined): boolean {
  if (element instanceof HTMLImageElement) {
    const url = safeUrl(asset?.img?.url);
    if (url !== null) element.src = url;
    return url !== null;
  }
  const text = asset?.title?.text ?? asset?.data?.value;
  if (text === undefined) return false;
  element.textContent = text;
  return true;
}

function setLink(element: Element, link: Link | undefined): void {
  const url = safeUrl(link?.url);
  if (url === null || !(element instanceof HTMLAnchorElement)) return;
  element.href = url;
  element.target = '_blank';
  element.rel = 'noopener sponsored';
  element.addEventListener('click', () => {
    for (const tracker of link?.clicktrackers ?? []) track(tracker);
  });
}
