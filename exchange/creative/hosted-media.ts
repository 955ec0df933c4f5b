import Type, { type Static } from 'typebox';

/**
 * A file that the exchange serves itself. The content under a path never changes, because the path is the content's
 * hash.
 */
export const HostedMedia = Type.Object({
  /** The path on the edge: `/creative/<sha256>`, hex. */
  path: Type.String({ pattern: '^/creative/[0-9a-f]{64}$' }),
  mimeType: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Pixels; only for images and video. */
  width: Type.Optional(Type.Integer({ minimum: 1 })),
  height: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Only for video and audio, as far as the file says. */
  durationMs: Type.Optional(Type.Integer({ minimum: 0 })),
  bitrateKbps: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type HostedMedia = Static<typeof HostedMedia>;

export function hostedPath(sha256: string): string {
  return `/creative/${sha256}`;
}
