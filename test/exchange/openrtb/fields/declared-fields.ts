import { BID_REQUEST } from '#exchange/openrtb/bid-request';
import type { Field, ObjectTable } from '#exchange/openrtb/fields/field';

type Open = Record<string, unknown>;

/** One declared field of a bid request, at one of the places where its object stands. */
export interface DeclaredField {
  /** As conditions of strategies address it: `imp.video.mimes`. */
  readonly path: string;
  /** As faults name it, where every list has one element: `imp[0].video.mimes`. */
  readonly faultPath: string;
  readonly field: Field;
  /** Of the object that has the field. */
  readonly table: ObjectTable;
  /** The fields that lead to it from the request, the outermost first. */
  readonly above: readonly Field[];
}

/** Every field of every table that the bid request leads to. */
export function declaredFields(
  table = BID_REQUEST as ObjectTable,
  path = '',
  faultPath = '',
  above: Field[] = [],
): DeclaredField[] {
  return Object.entries(table.fields).flatMap(([name, field]) => {
    const at = { path: path + name, faultPath: faultPath + name, field, table, above };
    if (field.table === null) return [at];
    const element = field.list === null ? '' : '[0]';
    return [at, ...declaredFields(field.table, `${at.path}.`, `${at.faultPath}${element}.`, [...above, field])];
  });
}

/** A request that is valid and has `value` in that field, or in the `ext` of the same object. */
export function requestWith({ path }: DeclaredField, value: unknown, place: 'own' | 'ext' = 'own'): Open {
  const steps = path.split('.');
  const name = steps.pop()!;
  const request = minimal(BID_REQUEST);
  let holder = request;
  let table: ObjectTable = BID_REQUEST;
  for (const step of steps) {
    const field = table.fields[step]!;
    holder[step] ??= field.list === null ? minimal(field.table!) : [minimal(field.table!)];
    holder = (field.list === null ? holder[step] : (holder[step] as Open[])[0]) as Open;
    table = field.table!;
  }
  if (place === 'ext') holder.ext = { [name]: value };
  else holder[name] = value;
  return request;
}

/** What a request has at a path, through lists of one element. */
export function valueAt(request: unknown, path: string): unknown {
  let value = request;
  for (const step of path.split('.')) value = ([value].flat()[0] as Open | undefined)?.[step];
  return value;
}

/** A value that the field may have, and that every rule on the viewer's data changes which is to change it. */
export function sampleOf(field: Field): unknown {
  const one = field.table === null ? scalar(field) : minimal(field.table);
  return field.list === null ? one : [one];
}

function scalar({ check, viewer, comparison }: Field): unknown {
  if (viewer === 'address') return '203.0.113.77';
  if (viewer === 'coordinate') return 52.520008;
  if (viewer === 'url') return 'https://site.example/page?q=1#f';
  if (check === null) return comparison === 'number' ? 1 : 'sample-value';
  return ['sample-value', '{"assets":[{"title":{"len":25}}]}', 1].find((value) => check(value) === undefined);
}

/** The least that such an object must have. */
function minimal(table: ObjectTable): Open {
  const required = Object.entries(table.fields).filter(([, field]) => field.required);
  const object: Open = Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field)]));
  // Rules between fields: an imp offers something, and a format has a size.
  if ('banner' in table.fields) Object.assign(object, { banner: {}, audio: { mimes: ['audio/mp4'] } });
  if ('wratio' in table.fields) Object.assign(object, { w: 1, h: 1, wratio: 1, hratio: 1 });
  return object;
}
