import Type, { type Static } from 'typebox';

/**
 * An `Extension` or `CreativeExtension` as it was. `xml` is the child elements, serialised so that they mean the same
 * in any document: every prefix that they use is declared on them, and VAST's own namespace is not named.
 */
export const Extension = Type.Object({ type: Type.Optional(Type.String()), xml: Type.String() });
export type Extension = Static<typeof Extension>;
