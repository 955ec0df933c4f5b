// Makes the media files of the sandbox's synthetic demand: gateways/bidders/synthetic/media. All of their content is
// generated here: plain colours, a bar that fills while a spot plays, a tone at its beginning. The files are committed,
// so that an exchange runs without FFmpeg; run this script to make them again.
// Usage: node scripts/sandbox-media.mjs   (FFmpeg 5 or later, with libx264, libvpx, libmp3lame and libopus)
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join('gateways', 'bidders', 'synthetic', 'media');

/** Durations in seconds that ad slots commonly ask for. */
const MP4_SECONDS = [5, 6, 10, 15, 20, 30, 45, 60];
const WEBM_SECONDS = [15];
const AUDIO_SECONDS = [15, 30];

const EXACT = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];
const BLUE = '0x1d4ed8';
const RATE = 4;

function make(name, ...options) {
  const { status } = spawnSync('ffmpeg', ['-loglevel', 'error', '-y', ...options, ...EXACT, join(FOLDER, name)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** A bar that fills from the left as the spot plays. */
function spot(seconds) {
  const bar = `color=c=white:s=640x24:r=${RATE}`;
  return [
    ...['-f', 'lavfi', '-i', `color=c=${BLUE}:s=640x360:r=${RATE}`, '-f', 'lavfi', '-i', bar],
    ...['-filter_complex', `[0][1]overlay=x='-W+W*t/${seconds}':y=168`, '-t', String(seconds)],
  ];
}

/** A fading tone of 1 s, then silence. */
function tone(seconds, rate) {
  const fading = '0.4*sin(2*PI*440*t)*max(0\\,1-t)';
  return ['-f', 'lavfi', '-i', `aevalsrc='${fading}':s=${rate}:d=${seconds}`, '-ac', '1'];
}

function still(width, height, fill, box) {
  const drawn = `color=c=${fill}:s=${width}x${height}:r=1,drawbox=${box}:color=white:t=fill,format=pal8`;
  return ['-f', 'lavfi', '-i', drawn, '-frames:v', '1', '-compression_level', '9'];
}

for (const seconds of MP4_SECONDS) {
  const h264 = [
    '-c:v',
    'libx264',
    '-preset',
    'veryslow',
    '-crf',
    '45',
    '-profile:v',
    'baseline',
    '-pix_fmt',
    'yuv420p',
  ];
  make(`spot-${seconds}s.mp4`, ...spot(seconds), ...h264, '-g', '400', '-movflags', '+faststart');
}
for (const seconds of WEBM_SECONDS) {
  make(`spot-${seconds}s.webm`, ...spot(seconds), '-c:v', 'libvpx', '-b:v', '8k', '-crf', '63', '-g', '400');
}
for (const seconds of AUDIO_SECONDS) {
  make(`spot-${seconds}s.mp3`, ...tone(seconds, 16_000), '-c:a', 'libmp3lame', '-b:a', '8k', '-id3v2_version', '0');
  make(`spot-${seconds}s.m4a`, ...tone(seconds, 16_000), '-c:a', 'aac', '-b:a', '8k', '-movflags', '+faststart');
  make(`spot-${seconds}s.aac`, ...tone(seconds, 16_000), '-c:a', 'aac', '-b:a', '8k', '-f', 'adts');
  make(`spot-${seconds}s.ogg`, ...tone(seconds, 48_000), '-c:a', 'libopus', '-b:a', '6k', '-frame_duration', '60');
}
make('companion-300x250.png', ...still(300, 250, BLUE, 'x=100:y=75:w=100:h=100'));
make('main-1200x627.png', ...still(1200, 627, BLUE, 'x=450:y=163:w=300:h=300'));
make('icon-80x80.png', ...still(80, 80, BLUE, 'x=20:y=20:w=40:h=40'));
/** One transparent pixel as GIF89a, shorter than any encoder makes it. */
const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
writeFileSync(join(FOLDER, 'pixel.gif'), Buffer.from(PIXEL, 'base64'));
