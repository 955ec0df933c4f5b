import { type Completion, type CompletionContext, type CompletionResult, snippet } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { CONDITION_FIELDS } from './condition-fields.ts';
import { nameOf, pathOf, type Reader } from './places.ts';
import { kindOf, type Path, type Schema, schemasAt } from './schema-at.ts';

/** What the schema does not say: which campaigns the document has, whose strategy it is. */
interface Known {
  readonly schema: Schema;
  readonly sourceId: string;
}

/**
 * Names of members that the schema knows and the object does not have yet; values where there are some to choose from.
 */
export function completionOf(known: Known) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    const read: Reader = (from, to) => state.sliceDoc(from, to);
    const place = placeAt(state, pos);
    if (place === null) return null;
    const { node, token } = place;
    // Where no word has begun, only who asks is told.
    if (token === null && !explicit && context.matchBefore(/\w+/) === null) return null;
    const word = token ?? { from: context.matchBefore(/[\w.-]+/)?.from ?? pos, to: pos };
    const options =
      place.of === 'name'
        ? namesFor(schemasAt(known.schema, pathOf(node, read)), namesIn(node, read, word.from))
        : valuesFor(known, state, pathOf(node, read));
    return options.length === 0 ? null : { from: word.from, to: word.to, options, filter: true };
  };
}

interface Completed {
  readonly of: 'name' | 'value';
  /** The object that a name is for; the place of a value. */
  readonly node: SyntaxNode;
  /** What stands there already. */
  readonly token: { readonly from: number; readonly to: number } | null;
}

function placeAt(state: EditorState, pos: number): Completed | null {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, -1);
  const token = node.name === 'PropertyName' || node.name === 'String' ? { from: node.from, to: node.to } : null;
  // At the end of a text that is closed nothing is written any more.
  if (token !== null && token.to === pos && token.to - token.from > 1 && state.sliceDoc(pos - 1, pos) === '"')
    return null;
  if (node.name === 'PropertyName') node = node.parent;
  else if (token !== null) return node.parent?.name === 'Object' ? null : { of: 'value', node, token };
  while (node !== null && node.name !== 'Object' && node.name !== 'Array' && node.name !== 'Property')
    node = node.parent;
  if (node === null) return null;
  if (node.name === 'Array') return { of: 'value', node: elementOf(node, pos), token };
  if (node.name === 'Object') return { of: 'name', node, token };
  const named = node.getChild('PropertyName');
  const isValue = named !== null && named.to < pos && state.sliceDoc(named.to, pos).includes(':');
  if (isValue) return { of: 'value', node: named.nextSibling ?? named, token };
  return node.parent === null ? null : { of: 'name', node: node.parent, token };
}

/** Something within a list has the path of an element of it. */
function elementOf(array: SyntaxNode, pos: number): SyntaxNode {
  return array.childBefore(pos) ?? array.firstChild ?? array;
}

function namesIn(object: SyntaxNode, read: Reader, without: number): ReadonlySet<string> {
  const names = object.getChildren('Property').flatMap((property) => {
    const named = property.getChild('PropertyName');
    return named === null || named.from === without ? [] : nameOf(named, read);
  });
  return new Set(names);
}

function namesFor(schemas: readonly Schema[], present: ReadonlySet<string>): Completion[] {
  return schemas.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([name]) => !present.has(name))
      .map(([name, schema]): Completion => {
        const needed = required.includes(name);
        return {
          label: `"${name}"`,
          displayLabel: name,
          type: 'property',
          detail: needed ? 'required' : (schema.type ?? ''),
          info: () => infoOf(schema),
          boost: needed ? 10 : 0,
          apply: (view, completion, from, to) => writeName(view, completion, from, to, name, schema),
        };
      }),
  );
}

/** Writes `"name": ` with an empty value of its kind, and the comma that what comes after it wants. */
function writeName(view: EditorView, completion: Completion, from: number, to: number, name: string, schema: Schema) {
  const after = view.state.sliceDoc(to, Math.min(to + 200, view.state.doc.length)).trimStart();
  if (after.startsWith(':')) {
    view.dispatch({ changes: { from, to, insert: `"${name}"` }, selection: { anchor: from + name.length + 2 } });
    return;
  }
  const comma = after.startsWith('"') ? ',' : '';
  snippet(`"${name}": ${emptyOf(schema)}${comma}`)(view, completion, from, to);
}

/** An empty value as a snippet: `#{}` is where one goes on. */
function emptyOf(schema: Schema): string {
  const [first = schema] = schema.anyOf ?? [schema];
  if (first.const !== undefined) return JSON.stringify(first.const);
  if (first.enum !== undefined) return '"#{}"';
  switch (first.type) {
    case 'string':
      return '"#{}"';
    case 'array':
      return '[#{}]';
    case 'object':
      return '{#{}}';
    default:
      return '#{}';
  }
}

function valuesFor({ schema, sourceId }: Known, state: EditorState, path: Path): Completion[] {
  const said = schemasAt(schema, path).flatMap(({ enum: values, const: constant, type, default: usual }) => [
    ...(values ?? (constant === undefined ? [] : [constant])),
    ...(type === 'boolean' ? [true, false] : []),
    ...(values === undefined && usual !== undefined ? [usual] : []),
  ]);
  const values = [...said, ...foundFor(path, state, sourceId)];
  return [...new Set(values.map((value) => JSON.stringify(value)))].map((label) => ({
    label,
    displayLabel: label.replace(/^"(.*)"$/, '$1'),
    type: 'enum',
  }));
}

function foundFor(path: Path, state: EditorState, sourceId: string): readonly string[] {
  const [list, , ...names] = path;
  const name = names.filter((step) => typeof step === 'string').join('.');
  if (path.join('.') === 'dsp_id') return [sourceId];
  if (list === 'rules' && name === 'campaign_id') return campaignIdsIn(state);
  if (list === 'rules' && name === 'conditions.field') return CONDITION_FIELDS;
  if (name === 'targeting.devices') return ['ctv', 'mobile', 'tablet', 'desktop'];
  if (name.endsWith('timezone')) return Intl.supportedValuesOf('timeZone');
  if (name.endsWith('.days')) return ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  return [];
}

function campaignIdsIn(state: EditorState): readonly string[] {
  const read: Reader = (from, to) => state.sliceDoc(from, to);
  const root = syntaxTree(state).topNode.firstChild;
  const campaigns = root?.getChildren('Property').find((property) => {
    const named = property.getChild('PropertyName');
    return named !== null && nameOf(named, read) === 'campaigns';
  })?.lastChild;
  return (campaigns?.getChildren('Object') ?? []).flatMap((campaign) =>
    campaign.getChildren('Property').flatMap((property) => {
      const named = property.getChild('PropertyName');
      const value = property.getChild('String');
      return named !== null && value !== null && nameOf(named, read) === 'campaign_id' ? nameOf(value, read) : [];
    }),
  );
}

/** What a member is for, as text. */
export function infoOf(schema: Schema): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-schema-info';
  const kind = document.createElement('code');
  kind.textContent = (schema.anyOf ?? [schema]).map(kindOf).join(' or ');
  const words = document.createElement('p');
  words.textContent = [
    schema.description,
    schema.default === undefined ? null : `${JSON.stringify(schema.default)} when absent.`,
  ]
    .filter(Boolean)
    .join(' ');
  box.append(kind, ...(words.textContent === '' ? [] : [words]));
  return box;
}
