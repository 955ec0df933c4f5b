import { rowsShownIn, type Section } from '../row.ts';

export const creatives: Section = {
  title: 'Creative specifications',
  rows: [
    ...rowsShownIn('creatives.test.ts', {
      'creative.https': 'Creatives must be served over HTTPS: campaigns name no other URL.',
      'creative.https.loaded':
        'Creatives must be served over HTTPS: an ad whose markup loads an image, or whose VAST a tracker, over plain HTTP is not sold: bidders’ and delegates’.',
      'creative.video.vpaid': 'VPAID is unsupported.',
      'creative.video.vast': 'VAST 2.0, 3.0, 4.0, 4.2 and the 2.0 and 3.0 wrappers are supported.',
      'creative.warns-only': 'Validation only warns.',
      'creative.cdn': 'Creatives are cached content-addressed.',
      'creative.unwrapped': 'VAST wrappers are unwrapped, origin URLs not exposed.',
    }),
    ...rowsShownIn('creative-files.test.ts', {
      'creative.video.container': 'Video: MP4 container.',
      'creative.video.codec': 'Video: H.264, H.265 on CTV; AAC audio.',
      'creative.video.bitrate': 'Video: 500-8,000 kbps, CTV at least 2,000.',
      'creative.video.resolution': 'Video: 1920x1080 (CTV), 1280x720, 640x480: the last passes, 320x240 is warned of.',
      'creative.video.frame-rate': 'Video: 24, 25 or 30 fps: 25 passes, another rate is warned of.',
      'creative.video.duration': 'Video: 15, 30 or 60 s: 15 s pass, 1 s is warned of.',
      'creative.video.size': 'Video: max 50 MB.',
      'creative.video.silent-track': 'For SSAI, video needs an AAC audio track, even a silent one.',
      'creative.banner.sizes': 'Banner: 320x50, 300x250, 728x90, 970x250, 160x600, 300x600, 320x480.',
      'creative.banner.formats': 'Banner: GIF, JPEG, PNG, HTML5.',
      'creative.banner.animation': 'Banner: animation max 15 s and 3 loops.',
      'creative.banner.weight': 'Banner: initial load max 150 KB.',
      'creative.html5.weight':
        'HTML5: max 2 MB; markup of more than 256 KiB is not saved any more, and what was saved is warned of from 2 MB on.',
      'creative.audio.formats': 'Audio: MP3, AAC, OGG, M4A.',
      'creative.audio.bitrate': 'Audio: at least 128 kbps, 44.1 or 48 kHz.',
      'creative.audio.duration': 'Audio: 15, 30 or 60 s.',
      'creative.audio.size': 'Audio: max 5 MB.',
      'creative.audio.companion': 'Audio: an optional 300x250 companion banner.',
      'creative.native.title': 'Native: title max 90 characters.',
      'creative.native.image': 'Native: main image min 1200x627, JPEG or PNG, under 500 KB.',
      'creative.native.icon': 'Native: icon min 80x80.',
      'creative.native.body': 'Native: body max 90 characters.',
      'creative.native.cta': 'Native: CTA max 15 characters.',
      'creative.native.sponsored': 'Native: a sponsored label.',
      'creative.native.optional': 'Native: optional rating 1-5, price, downloads.',
    }),
    ...rowsShownIn('ad-formats.test.ts', {
      'creative.mraid': 'MRAID 3.0 only in `imp.banner` with `api` including 5 (or 6); not for CTV: delegates’ ads.',
      'creative.mraid.rtb':
        'The same of bidders’ ads, whether they declare it (`api`, `apis`) or their markup asks for `mraid.js`.',
    }),
    ...rowsShownIn('screening.test.ts', {
      'creative.blocked-categories.taxonomies':
        'The same in each taxonomy of `cattax` (1, 2, 3, 5 to 9); a bid in another is judged by its attributes and advertiser, and counted.',
      'creative.blocked-categories':
        'Adult, unlicensed gambling, malware, auto-play audio, firearms, counterfeits, undisclosed political ads and unregulated crypto are blocked.',
    }),
  ],
};
