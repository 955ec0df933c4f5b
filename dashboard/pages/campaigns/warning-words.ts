interface WarningWords {
  readonly title: string;
  /** What its owner does about it. */
  readonly remedy: string;
}

const NATIVE_LENGTH = 'Shorten it: apps and pages cut what is longer.';

/** Of the API's `creative_warnings`, by the code before the colon. */
const WORDS: Readonly<Record<string, WarningWords>> = {
  unsupported_container: {
    title: 'Not an MP4 file',
    remedy: 'Encode the video as MP4: other containers do not play everywhere.',
  },
  unsupported_video_codec: {
    title: 'Not H.264',
    remedy: 'Encode the video as H.264. H.265 is for campaigns that target CTV alone.',
  },
  no_audio_track: { title: 'No sound', remedy: 'Add an audio track, a silent one at least: many players expect one.' },
  unsupported_audio_codec: { title: 'Sound is not AAC', remedy: 'Encode the sound as AAC.' },
  large_file: { title: 'Larger than 50 MB', remedy: 'Encode it at a lower bit rate, or add smaller renditions.' },
  low_video_bitrate: { title: 'Low bit rate', remedy: 'Encode at 500 kbit/s at least; 2,000 for CTV.' },
  high_video_bitrate: {
    title: 'High bit rate',
    remedy: 'Encode at 8,000 kbit/s at most: it stalls on slow connections.',
  },
  non_standard_resolution: { title: 'Unusual resolution', remedy: 'Use a usual size, such as 1280x720 or 1920x1080.' },
  non_standard_frame_rate: { title: 'Unusual frame rate', remedy: 'Use 24, 25 or 30 frames a second.' },
  non_standard_duration: {
    title: 'Unusual length',
    remedy: 'Cut it to 15, 30 or 60 seconds: most places ask for these.',
  },
  banner_oversized: { title: 'Larger than 150 KB', remedy: 'Compress the image.' },
  non_standard_size: {
    title: 'Unusual size',
    remedy: 'Use a standard size, such as 300x250, 728x90 or 320x50: others are asked for seldom.',
  },
  unsupported_image_format: { title: 'Not GIF, JPEG or PNG', remedy: 'Save the image as GIF, JPEG or PNG.' },
  animation_too_long: { title: 'Moves for more than 15 seconds', remedy: 'Shorten the animation.' },
  animation_loops: { title: 'Loops more than 3 times', remedy: 'Let the animation stop after 3 runs.' },
  audio_oversized: { title: 'Larger than 5 MB', remedy: 'Encode it at a lower bit rate.' },
  unsupported_audio_format: { title: 'Not MP3, AAC, OGG or M4A', remedy: 'Save the audio as MP3, AAC, OGG or M4A.' },
  uncompressed_audio: { title: 'Not compressed', remedy: 'Save the audio as MP3, AAC, OGG or M4A.' },
  low_audio_bitrate: { title: 'Low bit rate', remedy: 'Encode at 128 kbit/s at least.' },
  non_standard_sample_rate: { title: 'Unusual sample rate', remedy: 'Use 44.1 or 48 kHz.' },
  non_standard_companion: { title: 'Unusual companion size', remedy: 'Use a companion banner of 300x250.' },
  html5_oversized: { title: 'Larger than 2 MB', remedy: 'Load less: it delays the page that it is shown in.' },
  native_title_too_long: { title: 'Title of more than 90 characters', remedy: NATIVE_LENGTH },
  native_body_too_long: { title: 'Text of more than 90 characters', remedy: NATIVE_LENGTH },
  native_cta_too_long: { title: 'Call to action of more than 15 characters', remedy: NATIVE_LENGTH },
  native_sponsored_missing: { title: 'No advertiser named', remedy: 'Fill in "Sponsored by": many places require it.' },
  native_rating_out_of_range: { title: 'Rating is not 1 to 5', remedy: 'Give a rating from 1 to 5, or none.' },
  native_image_too_small: { title: 'Image below 1200x627', remedy: 'Use an image of 1200x627 pixels at least.' },
  native_image_oversized: { title: 'Image of 500 KB or more', remedy: 'Compress the image.' },
  native_image_unsupported_format: { title: 'Image is not JPEG or PNG', remedy: 'Save the image as JPEG or PNG.' },
  native_icon_too_small: { title: 'Icon below 80x80', remedy: 'Use an icon of 80x80 pixels at least.' },
  native_landing_url_missing: { title: 'It leads nowhere, and does not serve', remedy: 'Give it a landing page.' },
  insecure_url: { title: 'Loaded over plain HTTP', remedy: 'Use https addresses: most places serve nothing else.' },
  not_fetched: {
    title: 'Not fetched yet, and does not serve',
    remedy: 'Make sure that its address answers. It is tried again by itself; saving it tries at once.',
  },
};

/** A warning of the API in words: `non_standard_size:301x250` names what was found. */
export function warningWords(warning: string): WarningWords {
  const [code = warning, found] = warning.split(':', 2);
  const known = WORDS[code];
  if (known === undefined) return { title: warning, remedy: 'It serves all the same.' };
  return found === undefined ? known : { ...known, title: `${known.title}: ${found}` };
}
