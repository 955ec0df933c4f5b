import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { H264_AAC_MP4, MP3, PNG_300_250 } from './sample-media.ts';

/** The handler of one path. */
export type PathHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on loopback that acts as the servers of creatives: ad servers, wrappers, a CDN. */
export interface CreativeOrigin {
  readonly origin: string;
  /** Requested paths with their queries, in order. */
  readonly requestedPaths: string[];
  /**
   * `origin` + path. A path without a handler from `answer` is answered by its extension: `.xml`, `.mp4`, `.mp3`,
   * `.png`.
   */
  url(path: string): string;
  /** The same server under another name of the loopback: `127.0.0.2` to `127.0.0.9` or `localhost`. */
  urlAt(host: string, path: string): string;
  answer(path: string, handler: PathHandler): void;
  close(): Promise<void>;
}

/** @param lasting the server is never closed, and does not keep the process alive */
export async function startCreativeOrigin({ lasting = false } = {}): Promise<CreativeOrigin> {
  const requestedPaths: string[] = [];
  const handlers = new Map<string, PathHandler>();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    requestedPaths.push(path);
    const handler =
      handlers.get(path) ??
      handlers.get(path.replace(/\?.*$/, '')) ??
      handlerByExtension(path, `http://${request.headers.host}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  if (lasting) server.unref();
  const { port } = server.address() as AddressInfo;
  const urlAt = (host: string, path: string) => `http://${host}:${port}${path}`;
  return {
    origin: urlAt('127.0.0.1', ''),
    requestedPaths: requestedPaths,
    url: (path) => urlAt('127.0.0.1', path),
    urlAt,
    answer: (path, handler) => void handlers.set(path, handler),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function handlerByExtension(path: string, origin: string): PathHandler {
  switch (/\.([a-z0-9]+)(?:\?|$)/.exec(path)?.[1]) {
    case 'xml':
      return vast(inlineVast({ mediaUrl: `${origin}/spot.mp4` }));
    case 'mp4':
      return file(H264_AAC_MP4, 'video/mp4');
    case 'mp3':
      return file(MP3, 'audio/mpeg');
    case 'png':
      return file(PNG_300_250, 'image/png');
    default:
      return status(404);
  }
}

export function vast(document: string): PathHandler {
  return file(Buffer.from(document), 'application/xml');
}

export function file(bytes: Buffer, contentType: string): PathHandler {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes);
  };
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}): PathHandler {
  return (_request, response) => void response.writeHead(code, headers).end();
}

export function redirect(to: string, code = 302): PathHandler {
  return status(code, { location: to });
}

/** Accepts the request and never responds. */
export function noResponse(): PathHandler {
  return () => undefined;
}

/** A VAST 3.0 document with one linear ad, its trackers beginning with `trackers`. */
export function inlineVast({
  mediaUrl,
  trackers = 'http://trackers.test/inline',
}: {
  mediaUrl: string;
  trackers?: string;
}) {
  return `<VAST version="3.0"><Ad id="ad"><InLine><AdSystem>Test</AdSystem><AdTitle>An ad</AdTitle>
<Impression><![CDATA[${trackers}/impression]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration>
<TrackingEvents><Tracking event="start"><![CDATA[${trackers}/start]]></Tracking></TrackingEvents>
<VideoClicks><ClickThrough><![CDATA[http://advertiser.test/]]></ClickThrough></VideoClicks>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="480"><![CDATA[${mediaUrl}]]></MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
}

/** One VAST 3.0 document with the ads of several. */
export function manyAds(...documents: readonly string[]): string {
  const ads = documents.map((document) => document.slice(document.indexOf('<Ad '), document.lastIndexOf('</VAST>')));
  return `<VAST version="3.0">${ads.join('')}</VAST>`;
}

/** A VAST 3.0 document with a wrapper around the document at `tag`. */
export function wrapperVast({ tag, trackers }: { tag: string; trackers: string }): string {
  return `<VAST version="3.0"><Ad id="wrapper"><Wrapper><AdSystem>Test</AdSystem><VASTAdTagURI><![CDATA[${tag}]]></VASTAdTagURI>
<Impression><![CDATA[${trackers}/impression]]></Impression><Creatives><Creative><Linear><TrackingEvents>
<Tracking event="start"><![CDATA[${trackers}/start]]></Tracking></TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad></VAST>`;
}
