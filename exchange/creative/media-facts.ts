import Type, { type Static } from 'typebox';

const Kbps = Type.Integer({ minimum: 0 });
const Pixels = Type.Integer({ minimum: 1 });

/**
 * The properties of a creative's file as found in its content, whatever its name and its server say. Names of formats
 * are MediaInfo's.
 */
export const MediaFacts = Type.Object({
  /**
   * A `media` file is played; an `image` is the creative itself; a `companion` is shown beside a file that is played.
   */
  use: Type.Enum(['media', 'image', 'companion']),
  bytes: Type.Integer({ minimum: 0 }),
  /** `MPEG-4`, `WebM`, `MPEG Audio`, `Ogg`, `Wave`, `GIF`, …; null when not known. */
  container: Type.Union([Type.String(), Type.Null()]),
  durationMs: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The bit rate of the whole file. */
  bitrateKbps: Type.Optional(Kbps),
  /** The first video track. */
  video: Type.Optional(
    Type.Object({
      codec: Type.String(),
      width: Type.Optional(Pixels),
      height: Type.Optional(Pixels),
      framesPerSecond: Type.Optional(Type.Number({ minimum: 0 })),
    }),
  ),
  /** The first audio track. */
  audio: Type.Optional(
    Type.Object({
      codec: Type.String(),
      bitrateKbps: Type.Optional(Kbps),
      sampleRateHz: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  image: Type.Optional(
    Type.Object({
      width: Type.Optional(Pixels),
      height: Type.Optional(Pixels),
      /** Absent for a still image. */
      animation: Type.Optional(
        Type.Object({
          /** The duration of one run. */
          durationMs: Type.Integer({ minimum: 0 }),
          /** The number of runs; 0 means without end. */
          runs: Type.Integer({ minimum: 0 }),
        }),
      ),
    }),
  ),
});
export type MediaFacts = Static<typeof MediaFacts>;

/** Looks up the files that a creative's URL led to; null where the URL was not fetched (yet). */
export type MediaFactsLookup = (url: string) => readonly MediaFacts[] | null;
