import { defineActor } from '../../runtime/actor/define-actor.ts';
import { assetMessages } from './messages.ts';
import { AssetState, assetHandlers, contentOf, noAsset } from './reduce.ts';
import type { AssetView } from './view.ts';

/** What a URL that creatives name led to, the last time that it led to something good. Id: `assetId`. */
export const asset = defineActor({
  kind: 'asset',
  schemaVersion: 1,
  saving: 'eager',
  state: AssetState,
  messages: assetMessages,
  initial: () => noAsset,
  handlers: assetHandlers,
  view: (state): AssetView | null => {
    const content = contentOf(state);
    return content === null ? null : { url: state.url, content };
  },
  indexes: ['nextRefreshAt'],
});
