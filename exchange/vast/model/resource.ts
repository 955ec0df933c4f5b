import Type, { type Static } from 'typebox';

/** What a companion, an icon or a non-linear ad shows: alternatives, each in the document's order. */
export const Resources = Type.Object({
  static: Type.Array(Type.Object({ creativeType: Type.String(), url: Type.String() })),
  iframe: Type.Array(Type.String()),
  html: Type.Array(Type.String()),
});
export type Resources = Static<typeof Resources>;

export const AdParameters = Type.Object({ xmlEncoded: Type.Optional(Type.Boolean()), text: Type.String() });
export type AdParameters = Static<typeof AdParameters>;

/** Pixels; 0 where the document does not say. */
export const Pixels = Type.Integer({ minimum: 0 });

export function hasResource({ static: files, iframe, html }: Resources): boolean {
  return files.length > 0 || iframe.length > 0 || html.length > 0;
}
