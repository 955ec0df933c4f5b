import type { SyntaxNode, Tree } from '@lezer/common';
import type { Path } from './schema-at.ts';

export interface Place {
  readonly from: number;
  readonly to: number;
}

/** What reads a part of the text. */
export type Reader = (from: number, to: number) => string;

/**
 * Where the API's path, `rules[2].conditions[0].value`, leads to in a document: a name of a member or a plain value is
 * marked whole, of a list or an object its first character. What is not there leads to what it should be in. `name`: a
 * member's name even so.
 */
export function placeOf(tree: Tree, read: Reader, path: string, { name: asName = false } = {}): Place {
  let node = tree.topNode.firstChild;
  let place: Place = node === null ? { from: 0, to: 0 } : headOf(node);
  let rest = path;
  while (node !== null && rest !== '') {
    const index = /^\[(\d+)\]\.?/.exec(rest);
    if (node.name === 'Array' && index !== null) {
      node = valuesOf(node)[Number(index[1])] ?? null;
      rest = rest.slice(index[0].length);
      if (node !== null) place = headOf(node);
    } else if (node.name === 'Object') {
      const member = memberFor(node, read, rest);
      if (member === null) break;
      place = { from: member.named.from, to: member.named.to };
      node = member.value;
      rest = rest.slice(member.name.length).replace(/^\./, '');
      if (rest === '' && node !== null && !asName && !isNested(node)) place = { from: node.from, to: node.to };
    } else break;
  }
  return place;
}

/**
 * Of the members whose names the path may begin with, the one of the longest name: names may have dots and brackets in
 * them.
 */
function memberFor(object: SyntaxNode, read: Reader, rest: string) {
  let found: { readonly name: string; readonly named: SyntaxNode; readonly value: SyntaxNode | null } | null = null;
  for (const property of object.getChildren('Property')) {
    const named = property.getChild('PropertyName');
    if (named === null) continue;
    const name = nameOf(named, read);
    const next = rest.charAt(name.length);
    if (!rest.startsWith(name) || (next !== '' && next !== '.' && next !== '[')) continue;
    if (found !== null && found.name.length >= name.length) continue;
    const value = property.lastChild;
    found = { name, named, value: value === named ? null : value };
  }
  return found;
}

export function nameOf(named: SyntaxNode, read: Reader): string {
  const text = read(named.from, named.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replaceAll('"', '');
  }
}

function isNested({ name }: SyntaxNode): boolean {
  return name === 'Object' || name === 'Array';
}

function headOf(node: SyntaxNode): Place {
  return isNested(node) ? { from: node.from, to: Math.min(node.from + 1, node.to) } : { from: node.from, to: node.to };
}

/** The values of a list, without its brackets, commas and what is no JSON. */
function valuesOf(array: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = array.firstChild; child !== null; child = child.nextSibling) {
    if (/^[A-Z]/.test(child.name)) values.push(child);
  }
  return values;
}

/** The path of an object, a list or a value in its document. */
export function pathOf(node: SyntaxNode, read: Reader): Path {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at?.parent != null; at = at.parent) {
    const { parent } = at as { parent: SyntaxNode };
    if (parent.name === 'Array') {
      const { from } = at;
      path.unshift(valuesOf(parent).filter((one) => one.from < from).length);
    } else if (parent.name === 'Property') {
      const named = parent.getChild('PropertyName');
      if (named !== null) path.unshift(nameOf(named, read));
    }
  }
  return path;
}
