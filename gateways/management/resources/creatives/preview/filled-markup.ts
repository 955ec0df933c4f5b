import { CACHE_BUSTER_PLACEHOLDER, CREATIVES_URL_PLACEHOLDER } from '#exchange/creative/creative-template';

const MACRO = /\$\{(?:AUCTION|EXCHANGE)_[A-Z_]{1,40}(?::[A-Za-z0-9]{1,20})?\}/g;

/** Markup with its macros and placeholders filled as for no auction: without price, ids and loss. */
export function filledMarkup(markup: string, mediaUrl: string): string {
  return markup
    .replaceAll(CREATIVES_URL_PLACEHOLDER, () => mediaUrl)
    .replaceAll(CACHE_BUSTER_PLACEHOLDER, '0')
    .replace(MACRO, '');
}
