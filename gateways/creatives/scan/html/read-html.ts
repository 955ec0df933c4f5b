import { html, type Token, Tokenizer, TokenizerMode } from 'parse5';
import { keepsClickToItself, namesCloseControl, opensInsteadOfClosing, readsAsCloseControl } from './close-control.ts';
import { isGesture } from './gestures.ts';
import { miningSign } from './miners.ts';
import { readScript, type ScriptReading } from './read-script.ts';

export type ResourceKind = 'script' | 'frame' | 'image' | 'media' | 'style';

/** Something that markup loads. */
export interface HtmlResource {
  readonly url: string;
  readonly kind: ResourceKind;
  /** Whether it is an image that nobody is to see: it counts views. */
  readonly isPixel: boolean;
  /** Where the address stands in the markup; null where it stands in markup within the markup. */
  readonly span: { readonly start: number; readonly end: number } | null;
}

/** Something that markup does and that no ad may; or that what it does cannot be told. */
export interface HtmlSign {
  readonly code: 'mining-script' | 'forced-redirect' | 'fake-close-button' | 'unreadable-markup';
  /** What was found, as the end of a sentence. */
  readonly what: string;
}

export interface HtmlReading {
  readonly resources: readonly HtmlResource[];
  /** Where clicks lead. */
  readonly links: readonly string[];
  readonly signs: readonly HtmlSign[];
}

/** Markup within markup, in frames and in scripts, is read to this depth. */
const MAX_DEPTH = 3;
/** Different scripts of one text, each of which costs its parser some 0.2 ms; ads have some ten. */
const MOST_SCRIPTS = 200;
const MOST_RESOURCES = 200;
const MOST_LINKS = 50;
const MOST_SIGNS = 20;
/** Open elements that are remembered; further ones are read without their surroundings. */
const MAX_OPEN = 256;
const MAX_TEXT = 40;

/** Reads markup as a browser's tokeniser does, and what its scripts say, without running anything. */
export function readHtml(markup: string): HtmlReading {
  const found = new Found();
  found.readMarkup(markup, 0);
  return found.reading();
}

/** Reads a script that markup loads. */
export function readLoadedScript(code: string): HtmlReading {
  const found = new Found();
  found.readCode(code, 0);
  return found.reading();
}

interface Candidate {
  readonly what: string;
  readonly names: readonly string[];
}

class Found {
  readonly #resources = new Map<string, HtmlResource>();
  readonly #links = new Set<string>();
  readonly #signs: HtmlSign[] = [];
  readonly #closes: Candidate[] = [];
  readonly #guarded = new Set<string>();
  readonly #scripts = new Set<string>();
  #tooManyScripts = false;

