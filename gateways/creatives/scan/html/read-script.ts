import { type Node, type Options, parse } from 'acorn';
import { keepsClickToItself, namesCloseControl, opensInsteadOfClosing } from './close-control.ts';
import { areGestures, isGesture } from './gestures.ts';
import { miningSign } from './miners.ts';

/** What a script does, as far as its text says so without being run. */
export interface ScriptReading {
  /** What tells of mining; null where nothing does. */
  readonly mining: string | null;
  /** Statements that lead the page elsewhere and that no gesture of the viewer is needed for, as they stand there. */
  readonly redirects: readonly string[];
  /** Markup that the script writes. */
  readonly markup: readonly string[];
  /** Addresses of scripts that it names. */
  readonly scripts: readonly string[];
  /** Selectors of close controls whose handlers open a page. */
  readonly fakeCloses: readonly string[];
  /** Selectors of elements whose handlers keep a click from the link around them. */
  readonly guarded: readonly string[];
}

/** How much of a statement a finding quotes. */
const QUOTED = 120;
const MOST_OF_EACH = 50;
/** Nodes that are looked at; no script of an ad has more. */
const MOST_NODES = 2_000_000;

interface AnyNode extends Node {
  readonly [key: string]: unknown;
}

/**
 * Reads a script. What runs only in the handler of a gesture may navigate; everything else that can run may not:
 * functions count as run when their names stand anywhere in code that runs. A script that cannot be parsed is judged by
 * its text alone.
 */
export function readScript(code: string): ScriptReading {
  const mining = miningSign(code);
  const tree = parsed(code);
  if (tree === null) {
    const redirects = topNavigations(code);
    return { mining, redirects, markup: [], scripts: [], fakeCloses: [], guarded: [] };
  }
  return { mining, ...new ScriptWalk(code, tree).result() };
}

function parsed(code: string): AnyNode | null {
  const options: Options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true };
  for (const sourceType of ['script', 'module'] as const) {
    try {
      return parse(code, { ...options, sourceType }) as unknown as AnyNode;
    } catch {
      // The other kind of script may be meant; what nests too deeply for the parser is neither.
    }
  }
  return null;
}

/** In text that is no script. */
const TOP_NAVIGATION =
  /\b(?:top|parent)\.location(?:\.href)? {0,4}=(?!=)|\b(?:top|parent)\.location\.(?:replace|assign)\(/g;

function topNavigations(text: string): string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(TOP_NAVIGATION)) {
    if (found.length === MOST_OF_EACH) break;
    found.push(text.slice(index, index + QUOTED));
  }
  return found;
}

/** Names of the global object, which say nothing of where a path leads. */
const GLOBALS: ReadonlySet<string> = new Set(['window', 'self', 'globalThis', 'document', 'frames']);
const OTHER_FRAMES: ReadonlySet<string> = new Set(['top', 'parent']);
/** Where `window.open` with such a target leads a page that is there already. */
const NAVIGATING_TARGETS: ReadonlySet<string> = new Set(['_top', '_parent', '_self']);
const LISTENS: ReadonlySet<string> = new Set(['addEventListener', 'attachEvent', 'on', 'one', 'bind', 'live']);

class ScriptWalk {
  readonly #code: string;
  readonly #tree: AnyNode;
  /** Variables that stand for another frame: `var w = window.top`. */
  readonly #aliases = new Map<string, readonly string[]>();
  /** Variables that stand for an element, by the selector that found it. */
  readonly #elements = new Map<string, string>();
  readonly #functions = new Map<string, AnyNode[]>();
  readonly #mentioned = new Set<string>();
  readonly #entered = new Set<AnyNode>();
  #pending: AnyNode[] = [];
  readonly #redirects: string[] = [];
  readonly #markup: string[] = [];
  readonly #scripts: string[] = [];
  readonly #fakeCloses: string[] = [];
  readonly #guarded: string[] = [];

  constructor(code: string, tree: AnyNode) {
    this.#code = code;
    this.#tree = tree;
  }

