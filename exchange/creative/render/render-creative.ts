import { type Creative, formatOfCreative } from '../../strategy/document/creative.ts';
import type { AssetLookup } from './assets.ts';
import { renderBanner } from './render-banner.ts';
import type { RenderContext, RenderResult } from './render-context.ts';
import { renderNative } from './render-native.ts';
import { renderVast } from './render-vast.ts';

/**
 * Renders a delegate's winning creative as VAST, HTML or a native response. The exchange's tracking URL is the first
 * impression tracker, followed by the campaign's own. Macros for players (`[TIMESTAMP]` …) stay.
 */
export function renderCreative(creative: Creative, assets: AssetLookup, terms: RenderContext): RenderResult {
  switch (formatOfCreative(creative)) {
    case 'video':
    case 'audio':
      return renderVast(creative, assets, terms);
    case 'native':
      return renderNative(creative, assets, terms);
    case 'banner':
    case 'html5':
    case 'mraid':
      return renderBanner(creative, assets, terms);
  }
}
