import type { Attribute } from '../attributes/attribute.ts';
import type { KeySet } from '../predicates/predicate.ts';
import type { PredicateTable } from '../predicates/predicate-table.ts';
import { forEachNode, GateBranch, KeyBranch, type MatchSink, Node, search } from './node.ts';
import type { Page } from './page.ts';

/** A conjunction may have at most this many places. A list of keys takes one place for each key. */
const MAX_PLACES = 8;
/** A branch must spare a search at least this many conjunctions, for each place that they take. */
const MIN_GAIN = 8;
/** At most this many pages of a long node are sampled to decide how it is divided. */
const SAMPLED_PAGES = 16;

/**
 * Conjunctions of predicates in a tree. A node that has grown long is divided by whatever spares searches the most
 * (BE-tree, Sadoghi and Jacobsen 2011, divides by an attribute's keys; here single predicates of other kinds divide,
 * too). A predicate that neighbouring conjunctions share is judged once for all of them, and branches that a request
 * does not meet are not searched.
 */
export class ConjunctionTree {
  readonly #table: PredicateTable;
  readonly #root = new Node(null, -1);
  /** By conjunction: its pages. */
  readonly #places: (Page | Page[] | null)[] = [];
  /** Reused while a conjunction is sorted. */
  readonly #likelihoods: number[] = [];

  constructor(table: PredicateTable) {
    this.#table = table;
  }

  /**
   * Adds a conjunction of `predicates`, each given once. The tree does not hold the predicates: the caller must, until
   * `remove`.
   */
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

  /** Reports each conjunction that holds in the table's current evaluation, some of them more than once. */
  search(results: MatchSink): void {
    search(this.#root, this.#table, results);
  }

  /** The number of nodes, and of places of conjunctions. */
  stats(): { nodes: number; places: number } {
    let nodes = 0;
    let places = 0;
    forEachNode(this.#root, ({ count }) => {
      nodes++;
      places += count;
    });
    return { nodes, places };
  }

  /** The list of predicates is used up. */
  #insert(node: Node, conjunction: number, predicates: number[]): void {
    if (this.#descend(node, conjunction, predicates)) return;
    this.#placed(conjunction, node.add(conjunction, predicates, this.#table));
    if (node.count > node.limit) this.#divide(node);
  }

  /**
   * Adds a conjunction below a branch of the node and returns whether there is one. The rarest predicate with a branch
   * decides; a predicate that leads to a single place comes before any that leads to several. The list of predicates is
   * used up where there is a branch.
   */
  #descend(node: Node, conjunction: number, predicates: number[]): boolean {
    if (node.byKey.length === 0 && node.gates === null) return false;
    const placeCount = this.#placesOf(conjunction);
    let list: { readonly keys: readonly number[]; readonly branch: KeyBranch; readonly at: number } | null = null;
    for (let at = 0; at < predicates.length; at++) {
      const predicate = predicates[at]!;
      const set = this.#dividing(predicate, placeCount);
      const branch = set === null ? undefined : node.branchOf(set.attribute);
      const below = branch === undefined ? node.gates?.nodeOf(predicate) : onlyNode(branch, set!.keys);
      if (below !== undefined) {
        removeAt(predicates, at);
        this.#insert(below, conjunction, predicates);
        return true;
      }
      if (branch !== undefined) list ??= { keys: set!.keys, branch, at };
    }
    if (list === null) return false;
    removeAt(predicates, list.at);
    for (const key of list.keys) this.#insert(list.branch.nodeOf(key), conjunction, predicates.slice());
    return true;
  }

  /**
   * The keys by which a predicate can be divided; null where they would give the conjunction more than `MAX_PLACES`
   * places.
   */
  #dividing(predicate: number, placeCount: number): KeySet | null {
    const keySet = this.#table.keySetOf(predicate);
    if (keySet === null || keySet.keys.length === 1) return keySet;
    return placeCount + keySet.keys.length <= MAX_PLACES ? keySet : null;
  }

  #rarestFirst(predicates: readonly number[]): number[] {
    const sorted = predicates.slice();
    const likelihoods = this.#likelihoods;
    for (let next = 0; next < sorted.length; next++) {
      const predicate = sorted[next]!;
      const likelihood = this.#table.likelihoodOf(predicate);
      let at = next;
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

  /**
   * Adds branches to the node as long as one pays. When none does, the next try is made at twice the number of
   * conjunctions.
   */
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
        const placeCount = this.#placesOf(conjunction) - 1;
        for (const predicate of predicates) {
          const set = this.#dividing(predicate, placeCount);
          const by = set === null ? predicate : set.attribute;
          const gain = (1 - this.#table.likelihoodOf(predicate)) / (set === null ? 1 : set.keys.length);
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

  /** Moves the conjunctions on the node's pages below its branches, where they have a predicate with one. */
  #takeBelow(node: Node): void {
    const pages = node.pages.splice(0);
    node.count = 0;
    for (const page of pages) {
      page.forEach((conjunction, predicates) => {
        this.#unplaced(conjunction, page);
        if (!this.#descend(node, conjunction, predicates))
          this.#placed(conjunction, node.add(conjunction, predicates, this.#table));
      });
    }
  }
}

function onlyNode(branch: KeyBranch, keys: readonly number[]): Node | undefined {
  return keys.length === 1 ? branch.nodeOf(keys[0]!) : undefined;
}

/** For short lists this is faster than `splice`. */
function removeAt(numbers: number[], at: number): void {
  for (let next = at + 1; next < numbers.length; next++) numbers[next - 1] = numbers[next]!;
  numbers.pop();
}
