import MarkdownIt from 'markdown-it';
import { escapeHtml } from './escape.mjs';

/** Plain text of an inline token. */
function textOf(token) {
  return (token.children ?? [])
    .map(({ type, content }) =>
      type === 'softbreak' || type === 'hardbreak' ? ' ' : /^(text|code_inline)$/.test(type) ? content : '',
    )
    .join('');
}

/** As GitHub makes them of headings, so that one link holds there and here. */
function anchorMaker() {
  const seen = new Map();
  return (words) => {
    const anchor = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

/** Gives each heading its anchor, and lists the headings. */
function nameHeadings(tokens) {
  const anchorOf = anchorMaker();
  const headings = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = textOf(tokens[index + 1]);
    const anchor = anchorOf(text);
    token.attrSet('id', anchor);
    // The element ends two tokens later, with a link to itself.
    tokens[index + 2].meta = { text, anchor };
    headings.push({ level: Number(token.tag.slice(1)), text, anchor, index });
  }
  return headings;
}

/** What search reads of a page: for each heading the text below it, as far as the next. */
function sectionsOf(tokens, headings) {
  return headings.map(({ text, anchor, level, index }, position) => {
    const below = tokens.slice(index + 3, headings[position + 1]?.index ?? tokens.length);
    const parts = below.flatMap((token) =>
      token.type === 'inline'
        ? [textOf(token)]
        : token.type === 'fence' && token.info !== 'mermaid'
          ? [token.content]
          : [],
    );
    return { title: text, anchor, level, text: parts.join(' ').replace(/\s+/g, ' ') };
  });
}

/** Links that lead to files which are no pages become their text, with the file as a hint. */
function resolveLinks(children, resolve) {
  const kept = [];
  for (const token of children) {
    if (token.type === 'link_open') {
      const target = token.attrGet('href');
      const there = resolve(target);
      kept.push(there);
      if (there === null) {
        token.tag = 'span';
        token.attrs = [
          ['class', 'of-repository'],
          ['title', `In the repository: ${target}`],
        ];
      } else token.attrSet('href', there);
    } else if (token.type === 'link_close' && kept.pop() === null) token.tag = 'span';
    else if (token.type === 'image') token.attrSet('src', resolve(token.attrGet('src')) ?? token.attrGet('src'));
  }
}

/** Alignment as a class: the site's policy allows no style attributes. */
function classesForStyles(token) {
  const style = token.attrGet('style');
  if (style === null) return;
  const [, alignment] = /^text-align:\s*(\w+)$/.exec(style) ?? [];
  token.attrs = token.attrs.filter(([name]) => name !== 'style');
  if (alignment !== undefined) token.attrJoin('class', `align-${alignment}`);
}

/**
 * Makes pages of Markdown. `resolve(from, target)` says where a link leads on the site, null: nowhere. A rendered page
 * has its title (the first heading), its HTML, its headings, and its sections as text.
 */
export function createMarkdown({ resolve }) {
  const markdown = new MarkdownIt({ html: true, typographer: false });
  markdown.validateLink = () => true;
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="table" role="region" tabindex="0" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_close = (tokens, index) => {
    const { tag, meta } = tokens[index];
    if (tag === 'h1') return '</h1>\n';
    const label = escapeHtml(`Link to “${meta.text}”`);
    return ` <a class="anchor" href="#${meta.anchor}" aria-label="${label}">#</a></${tag}>\n`;
  };
  rules.html_block = (tokens, index) => (tokens[index].content.startsWith('<!--') ? '' : tokens[index].content);
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index];
    const language = info.trim().split(/\s+/)[0];
    const label =
      language === 'mermaid' ? 'Diagram, as Mermaid source' : language === '' ? 'Code' : `Code: ${language}`;
    const kind = language === '' ? '' : ` data-language="${escapeHtml(language)}"`;
    return `<div class="code"${kind}><pre role="region" tabindex="0" aria-label="${escapeHtml(label)}"><code>${escapeHtml(content)}</code></pre></div>\n`;
  };

  return {
    render(file, text) {
      const tokens = markdown.parse(text, {});
      for (const token of tokens) {
        classesForStyles(token);
        if (token.type === 'inline') resolveLinks(token.children, (target) => resolve(file, target));
      }
      const headings = nameHeadings(tokens);
      const sections = sectionsOf(tokens, headings);
      const title = headings[0]?.text ?? file;
      const outline = headings.filter(({ level }) => level === 2 || level === 3);
      return { title, html: markdown.renderer.render(tokens, markdown.options, {}), outline, sections };
    },
  };
}
