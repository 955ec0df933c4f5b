import Type, { type Static } from 'typebox';

const Kbps = Type.Integer({ minimum: 0 });
const Pixels = Type.Integer({ minimum: 1 });

/** What a file of a creative is found to be, whatever its name and its server say. Names of formats are MediaInfo's. */
export const MediaFacts = Type.Object({
  /** `media`: it is played; `image`: it is the creative; `companion`: it is shown beside one that is played. */
  use: Type.Enum(['media', 'image', 'companion']),
  bytes: Type.Integer({ minimum: 0 }),
  /** `MPEG-4`, `WebM`, `MPEG Audio`, `Ogg`, `Wave`, `GIF`, …; null: not known. */
  container: Type.Union([Type.String(), Type.Null()]),
  durationMs: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Of the whole file. */
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
          /** Of one run. */
          durationMs: Type.Integer({ minimum: 0 }),
          /** How often it runs; 0: without end. */
          runs: Type.Integer({ minimum: 0 }),
        }),
      ),
    }),
  ),
});
export type MediaFacts = Static<typeof MediaFacts>;

/** What the files are that a creative's URL led to; null: it was not fetched (yet). */
export type MediaFactsLookup = (url: string) => readonly MediaFacts[] | null;
