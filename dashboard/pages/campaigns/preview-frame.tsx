import { useElementSize } from '@mantine/hooks';
import { useDataContext } from '../../app/data-context.ts';
import { type Creative, formatOf } from './campaign.ts';
import classes from './preview-frame.module.css';

interface PreviewFrameProps {
  readonly campaignId: string;
  readonly creative: Creative;
  /** Pixels. */
  readonly height: number;
}

/** Of what has no size of its own. */
const SIZES = {
  video: [640, 360],
  audio: [320, 320],
  native: [360, 380],
} as const;

/**
 * A creative as it looks, from the API's preview: in a frame of an origin of its own, where it can run and can reach
 * nothing. It is as large as the ad, and made smaller where there is less room.
 */
export function PreviewFrame({ campaignId, creative, height }: PreviewFrameProps) {
  const { sandbox } = useDataContext();
  const { ref, width: room } = useElementSize();
  const format = formatOf(creative);
  const [usualWidth, usualHeight] = SIZES[format as keyof typeof SIZES] ?? [300, 250];
  const own = format === 'video' || format === 'audio' || format === 'native' ? {} : creative;
  const { width = usualWidth, height: tall = usualHeight } = own as { width?: number; height?: number };
  const scale = Math.min(1, height / tall, room === 0 ? 1 : room / width);
  const path = `/api/campaigns/${campaignId}/creatives/${encodeURIComponent(creative.creative_id)}/preview`;
  return (
    <div ref={ref} className={classes.box} style={{ height }}>
      <div style={{ width: width * scale, height: tall * scale }}>
        <iframe
          className={classes.frame}
          title={`Preview of ${creative.creative_id}`}
          src={sandbox ? `${path}?sandbox=true` : path}
          sandbox="allow-scripts"
          loading="lazy"
          referrerPolicy="no-referrer"
          width={width}
          height={tall}
          style={{ transform: `scale(${scale})`, transformOrigin: 'top left' }}
        />
      </div>
    </div>
  );
}
