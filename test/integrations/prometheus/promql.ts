import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** What the grammar's tree has of a node that is used here. */
interface Node {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly firstChild: Node | null;
  readonly nextSibling: Node | null;
}

/** What an expression asks for. */
export interface AskedFor {
  readonly metrics: ReadonlySet<string>;
  /** Labels by which series are selected, or that they are grouped by. */
  readonly labels: ReadonlySet<string>;
}

const fromIntegrations = createRequire(resolve('integrations/package.json'));

/**
 * Reads an expression by Prometheus' own grammar.
 * @throws Error for what is no expression
 */
export function askedFor(expr: string): AskedFor {
  const { parser } = fromIntegrations('@prometheus-io/lezer-promql') as {
    parser: { parse(text: string): { topNode: Node } };
  };
  const [metrics, labels] = [new Set<string>(), new Set<string>()];
  const visit = (node: Node): void => {
    const text = expr.slice(node.from, node.to);
    if (node.name === '⚠') throw new Error(`not PromQL at ${node.from}: ${expr}`);
    if (node.name === 'VectorSelector' && node.firstChild?.name === 'Identifier')
      metrics.add(expr.slice(node.firstChild.from, node.firstChild.to));
    if (node.name === 'LabelName') labels.add(text);
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child);
  };
  visit(parser.parse(expr).topNode);
  return { metrics, labels };
}
