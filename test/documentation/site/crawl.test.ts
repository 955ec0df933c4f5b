import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'parse5';
import { type RunningManagement, startManagement } from '../../gateways/management/running-management.ts';
import { buildSite } from './build-site.ts';

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";

interface Element {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
  readonly content?: Element;
}

interface CrawledPage {
  readonly status: number;
  readonly type: string;
  readonly policy: string | null;
  readonly elements: readonly Element[];
}

const isOfSite = (path: string) => path === '/docs' || (path.startsWith('/docs/') && path !== '/docs/api');

function elementsOf(root: Element): Element[] {
  return [root, ...(root.childNodes ?? []).flatMap(elementsOf)];
}

const attribute = ({ attrs }: Element, name: string) => attrs?.find((one) => one.name === name)?.value;

describe('the site of the documentation, over HTTP', () => {
  let running: RunningManagement;
  const pages = new Map<string, CrawledPage>();
  /** Every reference of every page. */
  const references: { readonly page: string; readonly to: string }[] = [];

  before(async function () {
    buildSite();
    running = await startManagement(this);
    const waiting = ['/docs'];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (pages.has(path)) continue;
      const answer = await fetch(`${running.baseUrl}${path}`, { redirect: 'manual' });
      const type = answer.headers.get('content-type') ?? '';
      const text = await answer.text();
      const isPage = type.startsWith('text/html') && isOfSite(path);
      const elements = isPage ? elementsOf(parse(text) as unknown as Element) : [];
      pages.set(path, { status: answer.status, type, policy: answer.headers.get('content-security-policy'), elements });
      for (const element of elements) {
        for (const name of ['href', 'src', 'data-search']) {
          const to = attribute(element, name);
          if (to === undefined) continue;
          references.push({ page: path, to });
          if (to.startsWith('/')) waiting.push(to.split('#')[0]!);
        }
      }
    }
  });
  after(() => running?.close());

  it('answers every address that a page refers to', () => {
    expect(pages.size).to.be.greaterThan(100);
    // The dashboard is at /: here, to programs, a redirect to this site.
    const failed = [...pages].filter(([path, { status }]) => status !== (path === '/' ? 302 : 200));
    expect(failed.map(([path, { status }]) => `${path}: ${status}`)).to.deep.equal([]);
  });

  it('leads to headings that are there', () => {
    const ids = (path: string) => pages.get(path)!.elements.map((element) => attribute(element, 'id'));
    const anchored = references.flatMap(({ page, to }) => {
      const [path, anchor] = to.split('#');
      return anchor === undefined || /^[a-z]+:/.test(to) ? [] : [{ page, path: path || page, anchor }];
    });
    expect(anchored.length).to.be.greaterThan(500);
    const missing = anchored.filter(
      ({ path, anchor }) => isOfSite(path) && !ids(path).includes(decodeURIComponent(anchor)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('reaches every page that was built', () => {
    const built = readdirSync(join('dist', 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => (name === 'index.html' ? '/docs' : `/docs/${name.slice(0, -'.html'.length)}`));
    expect(built.filter((path) => !pages.has(path))).to.deep.equal([]);
  });

  it('has links to other hosts that are well-formed, and loads nothing from them', () => {
    const outside = references.filter(({ to }) => !/^[/#]/.test(to));
    for (const { page, to } of outside) {
      expect(to, page).to.match(/^(https?:\/\/[\w.-]+(:\d+)?([/?#]|$)|mailto:)/);
      expect(new URL(to).href, page).to.be.a('string');
    }
    for (const [path, { elements }] of pages) {
      for (const element of elements.filter(({ nodeName }) => /^(script|link|img|iframe)$/.test(nodeName))) {
        expect(attribute(element, 'src') ?? attribute(element, 'href'), path).to.match(/^\//);
      }
    }
  });

  it('has one title, one first heading, and nothing that its policy would stop', () => {
    for (const [path, { type, policy, elements }] of pages) {
      if (elements.length === 0) continue;
      expect([type, policy?.startsWith(POLICY)], path).to.deep.equal(['text/html; charset=utf-8', true]);
      expect(elements.filter(({ nodeName }) => nodeName === 'h1').length, path).to.equal(1);
      const names = elements.flatMap(({ attrs }) => (attrs ?? []).map(({ name }) => name));
      expect(names.filter((name) => name === 'style' || name.startsWith('on'))).to.deep.equal([]);
      const inline = elements.filter(
        (element) => /^(script|style)$/.test(element.nodeName) && attribute(element, 'src') === undefined,
      );
      expect(inline.length, path).to.equal(0);
      const ids = elements.map((element) => attribute(element, 'id')).filter((id) => id !== undefined);
      expect(ids.length, `${path}: ids`).to.equal(new Set(ids).size);
    }
  });
});