  result(): Omit<ScriptReading, 'mining'> {
    this.#survey();
    this.#pending = [this.#tree];
    for (let node = this.#pending.pop(); node !== undefined; node = this.#pending.pop()) this.#visit(node);
    return {
      redirects: this.#redirects,
      markup: this.#markup,
      scripts: this.#scripts,
      fakeCloses: this.#fakeCloses,
      guarded: this.#guarded,
    };
  }

  /** Collects what holds wherever it stands: aliases, elements, functions by their names, texts. */
  #survey(): void {
    const pending = [this.#tree];
    let nodes = 0;
    for (let node = pending.pop(); node !== undefined && nodes < MOST_NODES; node = pending.pop()) {
      nodes += 1;
      const name = functionName(node);
      if (name !== null) {
        const value = functionOf(node)!;
        const others = this.#functions.get(name);
        if (others === undefined) this.#functions.set(name, [value]);
        else others.push(value);
      }
      if (node.type === 'VariableDeclarator') this.#name(node.id as AnyNode, node.init as AnyNode | null);
      if (node.type === 'AssignmentExpression') this.#name(node.left as AnyNode, node.right as AnyNode);
      const text = textOf(node);
      if (text !== null) this.#takeText(text);
      if (isConcatenation(node)) pending.push(...operandsOf(node).filter((one) => textOf(one) === null));
      else pushChildren(node, pending);
    }
  }

  #name(target: AnyNode, value: AnyNode | null): void {
    if (target.type !== 'Identifier' || value === null) return;
    const path = pathOf(value);
    if (path !== null && path.length > 0 && path.every((one) => GLOBALS.has(one) || OTHER_FRAMES.has(one))) {
      this.#aliases.set(target.name as string, path);
    }
    const selector = selectorOf(value, this.#elements);
    if (selector !== null) this.#elements.set(target.name as string, selector);
  }

  #takeText(text: string): void {
    if (text.length < 8) return;
    if (/<(?:script|iframe|img|a|meta)\b/i.test(text)) add(this.#markup, text);
    else if (/^(?:https?:)?\/\/[^\s"'<>]+\.m?js(?:[?#]|$)/i.test(text)) add(this.#scripts, text);
  }

  #visit(node: AnyNode): void {
    if (functionName(node) !== null) {
      // It runs when its name is mentioned, which may be later or may have been already.
      if (this.#mentioned.has(functionName(node)!)) this.#enter(functionOf(node)!);
      if (node.type === 'AssignmentExpression') this.#visitTarget(node.left as AnyNode);
      return;
    }
    switch (node.type) {
      case 'Identifier':
        this.#mention(node.name as string);
        return;
      case 'MemberExpression':
        this.#pending.push(node.object as AnyNode);
        if (node.computed) this.#pending.push(node.property as AnyNode);
        else this.#mention((node.property as AnyNode).name as string);
        return;
      case 'VariableDeclarator':
        if (node.init !== null) this.#pending.push(node.init as AnyNode);
        return;
      case 'AssignmentExpression':
        this.#assignment(node);
        return;
      case 'CallExpression':
        this.#call(node);
        return;
      default:
        pushChildren(node, this.#pending);
    }
  }

  /** What is assigned to is not mentioned by it; what it is a part of is. */
  #visitTarget(target: AnyNode): void {
    if (target.type === 'MemberExpression') this.#pending.push(target.object as AnyNode);
  }

  #assignment(node: AnyNode): void {
    const [left, right] = [node.left as AnyNode, node.right as AnyNode];
    const handled = handlerProperty(left);
    if (handled !== null && isGesture(handled)) {
      this.#handler(selectorOf(left.object as AnyNode, this.#elements), right);
      this.#visitTarget(left);
      return;
    }
    const path = pathOf(left);
    if (path !== null && this.#leadsElsewhere(path, false)) this.#redirect(node);
    this.#visitTarget(left);
    this.#pending.push(right);
  }

  #call(node: AnyNode): void {
    const [callee, args] = [node.callee as AnyNode, node.arguments as AnyNode[]];
    const path = pathOf(callee);
    const called = path?.at(-1) ?? propertyOf(callee);
    if (
      path !== null &&
      (called === 'replace' || called === 'assign') &&
      this.#leadsElsewhere(path.slice(0, -1), true)
    ) {
      this.#redirect(node);
    }
    if (called === 'open' && NAVIGATING_TARGETS.has(literalOf(args[1]) ?? '')) this.#redirect(node);
    const object = callee.type === 'MemberExpression' ? (callee.object as AnyNode) : null;
    const events = literalOf(args[0]);
    const listens = called !== null && LISTENS.has(called) && events !== null;
    const gesture = listens ? areGestures(events.replace(/^on/, '')) : called !== null && isGesture(called);
    if (object !== null && gesture && args.some((one) => isFunction(one) || one.type === 'Identifier')) {
      const selector = selectorOf(object, this.#elements);
      for (const one of args) {
        if (isFunction(one) || one.type === 'Identifier') this.#handler(selector, one);
        else this.#pending.push(one);
      }
      this.#pending.push(object);
      return;
    }
    this.#pending.push(callee, ...args);
  }

  /** The handler of a gesture: it may navigate, unless it pretends to close something. */
  #handler(selector: string | null, handler: AnyNode): void {
    if (selector === null) return;
    const functions = isFunction(handler) ? [handler] : (this.#functions.get(handler.name as string) ?? []);
    for (const { start, end } of functions) {
      const code = this.#code.slice(start, end);
      if (keepsClickToItself(code)) add(this.#guarded, selector);
      if (namesCloseControl(selector) && opensInsteadOfClosing(code)) add(this.#fakeCloses, selector);
    }
  }

  /** Whether an assignment to the path, or a navigation by a call on it, leads a page elsewhere. */
  #leadsElsewhere(path: readonly string[], isCall: boolean): boolean {
    const [first, ...rest] = path;
    const aliased = this.#aliases.get(first!);
    const full = aliased === undefined ? path : [...aliased, ...rest];
    const named = full.filter((one) => !GLOBALS.has(one) && !OTHER_FRAMES.has(one));
    if (named[0] !== 'location') return false;
    return named.length === 1 || (named.length === 2 && named[1] === 'href' && !isCall);
  }

  #redirect({ start, end }: AnyNode): void {
    add(this.#redirects, this.#code.slice(start, Math.min(end, start + QUOTED)));
  }

  #mention(name: string): void {
    if (this.#mentioned.has(name)) return;
    this.#mentioned.add(name);
    for (const one of this.#functions.get(name) ?? []) this.#enter(one);
  }

  #enter(one: AnyNode): void {
    if (this.#entered.has(one)) return;
    this.#entered.add(one);
    this.#pending.push(one.body as AnyNode, ...(one.params as AnyNode[]));
  }
}

function add(texts: string[], text: string): void {
  if (texts.length < MOST_OF_EACH && !texts.includes(text)) texts.push(text);
}

function pushChildren(node: AnyNode, pending: AnyNode[]): void {
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) pending.push(one);
    } else if (isNode(value)) pending.push(value);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function isFunction(node: AnyNode | null | undefined): boolean {
  return node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression';
}

/** The name by which other code can run the function that the node declares or assigns; null for all other nodes. */
function functionName(node: AnyNode): string | null {
  switch (node.type) {
    case 'FunctionDeclaration':
      return (node.id as AnyNode | null) === null ? null : ((node.id as AnyNode).name as string);
    case 'VariableDeclarator':
      return isFunction(node.init as AnyNode | null)
        ? (((node.id as AnyNode).name as string | undefined) ?? null)
        : null;
    case 'AssignmentExpression': {
      if (!isFunction(node.right as AnyNode)) return null;
      const left = node.left as AnyNode;
      if (handlerProperty(left) !== null) return null;
      return left.type === 'Identifier' ? (left.name as string) : propertyOf(left);
    }
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      if (!isFunction(node.value as AnyNode | null)) return null;
      return node.computed ? null : keyOf(node.key as AnyNode);
    default:
      return null;
  }
}

function functionOf(node: AnyNode): AnyNode | null {
  if (node.type === 'FunctionDeclaration') return node;
  return (node.init ?? node.right ?? node.value ?? null) as AnyNode | null;
}

function keyOf(key: AnyNode): string | null {
  if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name as string;
  return literalOf(key);
}

/** `click` for `element.onclick`; null for all that is no handler. */
function handlerProperty(left: AnyNode): string | null {
  const name = propertyOf(left);
  return name !== null && /^on[a-z]+$/.test(name) ? name.slice(2) : null;
}

function propertyOf(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression') return null;
  const property = node.property as AnyNode;
  if (node.computed) return literalOf(property);
  return property.type === 'Identifier' ? (property.name as string) : null;
}

function literalOf(node: AnyNode | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/** The longest path of names that is followed. */
const MAX_PATH = 8;

/** `['window', 'top', 'location']` for `window['top'].location`; null for what is no path of names. */
function pathOf(node: AnyNode): string[] | null {
  const names: string[] = [];
  let at = node;
  while (at.type === 'MemberExpression' && names.length < MAX_PATH) {
    const name = propertyOf(at);
    if (name === null) return null;
    names.push(name);
    at = at.object as AnyNode;
  }
  if (at.type !== 'Identifier') return null;
  names.push(at.name as string);
  return names.reverse();
}

const FINDERS: ReadonlySet<string> = new Set([
  'getElementById',
  'querySelector',
  'querySelectorAll',
  'getElementsByClassName',
  '$',
  'jQuery',
]);

/** The text by which an element is found, or that of the variable that holds it. */
function selectorOf(node: AnyNode, elements: ReadonlyMap<string, string>): string | null {
  let at = node;
  // `document.getElementsByClassName('close')[0]`
  if (at.type === 'MemberExpression' && at.computed) at = at.object as AnyNode;
  if (at.type === 'Identifier') return elements.get(at.name as string) ?? null;
  if (at.type !== 'CallExpression') return null;
  const callee = at.callee as AnyNode;
  const name = callee.type === 'Identifier' ? (callee.name as string) : propertyOf(callee);
  return name !== null && FINDERS.has(name) ? literalOf((at.arguments as AnyNode[])[0]) : null;
}

function isConcatenation(node: AnyNode): boolean {
  return node.type === 'BinaryExpression' && node.operator === '+';
}

/** All operands of a chain of `+`, in order. */
function operandsOf(node: AnyNode): AnyNode[] {
  const operands: AnyNode[] = [];
  let at = node;
  while (isConcatenation(at)) {
    operands.push(at.right as AnyNode);
    at = at.left as AnyNode;
  }
  operands.push(at);
  return operands.reverse();
}

/** The text of a literal, of a template or of a chain of `+`, in which what is not known is left out. */
function textOf(node: AnyNode): string | null {
  if (isConcatenation(node)) {
    const texts = operandsOf(node).map(plainText);
    return texts.some((text) => text !== null) ? texts.map((text) => text ?? '').join('') : null;
  }
  return plainText(node);
}

function plainText(node: AnyNode): string | null {
  if (node.type !== 'TemplateLiteral') return literalOf(node);
  return (node.quasis as { value: { cooked?: string | null } }[]).map(({ value }) => value.cooked ?? '').join('');
}
