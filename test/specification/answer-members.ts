import type { TSchema } from 'typebox';

interface Node {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
}

/**
 * The members of what stands in a schema at the end of a way, sorted: of every choice, and of a list's elements. `*` on
 * the way is any member of a map. Null where the way leads nowhere.
 */
export function membersAtPath(schema: TSchema, way: readonly string[]): readonly string[] | null {
  let nodes = objectsIn(schema);
  for (const step of way) {
    nodes = nodes.flatMap((node) => {
      const next =
        step === '*' ? Object.values(node.patternProperties ?? node.properties ?? {}) : [node.properties?.[step]];
      return next.flatMap((one) => (one === undefined ? [] : objectsIn(one)));
    });
  }
  if (nodes.length === 0) return null;
  return [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))].sort();
}

function objectsIn(schema: TSchema): Node[] {
  const node = schema as Node;
  if (node.anyOf !== undefined) return node.anyOf.flatMap(objectsIn);
  return node.items === undefined ? [node] : objectsIn(node.items);
}
