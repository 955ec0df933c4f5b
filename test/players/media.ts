import { readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import type { SiteFile } from '../support/publisher-site.ts';

const TYPES = { mp4: 'video/mp4', mp3: 'audio/mpeg' } as const;

/** A file of `test/players/media`, as a web server has it. */
export function media(name: `${string}.${keyof typeof TYPES}`): SiteFile {
  const type = TYPES[name.slice(-3) as keyof typeof TYPES];
  return { type, body: readFileSync(`test/players/media/${name}`) };
}

/** A package made into one script for pages. */
export function browserScript(entry: string): SiteFile {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bundled',
    outdir: 'out',
    loader: { '.svg': 'dataurl', '.css': 'empty' },
    // Of Fluid Player: other kinds of streams than files.
    external: ['dashjs', 'hls.js', 'panolens', 'videojs-vtt.js'],
    logLevel: 'error',
  });
  return { type: 'text/javascript', body: Buffer.from(outputFiles[0]!.contents) };
}

export interface LinearAd {
  readonly mediaUrl: string;
  readonly mediaType: string;
  readonly duration: string;
  /** Of the demand source's own trackers: what comes before the event's name. */
  readonly trackers: string;
}

/** An inline ad as a bidder writes it. */
export function linearVast({ mediaUrl, mediaType, duration, trackers }: LinearAd): string {
  const events = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
  const tracking = events
    .map((event) => `<Tracking event="${event}"><![CDATA[${trackers}${event}]]></Tracking>`)
    .join('');
  return `<VAST version="3.0"><Ad id="spot"><InLine><AdSystem>a bidder</AdSystem><AdTitle>A spot</AdTitle>
<Impression><![CDATA[${trackers}impression]]></Impression>
<Creatives><Creative><Linear><Duration>${duration}</Duration><TrackingEvents>${tracking}</TrackingEvents>
<VideoClicks><ClickThrough><![CDATA[https://advertiser.test/]]></ClickThrough></VideoClicks>
<MediaFiles><MediaFile delivery="progressive" type="${mediaType}" width="320" height="180"><![CDATA[${mediaUrl}]]></MediaFile></MediaFiles>
</Linear></Creative></Creatives></InLine></Ad></VAST>`;
}
