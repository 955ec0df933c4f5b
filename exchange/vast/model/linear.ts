import type { Icon } from './icon.ts';
import type { AdParameters } from './resource.ts';
import type { TrackingEvent, VideoClicks } from './tracking.ts';

/**
 * A ready-to-serve file (VAST 4.2 §3.9.1). Width and height are 0 for audio; bit rates are in kbit/s, `fileSize` in
 * bytes.
 */
export interface MediaFile {
  readonly url: string;
  readonly id?: string;
  readonly delivery: 'progressive' | 'streaming';
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly codec?: string;
  readonly bitrate?: number;
  readonly minBitrate?: number;
  readonly maxBitrate?: number;
  readonly scalable?: boolean;
  readonly maintainAspectRatio?: boolean;
  readonly fileSize?: number;
  readonly mediaType?: string;
  readonly apiFramework?: string;
}

/** The raw file for transcoders (VAST 4.2 §3.9.2). One from a 4.0 document has only its URL. */
export interface Mezzanine {
  readonly url: string;
  readonly id?: string;
  readonly delivery: 'progressive' | 'streaming';
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly codec?: string;
  readonly fileSize?: number;
  readonly mediaType?: string;
}

export interface InteractiveCreativeFile {
  readonly url: string;
  readonly type?: string;
  readonly apiFramework?: string;
  readonly variableDuration?: boolean;
}

export interface ClosedCaptionFile {
  readonly url: string;
  readonly type?: string;
  readonly language?: string;
}

/** A video or audio ad with at least one media file. */
export interface Linear {
  readonly durationMs: number;
  /** A time `hh:mm:ss(.mmm)` or a percentage. */
  readonly skipoffset?: string;
  readonly adParameters?: AdParameters;
  readonly mediaFiles: readonly MediaFile[];
  readonly mezzanines: readonly Mezzanine[];
  readonly interactiveFiles: readonly InteractiveCreativeFile[];
  readonly closedCaptionFiles: readonly ClosedCaptionFile[];
  readonly trackingEvents: readonly TrackingEvent[];
  readonly videoClicks: VideoClicks;
  readonly icons: readonly Icon[];
}
