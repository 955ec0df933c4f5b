import { defineActor } from '../../runtime/actor/define-actor.ts';
import { assetMessages } from './messages.ts';
import type { AssetProjection } from './projection.ts';
import { AssetState, assetHandlers, noAsset, parseAssetContent } from './reduce.ts';

/** An asset: what a URL that creatives name led to, at the last fetch that succeeded. Id: `assetId`. */
export const asset = defineActor({
  kind: 'asset',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are known by the hash of their bytes: what uses one is a change of its campaign.' },
  state: AssetState,
  messages: assetMessages,
  initial: () => noAsset,
  handlers: assetHandlers,
  projection: (state): AssetProjection | null => {
    const content = parseAssetContent(state);
    return content === null ? null : { url: state.url, content };
  },
  indexes: ['nextRefreshAt'],
});
