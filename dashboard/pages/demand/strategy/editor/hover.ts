import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { infoOf } from './completion.ts';
import { nameOf, pathOf } from './places.ts';
import { type Schema, schemasAt } from './schema-at.ts';

/** Over the name of a member, what the schema says that it is for. */
export function hoverOf(schema: Schema): Extension {
  return hoverTooltip(({ state }, pos, side) => {
    const node = syntaxTree(state).resolveInner(pos, side);
    const object = node.parent?.parent;
    if (node.name !== 'PropertyName' || object == null) return null;
    const read = (from: number, to: number) => state.sliceDoc(from, to);
    const name = nameOf(node, read);
    const said = schemasAt(schema, pathOf(object, read)).flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name]!] : [],
    );
    const [first] = said;
    return first === undefined
      ? null
      : { pos: node.from, end: node.to, above: true, create: () => ({ dom: infoOf(first) }) };
  });
}
