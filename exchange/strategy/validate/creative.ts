import { isObject, type JsonObject } from '../../openrtb/shape.ts';
import { parseUrl } from '../../parse-url.ts';
import {
  CREATIVE_FORMATS,
  CREATIVE_SOURCES,
  type CreativeFormat,
  type CreativeSource,
  sourcesOf,
} from '../document/creative.ts';
import { join, type StrategyFault, type ValidationContext } from './fault.ts';

/**
 * The faults of a creative that a schema cannot express. Like all functions in this folder, it judges only values of
 * the right type and leaves the others to the schema, so that one mistake hides no other.
 */
export function* creativeFaults(
  creative: JsonObject,
  path: string,
  options: ValidationContext,
): Generator<StrategyFault> {
  const sources = CREATIVE_SOURCES.filter((name) => creative[name] !== undefined);
  const [source, second] = sources;
  if (source === undefined) {
    yield { path, message: `must have one of ${CREATIVE_SOURCES.join(', ')}` };
  } else if (second !== undefined && !isCompanion(source, second)) {
    yield { path: join(path, second), message: `cannot stand beside ${source}: a creative is made of one thing` };
  } else if (isFormat(creative.format) && !sourcesOf[creative.format].includes(source)) {
    const wanted = sourcesOf[creative.format].join(' or ');
    yield { path: join(path, 'format'), message: `${creative.format} is made of ${wanted}, not of ${source}` };
  }
  if ((creative.width === undefined) !== (creative.height === undefined)) {
    const [present, missing] = creative.width === undefined ? ['height', 'width'] : ['width', 'height'];
    yield { path: join(path, missing), message: `is required beside ${present}` };
  }
  if (typeof creative.html === 'string' && bytesOf(creative.html) > MAX_HTML_BYTES) {
    yield { path: join(path, 'html'), message: `must be at most ${MAX_HTML_BYTES} bytes as UTF-8` };
  }
  yield* urlFaults(creative, path, options);
}

/** The longest markup of a creative, in bytes: it is sent with each of its impressions. */
const MAX_HTML_BYTES = 262_144;

function bytesOf(text: string): number {
  return text.length > MAX_HTML_BYTES ? text.length : new TextEncoder().encode(text).length;
}

/** Whether the second source is the companion image of an audio file. */
function isCompanion(source: CreativeSource, second: CreativeSource): boolean {
  return source === 'audio_url' && second === 'image_url';
}

function isFormat(format: unknown): format is CreativeFormat {
  return (CREATIVE_FORMATS as readonly unknown[]).includes(format);
}

function* urlFaults(creative: JsonObject, path: string, { httpsOnly }: ValidationContext): Generator<StrategyFault> {
  const { native } = creative;
  const places: [string, unknown][] = ['vast_url', 'image_url', 'audio_url', 'landing_url'].map((name) => [
    join(path, name),
    creative[name],
  ]);
  if (isObject(native)) {
    for (const name of ['image_url', 'icon_url']) places.push([join(join(path, 'native'), name), native[name]]);
  }
  for (const name of ['impression_trackers', 'click_trackers']) {
    const trackers = creative[name];
    if (!Array.isArray(trackers)) continue;
    for (const [index, url] of trackers.entries()) places.push([join(join(path, name), index), url]);
  }
  for (const [place, url] of places) {
    if (typeof url !== 'string' || url === '') continue;
    if (!isWebUrl(url)) yield { path: place, message: 'must be an http or https URL' };
    else if (httpsOnly && !/^https:/i.test(url)) yield { path: place, message: 'must be an https URL' };
  }
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && parseUrl(url) !== null;
}
