import type { Attribute } from '../attributes/attribute.ts';
import { NO_KEY, type PredicateTable } from '../predicates/predicate-table.ts';
import { HEAD_LENGTH, PAGE_LENGTH, Page, type PredicateKeys } from './page.ts';

/** A node with fewer conjunctions is not divided. */
const MIN_DIVIDED_LENGTH = PAGE_LENGTH;

/** The branch that a node belongs to. */
interface Branch {
  /** Removes a node that has become empty. */
  cut(node: Node): void;
}

/**
 * Conjunctions for which the same predicates are known to hold when a search arrives here. Conjunctions that share
 * another predicate with enough others are in nodes below; the others are on the node's pages.
 */
export class Node {
  readonly #branch: Branch | null;
  /** The key or the predicate by which its branch knows this node. */
  readonly label: number;
  readonly pages: Page[] = [];
  /** The branches by keys of attributes. */
  readonly byKey: KeyBranch[] = [];
  /** The branch by predicates of other kinds; null while there are none. */
  gates: GateBranch | null = null;
  /** The number of conjunctions on its pages. */
  count = 0;
  /** The node is divided when it has more conjunctions than this. */
  limit = MIN_DIVIDED_LENGTH;

  constructor(branch: Branch | null, label: number) {
    this.#branch = branch;
    this.label = label;
  }

  add(conjunction: number, predicates: readonly number[], keys: PredicateKeys): Page {
    let page = this.pages.at(-1);
    if (page === undefined || page.count >= PAGE_LENGTH) {
      page = new Page(this);
      this.pages.push(page);
    }
    page.add(conjunction, predicates, keys);
    this.count++;
    return page;
  }

  remove(conjunction: number, page: Page): void {
    page.remove(conjunction);
    this.count--;
    if (page.count > 0) return;
    const last = this.pages.pop()!;
    if (last !== page) this.pages[this.pages.indexOf(page)] = last;
    this.cutIfEmpty();
  }

  cutIfEmpty(): void {
    if (this.count === 0 && this.byKey.length === 0 && this.gates === null) this.#branch?.cut(this);
  }

  hasBranch(by: Attribute | number): boolean {
    return typeof by === 'number' ? this.gates?.nodeOf(by) !== undefined : this.branchOf(by) !== undefined;
  }

  branchOf(attribute: Attribute): KeyBranch | undefined {
    for (const branch of this.byKey) {
      if (branch.attribute === attribute) return branch;
    }
    return undefined;
  }
}

/** The nodes below one attribute, by the key that a request must meet. */
export class KeyBranch implements Branch {
  readonly attribute: Attribute;
  readonly nodes = new Map<number, Node>();
  readonly #above: Node;

  constructor(attribute: Attribute, above: Node) {
    this.attribute = attribute;
    this.#above = above;
  }

  nodeOf(key: number): Node {
    let node = this.nodes.get(key);
    if (node === undefined) {
      node = new Node(this, key);
      this.nodes.set(key, node);
    }
    return node;
  }

  cut({ label }: Node): void {
    this.nodes.delete(label);
    if (this.nodes.size > 0) return;
    const { byKey } = this.#above;
    byKey.splice(byKey.indexOf(this), 1);
    this.#above.cutIfEmpty();
  }
}

/** Nodes that each lie below one predicate; `predicates` and `nodes` have the same order. */
export class GateBranch implements Branch {
  readonly predicates: number[] = [];
  readonly nodes: Node[] = [];
  readonly #byPredicate = new Map<number, Node>();
  readonly #above: Node;

  constructor(above: Node) {
    this.#above = above;
  }

  nodeOf(predicate: number): Node | undefined {
    return this.#byPredicate.get(predicate);
  }

  open(predicate: number): void {
    const node = new Node(this, predicate);
    this.predicates.push(predicate);
    this.nodes.push(node);
    this.#byPredicate.set(predicate, node);
  }

  cut({ label }: Node): void {
    const at = this.predicates.indexOf(label);
    this.predicates.splice(at, 1);
    this.nodes.splice(at, 1);
    this.#byPredicate.delete(label);
    if (this.nodes.length > 0) return;
    this.#above.gates = null;
    this.#above.cutIfEmpty();
  }
}

export function forEachNode(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const { nodes } of node.byKey) for (const below of nodes.values()) forEachNode(below, see);
  for (const below of node.gates?.nodes ?? []) forEachNode(below, see);
}

/** Receives each conjunction that holds. A conjunction with several places may be reported more than once. */
export interface MatchSink {
  found(conjunction: number): void;
}

function searchPage({ heads, entries }: Page, table: PredicateTable, results: MatchSink): void {
  for (let head = 0; head < heads.length; head += HEAD_LENGTH) {
    const slot = heads[head]!;
    if (slot !== 0) {
      const met = table.keyMet(slot);
      if (met >= 0 ? met !== heads[head + 1] && met !== heads[head + 2] && met !== heads[head + 3] : met === NO_KEY) {
        continue;
      }
    }
    const at = heads[head + 4]!;
    const end = at + entries[at]!;
    let next = at + 2;
    while (next < end && table.holds(entries[next]!)) next++;
    if (next === end) results.found(entries[at + 1]!);
  }
}

/** Reports each conjunction at or below a node that holds in the current evaluation. */
export function search(node: Node, table: PredicateTable, results: MatchSink): void {
  const { pages } = node;
  for (let page = 0; page < pages.length; page++) searchPage(pages[page]!, table, results);
  for (const { attribute, nodes } of node.byKey) {
    for (const key of table.keysMet(attribute)) {
      const below = nodes.get(key);
      if (below !== undefined) search(below, table, results);
    }
  }
  const { gates } = node;
  if (gates === null) return;
  for (let at = 0; at < gates.predicates.length; at++) {
    if (table.holds(gates.predicates[at]!)) search(gates.nodes[at]!, table, results);
  }
}
