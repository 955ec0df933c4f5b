import { useElementSize } from '@mantine/hooks';
import { useDataContext } from '../../app/data-context.ts';
import classes from '../campaigns/preview-frame.module.css';
import { type Listed, titleOf } from './creative.ts';
import { PATHS, useReader } from './reader.ts';

interface CreativePreviewProps {
  readonly of: Listed;
  /** Pixels. */
  readonly height: number;
  /** Where it is only looked at, clicks are the page's. */
  readonly inert?: boolean;
}

/** Of what has no size of its own. */
const SIZES = {
  video: [640, 360],
  audio: [320, 320],
  native: [360, 380],
  banner: [300, 250],
} as const;

/**
 * A creative of a demand source as it looks, from the API's preview: in a frame without an origin, in which nothing of
 * the bidder's runs. It is as large as the ad, and made smaller where there is less room.
 */
export function CreativePreview({ of: creative, height, inert = false }: CreativePreviewProps) {
  const { sandbox } = useDataContext();
  const reader = useReader();
  const { ref, width: room } = useElementSize();
  const [width, tall] = sizeOf(creative);
  const scale = Math.min(1, height / tall, room === 0 ? 1 : room / width);
  const path = pathOf(creative, reader);
  return (
    <div ref={ref} className={classes.box} style={{ height }}>
      <div style={{ width: width * scale, height: tall * scale }}>
        <iframe
          className={classes.frame}
          title={`Preview of ${titleOf(creative)}`}
          src={sandbox ? `${path}?sandbox=true` : path}
          sandbox={isOfCampaign(creative, reader) ? 'allow-scripts' : ''}
          loading="lazy"
          referrerPolicy="no-referrer"
          width={width}
          height={tall}
          style={{
            transform: `scale(${scale})`,
            transformOrigin: 'top left',
            ...(inert && { pointerEvents: 'none' }),
          }}
        />
      </div>
    </div>
  );
}

function sizeOf({ formats, sizes }: Listed): readonly [number, number] {
  const format = formats.find((one) => one !== 'banner') ?? 'banner';
  const [width = 0, height = 0] = (sizes[0] ?? '').split('x').map(Number);
  return format === 'banner' && width > 0 && height > 0 ? [width, height] : SIZES[format];
}

/** A campaign's creative is shown as its campaign has it. */
function isOfCampaign({ campaign_id: campaignId }: Listed, reader: string): boolean {
  return campaignId !== null && reader === 'account';
}

function pathOf(creative: Listed, reader: keyof typeof PATHS): string {
  if (isOfCampaign(creative, reader)) {
    return `/api/campaigns/${creative.campaign_id}/creatives/${encodeURIComponent(creative.crid)}/preview`;
  }
  return PATHS[reader].preview.replace('{id}', creative.id);
}
