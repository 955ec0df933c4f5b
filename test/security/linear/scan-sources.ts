import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';

/** What of the sources can take more time than its input is long: patterns, and functions that call themselves. */
export interface Found {
  /** By file below the root, without its ending: `/pattern/flags`, or `new RegExp` where it is put together. */
  readonly patterns: ReadonlyMap<string, ReadonlySet<string>>;
  /** By file: names of functions and methods that come to themselves again, by way of others of the file or at once. */
  readonly recursions: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Of the compiled product, `dist`, whose files are those of the sources. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['exchange', 'edge', 'gateways', 'actors', 'async'];
/**
 * Runs in publishers' pages. Its functions have one-letter names, many of them the same, which tell of no recursion.
 */
const MINIFIED = 'gateways/edge/tags/tag-js/tag';

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Reads every file that is shipped and serves anybody. Imports have no cycles, so that no recursion leaves its file.
 */
export async function scanSources(): Promise<Found> {
  const patterns = new Map<string, Set<string>>();
  const recursions = new Map<string, Set<string>>();
  for (const folder of FOLDERS) {
    const files = await readdir(join(ROOT, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.js')).sort()) {
      const path = join(ROOT, folder, file);
      const name = relative(ROOT, path).replace(/\.js$/, '');
      const scan = new FileScan();
      const program = parse(await readFile(path, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module' });
      scan.visit(program as unknown as Node, null);
      if (scan.patterns.size > 0) patterns.set(name, scan.patterns);
      const own = scan.recursive();
      if (own.size > 0 && name !== MINIFIED) recursions.set(name, own);
    }
  }
  return { patterns, recursions };
}

class FileScan {
  readonly patterns = new Set<string>();
  /** By function: the names that it mentions. */
  readonly #mentions = new Map<string, Set<string>>();
  readonly #within: string[] = [];

  visit(node: Node, parent: Node | null): void {
    if (node.type === 'Literal' && isNode(node.regex, 'pattern')) {
      const { pattern, flags } = node.regex as unknown as { pattern: string; flags: string };
      this.patterns.add(`/${pattern}/${flags}`);
    }
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && nameOf(node.callee) === 'RegExp') {
      this.patterns.add('new RegExp');
    }
    const name = /Function/.test(node.type) ? functionName(node, parent) : null;
    if (name !== null) {
      this.#within.push(name);
      if (!this.#mentions.has(name)) this.#mentions.set(name, new Set());
    }
    const mentioned = mention(node, parent);
    if (mentioned !== null) for (const outer of this.#within) this.#mentions.get(outer)!.add(mentioned);
    for (const field of Object.values(node)) {
      for (const child of Array.isArray(field) ? field : [field]) if (isNode(child)) this.visit(child as Node, node);
    }
    if (name !== null) this.#within.pop();
  }

  recursive(): Set<string> {
    return new Set([...this.#mentions.keys()].filter((name) => this.#reaches(name)));
  }

  #reaches(name: string): boolean {
    const seen = new Set<string>();
    const left = [...this.#mentions.get(name)!];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (next === name) return true;
      const further = this.#mentions.get(next);
      if (further === undefined || seen.has(next)) continue;
      seen.add(next);
      left.push(...further);
    }
    return false;
  }
}

function isNode(value: unknown, field = 'type'): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Node)[field] === 'string';
}

function nameOf(node: unknown): string | null {
  return isNode(node) && (node as Node).type === 'Identifier' ? ((node as Node).name as string) : null;
}

/** The names that a member of a class has: `#own`, `.open`. */
function memberName(key: unknown): string {
  const { type, name } = key as Node;
  return `${type === 'PrivateIdentifier' ? '#' : '.'}${name}`;
}

function functionName(node: Node, parent: Node | null): string | null {
  const own = nameOf(node.id);
  if (own !== null) return own;
  if (parent?.type === 'VariableDeclarator') return nameOf(parent.id);
  if (/^(?:Method|Property)/.test(parent?.type ?? '') && isNode(parent!.key)) return memberName(parent!.key);
  return null;
}

/** The function that a node may be a call of: a name that is read, or a member of `this`. */
function mention(node: Node, parent: Node | null): string | null {
  if (node.type === 'MemberExpression' && (node.object as Node).type === 'ThisExpression') {
    return memberName(node.property);
  }
  if (node.type !== 'Identifier' || parent === null) return null;
  const isDeclared = (/Function/.test(parent.type) || parent.type === 'VariableDeclarator') && parent.id === node;
  const isKey = (parent.type === 'Property' && !parent.shorthand) || /Definition$/.test(parent.type);
  const isMember = parent.type === 'MemberExpression' && parent.property === node && !parent.computed;
  return isDeclared || isMember || (isKey && parent.key === node) ? null : (node.name as string);
}
