import { formatDuration } from '../duration.ts';
import type { Extension } from '../model/extension.ts';
import type { Linear, MediaFile } from '../model/linear.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import { adParametersElement, iconsElement } from './write-resources.ts';
import { creativeExtensionsElement, trackingEventsElement, videoClicksElement } from './write-tracking.ts';
import { container, element, textElement, urlElement } from './xml-text.ts';

/** The `Linear` of a creative. Before 4.0 it also contains the creative's extensions. */
export function linearElement(linear: Linear, extensions: readonly Extension[], version: VastVersion): string {
  const icons = iconsElement(linear.icons, version);
  const duration = textElement('Duration', formatDuration(linear.durationMs));
  const events = trackingEventsElement(linear.trackingEvents, version);
  const parameters = adParametersElement(linear.adParameters, version);
  const clicks = videoClicksElement(linear.videoClicks, version);
  const files = mediaFilesElement(linear, version);
  if (version === '2.0') return element('Linear', duration + events + parameters + clicks + files);
  const { skipoffset } = linear;
  if (version === '3.0') {
    const before = icons + creativeExtensionsElement(extensions);
    return element('Linear', before + duration + events + parameters + clicks + files, { skipoffset });
  }
  return element('Linear', icons + events + parameters + duration + files + clicks, { skipoffset });
}

function mediaFilesElement(linear: Linear, version: VastVersion): string {
  const files = linear.mediaFiles.map((file) => mediaFileElement(file, version)).join('');
  if (!isAtLeast(version, '4.0')) return element('MediaFiles', files);
  return element(
    'MediaFiles',
    captionsElement(linear, version) +
      files +
      mezzanineElements(linear, version) +
      interactiveElements(linear, version),
  );
}

function mediaFileElement(file: MediaFile, version: VastVersion): string {
  const { url, id, delivery, type, width, height, codec, bitrate, scalable, maintainAspectRatio, apiFramework } = file;
  const { minBitrate, maxBitrate, fileSize, mediaType } = file;
  return urlElement('MediaFile', url, {
    id,
    delivery,
    type,
    width,
    height,
    bitrate,
    ...(isAtLeast(version, '3.0') && { codec, minBitrate, maxBitrate }),
    scalable,
    maintainAspectRatio,
    ...(isAtLeast(version, '4.1') && { fileSize, mediaType }),
    apiFramework,
  });
}

function captionsElement(linear: Linear, version: VastVersion): string {
  if (!isAtLeast(version, '4.1')) return '';
  const files = linear.closedCaptionFiles.map(({ url, type, language }) =>
    urlElement('ClosedCaptionFile', url, { type, language }),
  );
  return container('ClosedCaptionFiles', files.join(''));
}

/** The mezzanine files; 4.0 allows one, with its URL alone. */
function mezzanineElements(linear: Linear, version: VastVersion): string {
  if (version === '4.0') return urlElement('Mezzanine', linear.mezzanines[0]?.url);
  return linear.mezzanines.map(({ url, ...values }) => urlElement('Mezzanine', url, values)).join('');
}

function interactiveElements(linear: Linear, version: VastVersion): string {
  return linear.interactiveFiles
    .map(({ url, type, apiFramework, variableDuration }) =>
      urlElement('InteractiveCreativeFile', url, {
        type,
        apiFramework,
        variableDuration: isAtLeast(version, '4.1') ? variableDuration : undefined,
      }),
    )
    .join('');
}