  reading(): HtmlReading {
    for (const { what, names } of this.#closes) {
      if (!names.some((name) => this.#guarded.has(name))) this.sign('fake-close-button', what);
    }
    if (this.#tooManyScripts) {
      const what = `it has more than ${MOST_SCRIPTS} scripts, of which the first ${MOST_SCRIPTS} were read`;
      this.#signs.push({ code: 'unreadable-markup', what });
    }
    return { resources: [...this.#resources.values()], links: [...this.#links], signs: this.#signs };
  }

  readMarkup(markup: string, depth: number): void {
    if (depth > MAX_DEPTH) return;
    const reader = new TagReader(markup, depth, this);
    const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reader);
    reader.tokenizer = tokenizer;
    tokenizer.write(markup, true);
  }

  readCode(code: string, depth: number): void {
    // How deep it stands decides how far the markup that it writes is read.
    const known = `${depth} ${code}`;
    if (this.#scripts.has(known)) return;
    if (this.#scripts.size === MOST_SCRIPTS) {
      this.#tooManyScripts = true;
      return;
    }
    this.#scripts.add(known);
    const script = readScript(code);
    this.#takeScript(script);
    for (const markup of script.markup) this.readMarkup(markup, depth + 1);
  }

  #takeScript({ mining, redirects, scripts, fakeCloses, guarded }: ScriptReading): void {
    if (mining !== null) this.sign('mining-script', `a script mines coins (${mining})`);
    for (const one of redirects) this.sign('forced-redirect', `a script leads the page elsewhere unasked: ${one}`);
    for (const url of scripts) this.resource({ url, kind: 'script', isPixel: false, span: null });
    for (const one of fakeCloses) this.sign('fake-close-button', `the handler of "${one}" opens a page`);
    for (const one of guarded) this.#guarded.add(one.replace(/^[#.]/, ''));
  }

  resource(resource: HtmlResource): void {
    const { url } = resource;
    if (url === '' || /^(?:data|blob|about|javascript):/i.test(url)) return;
    const sign = miningSign(url);
    if (sign !== null) this.sign('mining-script', `it loads a script that mines coins (${sign})`);
    if (this.#resources.size < MOST_RESOURCES && !this.#resources.has(url)) this.#resources.set(url, resource);
  }

  link(url: string): void {
    if (this.#links.size < MOST_LINKS) this.#links.add(url);
  }

  close(candidate: Candidate): void {
    if (this.#closes.length < MOST_SIGNS) this.#closes.push(candidate);
  }

  sign(code: HtmlSign['code'], what: string): void {
    if (this.#signs.length >= MOST_SIGNS || this.#signs.some((one) => one.code === code && one.what === what)) return;
    this.#signs.push({ code, what });
  }
}

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The link that it is in, or is. */
  readonly link: string | null;
  text: string;
}

const { TAG_NAMES: TAG } = html;
const RAW: ReadonlySet<string> = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes']);
const VOID: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);
const SCRIPT_TYPES = /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;

class TagReader {
  tokenizer: Tokenizer | null = null;
  readonly #markup: string;
  readonly #depth: number;
  readonly #found: Found;
  readonly #open: OpenElement[] = [];
  #raw: { readonly name: string; readonly isCode: boolean; text: string } | null = null;

  constructor(markup: string, depth: number, found: Found) {
    this.#markup = markup;
    this.#depth = depth;
    this.#found = found;
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName: name } = token;
    const attributes = new Map(token.attrs.map((one) => [one.name, one.value]));
    const of = (attribute: string) => attributes.get(attribute)?.trim() ?? '';
    this.#load(token, of);
    this.#events(attributes);
    const enclosing = this.#open.at(-1)?.link ?? null;
    const link = (name === 'a' || name === 'area') && attributes.has('href') ? of('href') : enclosing;
    if (link !== null && link !== enclosing && leadsOut(link)) this.#found.link(link);
    if (name === 'meta' && of('http-equiv').toLowerCase() === 'refresh' && /url/i.test(of('content'))) {
      this.#found.sign('forced-redirect', `it refreshes itself into another page: ${of('content').slice(0, 120)}`);
    }
    const element: OpenElement = { name, attributes, link, text: '' };
    if (VOID.has(name)) this.#judge(element);
    else if (name === TAG.SCRIPT || RAW.has(name)) this.#beginRaw(name, of);
    else if (name === TAG.TEXTAREA || name === TAG.TITLE) this.#mode(TokenizerMode.RCDATA);
    else if (this.#open.length < MAX_OPEN) this.#open.push(element);
  }

  onEndTag({ tagName: name }: Token.TagToken): void {
    if (this.#raw !== null) {
      this.#endRaw();
      return;
    }
    const at = this.#open.findLastIndex((one) => one.name === name);
    if (at === -1) return;
    for (const element of this.#open.splice(at).reverse()) this.#judge(element);
  }

  onEof(): void {
    this.#endRaw();
    for (const element of this.#open.splice(0).reverse()) this.#judge(element);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.#raw !== null) {
      this.#raw.text += chars;
      return;
    }
    const element = this.#open.at(-1);
    if (element !== undefined && element.text.length < MAX_TEXT) element.text += chars.slice(0, MAX_TEXT);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onComment(): void {}

  onDoctype(): void {}

  #mode(mode: number): void {
    if (this.tokenizer !== null) this.tokenizer.state = mode as Tokenizer['state'];
  }

  #beginRaw(name: string, of: (attribute: string) => string): void {
    this.#mode(name === TAG.SCRIPT ? TokenizerMode.SCRIPT_DATA : TokenizerMode.RAWTEXT);
    this.#raw = { name, isCode: name === TAG.SCRIPT && SCRIPT_TYPES.test(of('type')), text: '' };
  }

  #endRaw(): void {
    const raw = this.#raw;
    this.#raw = null;
    if (raw === null) return;
    if (raw.isCode && raw.text.trim() !== '') this.#found.readCode(raw.text, this.#depth);
    if (raw.name === TAG.STYLE) this.#styles(raw.text);
  }

  /** What the element loads. */
  #load(token: Token.TagToken, of: (attribute: string) => string): void {
    const load = (kind: ResourceKind, attribute: string, isPixel = false) => {
      const url = of(attribute);
      if (url === '') return;
      const span = this.#depth === 0 ? this.#spanOf(token, attribute) : null;
      this.#found.resource({ url, kind, isPixel, span });
    };
    switch (token.tagName) {
      case 'script':
        load('script', 'src');
        break;
      case 'iframe':
      case 'frame':
      case 'embed':
        if (/^javascript:/i.test(of('src'))) this.#found.readCode(of('src').slice('javascript:'.length), this.#depth);
        else load('frame', 'src');
        if (of('srcdoc') !== '') this.#found.readMarkup(of('srcdoc'), this.#depth + 1);
        break;
      case 'object':
        load('frame', 'data');
        break;
      case 'img':
        load('image', 'src', isPixel(of));
        break;
      case 'input':
        if (of('type').toLowerCase() === 'image') load('image', 'src');
        break;
      case 'image':
        load('image', 'href');
        break;
      case 'link':
        if (/\bstylesheet\b/i.test(of('rel'))) load('style', 'href');
        break;
      case 'video':
      case 'audio':
        load('media', 'src');
        load('image', 'poster');
        break;
      case 'source':
        load('media', 'src');
        break;
    }
    if (of('style') !== '') this.#styles(of('style'));
  }

  /** The images and sheets that a style names. */
  #styles(css: string): void {
    for (const [, url = ''] of css.matchAll(/url\(\s{0,4}["']?([^"')\s]+)/gi)) {
      this.#found.resource({ url, kind: 'image', isPixel: false, span: null });
    }
  }

  /** Code in attributes. What only a gesture runs may lead elsewhere. */
  #events(attributes: ReadonlyMap<string, string>): void {
    for (const [name, code] of attributes) {
      if (/^on[a-z]+$/.test(name) && !isGesture(name.slice(2))) this.#found.readCode(code, this.#depth);
    }
  }

  /** Where the value of an attribute stands in the markup. */
  #spanOf(token: Token.TagToken, attribute: string): HtmlResource['span'] {
    const place = token.location?.attrs?.[attribute];
    if (place === undefined) return null;
    const written = this.#markup.slice(place.startOffset, place.endOffset);
    const [, before = '', value = ''] = /^([^=]*=\s{0,20}["']?)([^"'\s]*)/.exec(written) ?? [];
    if (value === '' || !/^["']?$/.test(written.slice(before.length + value.length))) return null;
    const start = place.startOffset + before.length;
    return { start, end: start + value.length };
  }

  /** Whether what looks like a close control leads to the landing page. */
  #judge({ name, attributes, link, text }: OpenElement): void {
    const named = [...['id', 'class', 'aria-label', 'title', 'alt'].map((one) => attributes.get(one))];
    if (!named.some(namesCloseControl) && !readsAsCloseControl(text)) return;
    const code = attributes.get('onclick') ?? '';
    const opens = code !== '' && opensInsteadOfClosing(code);
    const isLink = link !== null && leadsOut(link) && !keepsClickToItself(code);
    if (!opens && !isLink) return;
    const { id = '', class: classes = '' } = Object.fromEntries(attributes);
    const shown = readsAsCloseControl(text) ? `"${text.trim()}"` : `<${name}> that is named as one`;
    this.#found.close({
      what: `what looks like a close control (${shown}) leads to the landing page`,
      names: [id, ...classes.split(/\s+/)].filter((one) => one !== ''),
    });
  }
}

/** Whether a link leads to a page: its address, a macro that becomes one, or code that opens one. */
function leadsOut(href: string): boolean {
  if (/^javascript:/i.test(href)) return opensInsteadOfClosing(href);
  return /^(?:https?:)?\/\//i.test(href) || /\$\{|%%|\{\{|\[[A-Z_]+\]|clicktag/i.test(href);
}

function isPixel(of: (attribute: string) => string): boolean {
  const tiny = (size: string) => /^[0-2](?:px)?$/.test(size);
  if (tiny(of('width')) || tiny(of('height'))) return true;
  const style = of('style').toLowerCase().replace(/\s+/g, '');
  return /display:none|visibility:hidden|(?:^|;)(?:width|height):[0-2]px/.test(style);
}
