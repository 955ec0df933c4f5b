import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { LRUCache } from 'lru-cache';
import { FetchFailed } from '#gateways/creatives/fetch/failures';
import { probeOnce } from '#gateways/creatives/host-file';
import { captionType, type ProbeResult } from '#gateways/creatives/probe/probe-file';
import { Prober } from '#gateways/creatives/probe/prober';
import { systemClock } from '#runtime/providers/system/system-clock';
import { SteppedClock } from '#test/runtime/node/stepped-clock';
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
} from '#test/support/sample-media';

describe('gateways/creatives/probe: files', () => {
  const prober = new Prober(systemClock);
  const never = new AbortController().signal;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-'));
  });
  after(async () => {
    await prober.close();
    await rm(folder, { recursive: true });
  });
  const pathOf = async (bytes: Buffer) => {
    const path = join(folder, String(Math.random()));
    await writeFile(path, bytes);
    return path;
  };
  const probed = async (bytes: Buffer) => {
    const { mimeType, facts } = await prober.probe(await pathOf(bytes), never);
    return { mimeType, facts: facts! };
  };
  const played = probed;
  const image = probed;

  it('are video by their tracks, whatever they are called', async () => {
    expect(await played(H264_AAC_MP4)).to.deep.include({ mimeType: 'video/mp4' });
    const { facts } = await played(H264_AAC_MP4);
    expect(facts).to.deep.include({
      container: 'MPEG-4',
      durationMs: 15_000,
      video: { codec: 'AVC', width: 640, height: 480, framesPerSecond: 25 },
    });
    expect(facts.audio).to.include({ codec: 'AAC', sampleRateHz: 48_000 });
    expect(facts.bitrateKbps).to.be.within(5, 20);
    const hevc = (await played(HEVC_MP4)).facts;
    expect(hevc.video?.codec).to.equal('HEVC');
    expect(hevc.audio).to.equal(undefined);
    expect(await played(WEBM)).to.deep.include({ mimeType: 'video/webm' });
    expect((await played(WEBM)).facts).to.deep.include({ container: 'WebM' });
  });
  it('are audio by their tracks', async () => {
    const mp3 = await played(MP3);
    expect(mp3.mimeType).to.equal('audio/mpeg');
    expect(mp3.facts.audio).to.deep.equal({ codec: 'MPEG Audio Layer 3', bitrateKbps: 128, sampleRateHz: 44_100 });
    expect(await played(OGG)).to.deep.include({ mimeType: 'audio/ogg' });
    expect((await played(OGG)).facts.audio?.codec).to.equal('Vorbis');
    const wav = await played(WAV);
    expect(wav.mimeType).to.equal('audio/wav');
    expect(wav.facts.audio).to.include({ codec: 'PCM', sampleRateHz: 22_050 });
  });
  it('are images by their first bytes', async () => {
    expect(await image(PNG_300_250)).to.deep.equal({
      mimeType: 'image/png',
      facts: { container: 'PNG', image: { width: 300, height: 250 } },
    });
    expect((await image(JPEG_1200_627)).facts).to.deep.equal({
      container: 'JPEG',
      image: { width: 1200, height: 627 },
    });
    expect((await image(ANIMATED_GIF)).facts.image).to.deep.equal({
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
      expect(await probed(bytes)).to.deep.equal({ mimeType: 'application/octet-stream', facts: null });
    }
  });
  it('are SVG from their root on, and no document that has one somewhere within', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"/>';
    const prologue = '\ufeff<?xml version="1.0"?>\n<!-- a --><!-- b -->\n<!DOCTYPE svg PUBLIC "x" "y">';
    expect((await probed(Buffer.from(prologue + svg))).mimeType).to.equal('image/svg+xml');
    const within = [`<VAST version="3.0"><Ad id="${svg.replace(/"/g, "'")}">${svg}`, `<!doctype html><p>${svg}`];
    for (const text of [...within, `${'<!---->'.repeat(100)}<p>${svg}`]) {
      expect(await probed(Buffer.from(text)), text).to.deep.equal({
        mimeType: 'application/octet-stream',
        facts: null,
      });
    }
  });
  it('are captions by how they begin', () => {
    expect(captionType('WEBVTT\n\n00:00.000 --> 00:01.000\nHi')).to.equal('text/vtt');
    expect(captionType('\ufeff<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml">')).to.equal(
      'application/ttml+xml',
    );
    expect(captionType('1\r\n00:00:01,000 --> 00:00:02,000\r\nHi')).to.equal('application/x-subrip');
    for (const text of ['', 'WEBVTTX', '<html>', '<title>', '1']) expect(captionType(text)).to.equal(null);
  });
  it('are not read by a caller that gives up waiting', async () => {
    const path = await pathOf(H264_AAC_MP4);
    const given = new AbortController();
    const reason = new Error('too late');
    const before = prober.probe(path, never);
    const late = prober.probe(path, given.signal).catch((error: unknown) => error);
    const after = prober.probe(path, never);
    given.abort(reason);
    expect(await late).to.equal(reason);
    expect((await before).mimeType).to.equal('video/mp4');
    expect((await after).mimeType).to.equal('video/mp4');
  });
  it('are given up when they hold the reader up, and the next is read', async () => {
    const timed = new SteppedClock();
    const slow = new Prober(timed);
    const path = await pathOf(H264_AAC_MP4);
    const asked = slow.probe(path, never).catch((error: unknown) => error);
    await new Promise(setImmediate);
    await timed.step();
    expect(await asked).to.be.instanceOf(FetchFailed);
    expect((await slow.probe(path, never)).mimeType).to.equal('video/mp4');
    await slow.close();
  });
  it('are looked into again after a reader has died', async () => {
    const mortal = new Prober(systemClock);
    const probed = new LRUCache<string, ProbeResult>({ max: 1 });
    const staged = { path: await pathOf(H264_AAC_MP4), sha256: 'a'.repeat(64), bytes: H264_AAC_MP4.length };
    process.once('worker', (worker) => void worker.terminate());
    const died = await probeOnce({ probed, prober: mortal }, staged, never).catch((error: unknown) => error);
    expect(died).to.be.instanceOf(FetchFailed);
    const { mimeType } = await probeOnce({ probed, prober: mortal }, staged, never);
    expect(mimeType).to.equal('video/mp4');
    await mortal.close();
  });
  it('are read by another reader when one has died between two files', async () => {
    const mortal = new Prober(systemClock);
    const path = await pathOf(H264_AAC_MP4);
    const started: Worker[] = [];
    process.once('worker', (worker) => {
      started.push(worker);
    });
    await mortal.probe(path, never);
    await started[0]!.terminate();
    expect((await mortal.probe(path, never)).mimeType).to.equal('video/mp4');
    await mortal.close();
  });
  it('are given up when they lead their reader in a circle', async () => {
    const endless = Buffer.from(H264_AAC_MP4);
    // MediaInfo 25 does not come back from this one.
    endless[4_639] = 219;
    endless[6_446] = 0;
    const path = await pathOf(endless);
    const asked = [path, await pathOf(MP3)].map((one) => prober.probe(one, never).catch((error: unknown) => error));
    const [circling, next] = await Promise.all(asked);
    expect(circling).to.be.instanceOf(FetchFailed);
    expect(next).to.include({ mimeType: 'audio/mpeg' });
  });
  it('are read off the thread that serves', async () => {
    let longestMs = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    const other = new Prober(systemClock);
    await Promise.all([H264_AAC_MP4, WEBM, MP3].map(async (bytes) => other.probe(await pathOf(bytes), never)));
    clearInterval(ticking);
    await other.close();
    // MediaInfo alone takes longer than this for its first file; a busy machine takes turns of its own.
    expect(longestMs).to.be.below(500);
  });
});
