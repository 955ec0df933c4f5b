import type { MediaFacts } from '#exchange/creative/media-facts';

/** The part of MediaInfo's report that is read; every field may be missing. */
interface Report {
  readonly media?: { readonly track?: readonly Track[] };
}
interface Track {
  readonly '@type'?: string;
  readonly Format?: string;
  readonly Format_Profile?: string;
  readonly Duration?: number;
  readonly OverallBitRate?: number;
  readonly BitRate?: number;
  readonly Width?: number;
  readonly Height?: number;
  readonly FrameRate?: number;
  readonly SamplingRate?: number;
}

export type AudioVideoFacts = Pick<MediaFacts, 'container' | 'durationMs' | 'bitrateKbps' | 'video' | 'audio'>;

/** Reads the facts of a video or audio file from MediaInfo's report; null for a file without video and audio tracks. */
export function audioVideoFacts(report: unknown): AudioVideoFacts | null {
  const tracks = (report as Report | null)?.media?.track ?? [];
  const of = (type: string) => tracks.find((track) => track['@type'] === type);
  const general = of('General');
  const video = of('Video');
  const audio = of('Audio');
  if (video === undefined && audio === undefined) return null;
  const durationS = general?.Duration ?? video?.Duration ?? audio?.Duration;
  return {
    container: containerOf(general),
    ...whole('durationMs', durationS && durationS * 1000),
    ...whole('bitrateKbps', general?.OverallBitRate && general.OverallBitRate / 1000),
    ...(video && {
      video: {
        codec: video.Format ?? 'unknown',
        ...positive('width', video.Width),
        ...positive('height', video.Height),
        ...(video.FrameRate !== undefined && { framesPerSecond: video.FrameRate }),
      },
    }),
    ...(audio && {
      audio: {
        // The format `MPEG Audio` names its codec in the profile: `Layer 3` is MP3.
        codec: [audio.Format ?? 'unknown', audio.Format === 'MPEG Audio' ? audio.Format_Profile : undefined]
          .filter((part) => part !== undefined)
          .join(' '),
        ...whole('bitrateKbps', audio.BitRate && audio.BitRate / 1000),
        ...whole('sampleRateHz', audio.SamplingRate),
      },
    }),
  };
}

/** QuickTime is an MPEG-4 container by another name; MediaInfo tells the two apart by the profile alone. */
function containerOf(general: Track | undefined): string | null {
  if (general?.Format === 'MPEG-4' && general.Format_Profile === 'QuickTime') return 'QuickTime';
  return general?.Format ?? null;
}

function whole<K extends string>(name: K, value: number | undefined): { [N in K]?: number } {
  return (value === undefined || !Number.isFinite(value) ? {} : { [name]: Math.round(value) }) as { [N in K]?: number };
}

function positive<K extends string>(name: K, value: number | undefined): { [N in K]?: number } {
  return value === undefined || value < 1 ? {} : whole(name, value);
}

/** The media type that a file is served with; `application/octet-stream` for a container that no player takes. */
export function audioVideoMimeType({ container, video }: AudioVideoFacts): string {
  const byContainer: Readonly<Record<string, string>> = {
    'MPEG-4': video ? 'video/mp4' : 'audio/mp4',
    QuickTime: 'video/quicktime',
    WebM: video ? 'video/webm' : 'audio/webm',
    Matroska: 'video/x-matroska',
    Ogg: video ? 'video/ogg' : 'audio/ogg',
    'MPEG Audio': 'audio/mpeg',
    ADTS: 'audio/aac',
    Wave: 'audio/wav',
    FLAC: 'audio/flac',
    AIFF: 'audio/aiff',
    'MPEG-TS': 'video/mp2t',
    'MPEG-PS': 'video/mpeg',
    'Flash Video': 'video/x-flv',
    AVI: 'video/x-msvideo',
    'Windows Media': video ? 'video/x-ms-wmv' : 'audio/x-ms-wma',
  };
  return byContainer[container ?? ''] ?? 'application/octet-stream';
}
