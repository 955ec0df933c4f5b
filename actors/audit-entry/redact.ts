/** Fields with these names are never shown, at any depth of a state; the entry only says that they changed. */
const SECRET_FIELD = /secret|sealed|hash|password|token|sourcekey|credential|authori|recovery|totp/i;
/**
 * The fields with a user's name and email. They are deleted with the user, so the trail knows users and invited persons
 * by their ids.
 */
const PERSONAL_KINDS = new Set(['user', 'invitation']);
const PERSONAL_FIELDS = new Set(['email', 'name', 'borneName']);
const WITHHELD = '(withheld)';
/** The most characters of the JSON of one field; of a longer one, the entry says only its length. */
const MAX_FIELD_CHARACTERS = 2_048;
const MAX_DEPTH = 8;

type Fields = Record<string, unknown>;

/** The top-level fields in which two states differ, before and after, in a form that people may read for years. */
export function changedFields(kind: string, before: unknown, after: unknown): { before: Fields; after: Fields } {
  const [was, is] = [(before ?? {}) as Fields, (after ?? {}) as Fields];
  const changed: { before: Fields; after: Fields } = { before: {}, after: {} };
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (JSON.stringify(was[name]) === JSON.stringify(is[name])) continue;
    const personal = PERSONAL_KINDS.has(kind) && PERSONAL_FIELDS.has(name);
    if (name in was) changed.before[name] = personal ? WITHHELD : bounded(redacted(name, was[name], 0));
    if (name in is) changed.after[name] = personal ? WITHHELD : bounded(redacted(name, is[name], 0));
  }
  return changed;
}

function redacted(name: string, value: unknown, depth: number): unknown {
  if (SECRET_FIELD.test(name) && value !== null && value !== '') return WITHHELD;
  if (typeof value === 'string') return /^[a-z]+:\/\//i.test(value) ? withoutSecrets(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth === MAX_DEPTH) return '(deeper)';
  if (Array.isArray(value)) return value.map((element) => redacted(name, element, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, redacted(field, inner, depth + 1)]));
}

/** A URL without user, password, query and fragment, in which callers put keys. */
function withoutSecrets(url: string): string {
  const end = url.search(/[?#]/);
  const plain = end === -1 ? url : `${url.slice(0, end)}?${WITHHELD}`;
  const start = plain.indexOf('://') + '://'.length;
  const slash = plain.indexOf('/', start);
  const at = plain.lastIndexOf('@', slash === -1 ? plain.length : slash);
  return at < start ? plain : plain.slice(0, start) + plain.slice(at + 1);
}

function bounded(value: unknown): unknown {
  const { length } = JSON.stringify(value ?? null);
  return length <= MAX_FIELD_CHARACTERS ? value : `(${length} characters)`;
}
