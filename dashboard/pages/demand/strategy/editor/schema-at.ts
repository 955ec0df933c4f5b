/** As much of a JSON Schema (draft 2020-12) as the strategy's uses. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Names of members, and numbers of elements. */
export type Path = readonly (string | number)[];

/** What a document may have at a path: the schemas that may hold there, none for a path that no schema knows. */
export function schemasAt(root: Schema, path: Path): readonly Schema[] {
  let at = alternatives(root);
  for (const step of path) {
    at = at.flatMap(({ properties, items }) => {
      const next = typeof step === 'number' ? items : properties !== undefined && own(properties, step);
      return next ? alternatives(next) : [];
    });
  }
  return at;
}

function alternatives(schema: Schema): readonly Schema[] {
  // The words of the whole hold for each of its alternatives.
  const { anyOf, description } = schema;
  return anyOf === undefined
    ? [schema]
    : anyOf.map((one) => ({ ...(description !== undefined && { description }), ...one }));
}

function own(properties: Readonly<Record<string, Schema>>, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** `number, 0 to 10,000`: what kind of value it is. */
export function kindOf({ type, enum: values, const: constant, minimum, maximum }: Schema): string {
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? `, ${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`
      : minimum !== undefined
        ? `, at least ${minimum.toLocaleString('en-US')}`
        : '';
  return `${type ?? 'any value'}${bounds}`;
}
