import { parseDurationMs } from '../duration.ts';
import type { Linear, MediaFile, Mezzanine } from '../model/linear.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { adParametersOf, iconsOf } from './read-resources.ts';
import { trackingEvents, videoClicks } from './read-tracking.ts';
import { Unreadable } from './unreadable.ts';
import { childText, flagAttribute, offsetOf, oneOfAttribute, urlOf, wholeAttribute } from './values.ts';
import { isVpaid, isVpaidFile } from './vpaid.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from './xml-tree.ts';

/**
 * Reads an inline `Linear`. Files that only VPAID can run are left out. Throws `vpaid-unsupported` when no other file
 * is there, `vast-without-media` when there is none at all, and `vast-malformed` without a duration.
 */
export function linearOf(element: XmlElement): Linear {
  const durationMs = parseDurationMs(childText(element, 'Duration'));
  if (durationMs === undefined) throw new Unreadable('vast-malformed', 'a Linear has no Duration');
  const files = childOf(element, 'MediaFiles');
  const listed = mediaFiles(files);
  const playable = listed.filter(({ apiFramework, type }) => !isVpaidFile(apiFramework, type));
  if (listed.length === 0) throw new Unreadable('vast-without-media', 'a Linear has no MediaFile');
  if (playable.length === 0) throw new Unreadable('vpaid-unsupported', 'the ad can be played with VPAID alone');
  return withoutUndefined({
    durationMs,
    skipoffset: offsetOf(element, 'skipoffset'),
    adParameters: adParametersOf(element),
    mediaFiles: playable,
    mezzanines: mezzanines(files),
    interactiveFiles: childrenOf(files, 'InteractiveCreativeFile').flatMap((file) => {
      const url = urlOf(file);
      const apiFramework = attributeOf(file, 'apiFramework');
      if (url === undefined || isVpaid(apiFramework)) return [];
      const variableDuration = flagAttribute(file, 'variableDuration');
      return withoutUndefined({ url, type: attributeOf(file, 'type'), apiFramework, variableDuration });
    }),
    closedCaptionFiles: childrenOf(childOf(files, 'ClosedCaptionFiles'), 'ClosedCaptionFile').flatMap((file) => {
      const url = urlOf(file);
      if (url === undefined) return [];
      return withoutUndefined({ url, type: attributeOf(file, 'type'), language: attributeOf(file, 'language') });
    }),
    trackingEvents: trackingEvents(element),
    videoClicks: videoClicks(element),
    icons: iconsOf(element),
  });
}

function mediaFiles(parent: XmlElement | undefined): MediaFile[] {
  return childrenOf(parent, 'MediaFile').flatMap((file) => {
    const url = urlOf(file);
    if (url === undefined) return [];
    return withoutUndefined({
      url,
      ...fileAttributes(file),
      bitrate: wholeAttribute(file, 'bitrate'),
      minBitrate: wholeAttribute(file, 'minBitrate'),
      maxBitrate: wholeAttribute(file, 'maxBitrate'),
      scalable: flagAttribute(file, 'scalable'),
      maintainAspectRatio: flagAttribute(file, 'maintainAspectRatio'),
      apiFramework: attributeOf(file, 'apiFramework'),
    });
  });
}

function mezzanines(parent: XmlElement | undefined): Mezzanine[] {
  return childrenOf(parent, 'Mezzanine').flatMap((file) => {
    const url = urlOf(file);
    return url === undefined ? [] : withoutUndefined({ url, ...fileAttributes(file) });
  });
}

function fileAttributes(file: XmlElement) {
  return {
    id: attributeOf(file, 'id'),
    delivery: oneOfAttribute(file, 'delivery', ['progressive', 'streaming'] as const) ?? 'progressive',
    type: attributeOf(file, 'type') ?? '',
    width: wholeAttribute(file, 'width') ?? 0,
    height: wholeAttribute(file, 'height') ?? 0,
    codec: attributeOf(file, 'codec'),
    fileSize: wholeAttribute(file, 'fileSize'),
    mediaType: attributeOf(file, 'mediaType'),
  };
}
