import type { Creative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import type { VastCreative } from '../../vast/model/creative.ts';
import type { HostedMedia } from '../hosted-media.ts';

/** Makes an ad of an audio file (VAST 4.1 §1.3.2, which replaced DAAST), with the companion banner, if any. */
export function audioAd(creative: Creative, audio: HostedMedia, companion: HostedMedia | null): VastAd {
  const spoken: VastCreative = {
    id: creative.creative_id,
    universalAdIds: [],
    extensions: [],
    linear: {
      durationMs: audio.durationMs ?? estimatedMs(audio),
      mediaFiles: [
        {
          url: audio.path,
          delivery: 'progressive',
          type: audio.mimeType,
          width: 0,
          height: 0,
          fileSize: audio.bytes,
          ...(audio.bitrateKbps !== undefined && { bitrate: audio.bitrateKbps }),
        },
      ],
      mezzanines: [],
      interactiveFiles: [],
      closedCaptionFiles: [],
      trackingEvents: [],
      videoClicks: { clickTracking: [], customClicks: [] },
      icons: [],
    },
  };
  return {
    kind: 'inline',
    id: creative.creative_id,
    adType: 'audio',
    adSystem: { name: 'exchange' },
    adTitle: creative.creative_id,
    categories: [],
    errors: [],
    impressions: [],
    viewableImpressions: [],
    verifications: [],
    extensions: [],
    creatives: companion === null ? [spoken] : [spoken, companionOf(creative, companion)],
  };
}

/** The size of an audio ad's banner (specification, "Creative specifications"). */
const COMPANION_SIZE = { width: 300, height: 250 };

function companionOf(creative: Creative, { path, mimeType, width, height }: HostedMedia): VastCreative {
  return {
    id: creative.creative_id,
    universalAdIds: [],
    extensions: [],
    companionAds: {
      companions: [
        {
          width: creative.width ?? width ?? COMPANION_SIZE.width,
          height: creative.height ?? height ?? COMPANION_SIZE.height,
          resources: { static: [{ creativeType: mimeType, url: path }], iframe: [], html: [] },
          clickTracking: [],
          extensions: [],
          trackingEvents: [],
        },
      ],
    },
  };
}

/** The duration by the file's size, where the file does not state it; 0 where it cannot be estimated. */
function estimatedMs({ bytes, bitrateKbps }: HostedMedia): number {
  return bitrateKbps ? Math.round((bytes * 8) / bitrateKbps) : 0;
}
