import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MediaInfo } from '../../../../gateways/creatives/probe/media-info.ts';
import { probeImage, probePlayed } from '../../../../gateways/creatives/probe/probe-file.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import {
  ANIMATED_GIF,
  H264_AAC_MP4,
  HEVC_MP4,
  JPEG_1200_627,
  MP3,
  OGG,
  PNG_300_250,
  WAV,
  WEBM,
} from '../../../support/sample-media.ts';

describe('gateways/creatives/probe: files', () => {
  const mediaInfo = new MediaInfo(systemClock);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-'));
  });
  after(async () => {
    await mediaInfo.close();
    await rm(folder, { recursive: true });
  });
  const pathOf = async (bytes: Buffer) => {
    const path = join(folder, String(Math.random()));
    await writeFile(path, bytes);
    return path;
  };
  const played = async (bytes: Buffer) => probePlayed(mediaInfo, await pathOf(bytes));
  const image = async (bytes: Buffer) => probeImage(await pathOf(bytes));

  it('are video by their tracks, whatever they are called', async () => {
    expect(await played(H264_AAC_MP4)).to.deep.include({ mimeType: 'video/mp4' });
    const { facts } = (await played(H264_AAC_MP4))!;
    expect(facts).to.deep.include({
      container: 'MPEG-4',
      durationMs: 15_000,
      video: { codec: 'AVC', width: 640, height: 480, framesPerSecond: 25 },
    });
    expect(facts.audio).to.include({ codec: 'AAC', sampleRateHz: 48_000 });
    expect(facts.bitrateKbps).to.be.within(5, 20);
    const hevc = (await played(HEVC_MP4))!.facts;
    expect(hevc.video?.codec).to.equal('HEVC');
    expect(hevc.audio).to.equal(undefined);
    expect(await played(WEBM)).to.deep.include({ mimeType: 'video/webm' });
    expect((await played(WEBM))!.facts).to.deep.include({ container: 'WebM' });
  });
  it('are audio by their tracks', async () => {
    const mp3 = (await played(MP3))!;
    expect(mp3.mimeType).to.equal('audio/mpeg');
    expect(mp3.facts.audio).to.deep.equal({ codec: 'MPEG Audio Layer 3', bitrateKbps: 128, sampleRateHz: 44_100 });
    expect((await played(OGG))!).to.deep.include({ mimeType: 'audio/ogg' });
    expect((await played(OGG))!.facts.audio?.codec).to.equal('Vorbis');
    const wav = (await played(WAV))!;
    expect(wav.mimeType).to.equal('audio/wav');
    expect(wav.facts.audio).to.include({ codec: 'PCM', sampleRateHz: 22_050 });
  });
  it('are images by their first bytes', async () => {
    expect(await image(PNG_300_250)).to.deep.equal({
      mimeType: 'image/png',
      facts: { container: 'PNG', image: { width: 300, height: 250 } },
    });
    expect((await image(JPEG_1200_627))!.facts).to.deep.equal({
      container: 'JPEG',
      image: { width: 1200, height: 627 },
    });
    expect((await image(ANIMATED_GIF))!.facts.image).to.deep.equal({
      width: 32,
      height: 32,
      animation: { durationMs: 3_000, runs: 0 },
    });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"/>');
    expect(await image(svg)).to.deep.include({ mimeType: 'image/svg+xml' });
  });
  it('are nothing when they are of no such kind', async () => {
    const page = Buffer.from('<!doctype html><p>Sorry</p>');
    for (const bytes of [page, Buffer.alloc(0), Buffer.alloc(100_000, 7), H264_AAC_MP4.subarray(0, 20)]) {
      expect(await played(bytes)).to.equal(null);
      expect(await image(bytes)).to.equal(null);
    }
  });
  it('are read off the thread that serves', async () => {
    let longestMs = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    const other = new MediaInfo(systemClock);
    await Promise.all([H264_AAC_MP4, WEBM, MP3].map(async (bytes) => other.report(await pathOf(bytes))));
    clearInterval(ticking);
    await other.close();
    // MediaInfo alone takes longer than this for its first file; a busy machine takes turns of its own.
    expect(longestMs).to.be.below(500);
  });
});
