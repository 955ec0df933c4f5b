import type { Attribute } from '../attributes/attribute.ts';
import type { KeySet } from '../predicates/predicate.ts';
import type { PredicateTable } from '../predicates/predicate-table.ts';
import { forEachNode, GateBranch, KeyBranch, type MatchSink, Node, search } from './node.ts';
import type { Page } from './page.ts';

/** In how many places a conjunction may stand, so that a list of keys is one of each. */
const MAX_PLACES = 8;
/** How many conjunctions fewer a search should have to look at, for each place that they take, for a branch to pay. */
const MIN_GAIN = 8;
/** Of the pages of a long node, so many tell how it is divided best. */
const SAMPLED_PAGES = 16;

/**
 * Conjunctions of predicates, in a tree that divides a node that has grown long by whatever spares searches the most
 * (BE-tree, Sadoghi and Jacobsen 2011: an attribute's keys; here also single predicates of other kinds). What a
 * conjunction shares with its neighbours is judged once for all, and what a request does not meet is not looked at.
 */
export class ConjunctionTree {
  readonly #table: PredicateTable;
  readonly #root = new Node(null, -1);
  /** By conjunction. */
  readonly #places: (Page | Page[] | null)[] = [];

  constructor(table: PredicateTable) {
    this.#table = table;
  }

  /** `predicates` are those that must hold, each once. The tree holds none of them: whoever adds does, until `remove`. */
  add(conjunction: number, predicates: readonly number[]): void {
    this.#places[conjunction] = null;
    this.#insert(this.#root, conjunction, this.#rarestFirst(predicates));
  }

  remove(conjunction: number): void {
    const places = this.#places[conjunction]!;
    this.#places[conjunction] = null;
    if (places === null) return;
    for (const page of Array.isArray(places) ? places : [places]) page.home.remove(conjunction, page);
  }

  /** Tells of every conjunction that holds on the table's occasion, of some more than once. */
  search(told: MatchSink): void {
    search(this.#root, this.#table, told);
  }

  /** How many nodes there are, and places of conjunctions. */
  stats(): { nodes: number; places: number } {
    let nodes = 0;
    let places = 0;
    forEachNode(this.#root, ({ count }) => {
      nodes++;
      places += count;
    });
    return { nodes, places };
  }

  #insert(node: Node, conjunction: number, predicates: readonly number[]): void {
    if (this.#descend(node, conjunction, predicates)) return;
    this.#placed(conjunction, node.add(conjunction, predicates));
    if (node.count > node.limit) this.#divide(node);
  }

  /** Below a branch of the node: by the rarest predicate that has one, and by one that leads to one place first. */
  #descend(node: Node, conjunction: number, predicates: readonly number[]): boolean {
    if (node.byKey.length === 0 && node.gates === null) return false;
    const elsewhere = this.#placesOf(conjunction);
    let list: { readonly keys: readonly number[]; readonly branch: KeyBranch; readonly at: number } | null = null;
    for (let at = 0; at < predicates.length; at++) {
      const predicate = predicates[at]!;
      const set = this.#dividing(predicate, elsewhere);
      const branch = set === null ? undefined : node.branchOf(set.attribute);
      const below = branch === undefined ? node.gates?.nodeOf(predicate) : onlyNode(branch, set!.keys);
      if (below !== undefined) {
        this.#insert(below, conjunction, without(predicates, at));
        return true;
      }
      if (branch !== undefined) list ??= { keys: set!.keys, branch, at };
    }
    if (list === null) return false;
    const others = without(predicates, list.at);
    for (const key of list.keys) this.#insert(list.branch.nodeOf(key), conjunction, others);
    return true;
  }

  /** The keys by which a predicate can be divided, unless that takes a conjunction to too many places. */
  #dividing(predicate: number, elsewhere: number): KeySet | null {
    const { keySet } = this.#table.at(predicate);
    if (keySet === null || keySet.keys.length === 1) return keySet;
    return elsewhere + keySet.keys.length <= MAX_PLACES ? keySet : null;
  }

  #rarestFirst(predicates: readonly number[]): readonly number[] {
    const sorted: number[] = [];
    const likelihoods: number[] = [];
    for (const predicate of predicates) {
      const { likelihood } = this.#table.at(predicate);
      let at = sorted.length;
      for (; at > 0 && likelihoods[at - 1]! > likelihood; at--) {
        sorted[at] = sorted[at - 1]!;
        likelihoods[at] = likelihoods[at - 1]!;
      }
      sorted[at] = predicate;
      likelihoods[at] = likelihood;
    }
    return sorted;
  }

  #placesOf(conjunction: number): number {
    const places = this.#places[conjunction] ?? null;
    return Array.isArray(places) ? places.length : places === null ? 0 : 1;
  }

  #placed(conjunction: number, page: Page): void {
    const places = this.#places[conjunction] ?? null;
    if (places === null) this.#places[conjunction] = page;
    else if (Array.isArray(places)) places.push(page);
    else this.#places[conjunction] = [places, page];
  }

  #unplaced(conjunction: number, page: Page): void {
    const places = this.#places[conjunction]!;
    if (Array.isArray(places)) places.splice(places.indexOf(page), 1);
    else this.#places[conjunction] = null;
  }

  /** Gives the node branches while one pays. Where none does, it is asked again when it has twice as many. */
  #divide(node: Node): void {
    while (node.count > node.limit) {
      const by = this.#bestDivision(node);
      if (by === null) {
        node.limit = 2 * node.count;
        return;
      }
      if (typeof by === 'number') {
        node.gates ??= new GateBranch(node);
        node.gates.open(by);
      } else {
        node.byKey.push(new KeyBranch(by, node));
      }
      this.#takeBelow(node);
    }
  }

  #bestDivision(node: Node): Attribute | number | null {
    const gains = new Map<Attribute | number, number>();
    for (const page of node.pages.slice(-SAMPLED_PAGES)) {
      page.forEach((conjunction, predicates) => {
        const elsewhere = this.#placesOf(conjunction) - 1;
        for (const predicate of predicates) {
          const set = this.#dividing(predicate, elsewhere);
          const by = set === null ? predicate : set.attribute;
          const gain = (1 - this.#table.at(predicate).likelihood) / (set === null ? 1 : set.keys.length);
          gains.set(by, (gains.get(by) ?? 0) + gain);
        }
      });
    }
    let best: Attribute | number | null = null;
    let most = MIN_GAIN;
    for (const [by, gain] of gains) {
      if (gain <= most || node.hasBranch(by)) continue;
      best = by;
      most = gain;
    }
    return best;
  }

  /** All on the node's pages that have a predicate with a branch now go there. */
  #takeBelow(node: Node): void {
    const pages = node.pages.splice(0);
    node.count = 0;
    for (const page of pages) {
      page.forEach((conjunction, predicates) => {
        this.#unplaced(conjunction, page);
        if (!this.#descend(node, conjunction, predicates)) this.#placed(conjunction, node.add(conjunction, predicates));
      });
    }
  }
}

function onlyNode(branch: KeyBranch, keys: readonly number[]): Node | undefined {
  return keys.length === 1 ? branch.nodeOf(keys[0]!) : undefined;
}

function without(predicates: readonly number[], at: number): readonly number[] {
  const others: number[] = [];
  for (let other = 0; other < predicates.length; other++) if (other !== at) others.push(predicates[other]!);
  return others;
}
