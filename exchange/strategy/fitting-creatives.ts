import { fitsBanner } from '../auction/creative-size.ts';
import { type Creative, type CreativeFormat, formatOfCreative } from './document/creative.ts';
import { offersMraid } from './offers-mraid.ts';
import type { TargetingContext } from './read-field.ts';

/** The format and size of a creative, which are all that an imp demands of it; pixels. */
export interface CreativeShape {
  readonly format: CreativeFormat;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export function shapeOf(creative: Creative): CreativeShape {
  return { format: formatOfCreative(creative), width: creative.width, height: creative.height };
}

/** The creatives that the imp can show; all of them while no imp is named. */
export function fittingCreatives(creatives: readonly Creative[], targeting: TargetingContext): readonly Creative[] {
  return targeting.imp === null ? creatives : creatives.filter((creative) => fitsShape(shapeOf(creative), targeting));
}

export function fitsShape({ format, width, height }: CreativeShape, { imp, request }: TargetingContext): boolean {
  if (imp === null) return true;
  if (format === 'video' || format === 'audio' || format === 'native') return imp[format] !== undefined;
  if (imp.banner === undefined) return false;
  if (format === 'mraid' && !offersMraid(imp, request.device)) return false;
  return fitsBanner({ w: width, h: height }, imp, request.device);
}
