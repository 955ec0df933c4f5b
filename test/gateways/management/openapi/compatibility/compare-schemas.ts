/** A JSON Schema. */
// biome-ignore lint/suspicious/noExplicitAny: it is walked by names
export type Schema = any;

interface Comparison {
  readonly resolve: { readonly was: (part: Schema) => Schema; readonly is: (part: Schema) => Schema };
  /** Whether the shape is of what callers send, or of what they get. */
  readonly direction: 'request' | 'answer';
}

/** Upper bounds, which are not to fall, and lower bounds, which are not to rise. */
const upper = ['maximum', 'maxLength', 'maxItems'] as const;
const lower = ['minimum', 'minLength', 'minItems'] as const;

/** What breaks a caller who knows a shape as `was`, when it is as `is`; by the paths of its members. */
export function schemaDifferences(was: Schema, is: Schema, comparison: Comparison, path = ''): string[] {
  const [old, now] = [plain(was, comparison.resolve.was), plain(is, comparison.resolve.is)];
  const place = `${comparison.direction} ${path === '' ? 'body' : path}`;
  if (comparison.direction === 'answer') {
    const strange = typesOf(now).filter((type) => !typesOf(old).includes(type));
    if (typesOf(old).length > 0 && strange.length > 0) return [`${place} may be ${strange.join(' or ')}`];
  }
  return [
    ...(comparison.direction === 'request' ? narrowings(old, now, place) : []),
    ...memberDifferences(old, now, comparison, path),
    ...(old.items && now.items ? schemaDifferences(old.items, now.items, comparison, `${path}[]`) : []),
  ];
}

/** Values that `was` allows and `is` refuses, of types, choices and bounds; patterns and formats are not compared. */
export function narrowings(was: Schema, is: Schema, place: string): string[] {
  const refused = typesOf(was).filter((type) => !typesOf(is).includes(type) && typesOf(is).length > 0);
  const found = refused.map((type) => `${place} is no ${type} any more`);
  if (is.enum !== undefined) {
    const gone = was.enum?.filter((value: unknown) => !is.enum.includes(value)) ?? [];
    if (was.enum === undefined && was.const === undefined) found.push(`${place} is one of ${is.enum.join(', ')} alone`);
    if (gone.length > 0) found.push(`${place} is not ${gone.join(', ')} any more`);
  }
  for (const bound of upper) {
    if (is[bound] !== undefined && !(was[bound] <= is[bound])) found.push(`${place} has ${bound} ${is[bound]}`);
  }
  for (const bound of lower) {
    if (is[bound] !== undefined && !(was[bound] >= is[bound])) found.push(`${place} has ${bound} ${is[bound]}`);
  }
  return found;
}

function memberDifferences(was: Schema, is: Schema, comparison: Comparison, path: string): string[] {
  const { direction } = comparison;
  const [members, now] = [was.properties ?? {}, is.properties ?? {}];
  const at = (name: string) => `${direction} ${path === '' ? name : `${path}.${name}`}`;
  const differences = Object.keys(members).flatMap((name) =>
    now[name] === undefined
      ? [`${at(name)} is gone`]
      : schemaDifferences(members[name], now[name], comparison, at(name).slice(direction.length + 1)),
  );
  const [required, requiredNow]: string[][] = [was.required ?? [], is.required ?? []];
  const demanded = requiredNow!.filter((name) => !required!.includes(name)).map((name) => `${at(name)} is required`);
  const missing = required!
    .filter((name) => !requiredNow!.includes(name) && now[name] !== undefined)
    .map((name) => `${at(name)} is not always there`);
  return [...differences, ...(direction === 'request' ? demanded : missing)];
}

/** Without its reference; and a choice between one shape and null as that shape, which may be null. */
function plain(schema: Schema, resolve: (part: Schema) => Schema): Schema {
  const resolved = resolve(schema);
  if (!Array.isArray(resolved.anyOf)) return resolved;
  const shapes = resolved.anyOf.map(resolve);
  const [only, ...others] = shapes.filter((shape: Schema) => shape.type !== 'null');
  if (others.length > 0) return { types: shapes.flatMap(typesOf) };
  return { ...only, types: shapes.flatMap(typesOf) };
}

function typesOf({ types, type, enum: values, const: value }: Schema): string[] {
  if (types !== undefined) return types;
  if (type !== undefined) return type === 'number' ? ['number', 'integer'] : [type].flat();
  const known = values ?? (value === undefined ? [] : [value]);
  return [...new Set<string>(known.map((one: unknown) => (one === null ? 'null' : typeof one)))];
}
