import { attributeText } from '#exchange/creative/html-text';
import type { CreativePreview } from './preview.ts';

type PreviewFile = CreativePreview['files'][number];

const STYLE = `<style>
html,body{margin:0;height:100%;font:14px/1.4 system-ui,sans-serif;color:#1f2328;background:#fff}
body{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:8px}
img,video{display:block;max-width:100%;max-height:100%;object-fit:contain}
audio{width:calc(100% - 16px)}
article{box-sizing:border-box;width:100%;max-width:360px;padding:12px}
article header{display:flex;gap:8px;align-items:center;margin-bottom:8px;font-size:12px;color:#59636e}
article header img{width:32px;height:32px;border-radius:6px}
article>img{width:100%;height:auto}
article h1{margin:8px 0 4px;font-size:16px;overflow-wrap:anywhere}
article p{margin:0 0 8px;overflow-wrap:anywhere}
article b{display:inline-block;padding:4px 12px;border-radius:6px;background:#0b6b5f;color:#fff;font-weight:600}
</style>`;

/**
 * Builds a document that shows a creative, for a sandboxed frame. The document calls no tracker, except by a buyer's
 * own markup, in which trackers cannot be told from the ad. All other text of the creative stays text.
 */
export function previewDocument(
  preview: CreativePreview,
  unready = 'What it is made of has not been fetched yet.',
): string {
  const { format, html } = preview;
  if (html !== null) return html;
  const title = `Preview of ${preview.creative_id}`;
  const body = preview.ready ? contentHtml(preview) : `<p>${attributeText(unready)}</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${attributeText(title)}</title>${STYLE}</head><body data-format="${format}">${body}</body></html>`;
}

function contentHtml({ format, files, companion, native }: CreativePreview): string {
  if (native !== null) return card(native);
  switch (format) {
    case 'video':
      return `<video controls playsinline preload="metadata">${files.map(source).join('')}</video>`;
    case 'audio': {
      const beside = companion === null ? '' : image(companion, 'The banner beside it');
      return `${beside}<audio controls preload="metadata">${files.map(source).join('')}</audio>`;
    }
    default:
      return files.map((file) => image(file, 'The ad')).join('');
  }
}

function source({ url, mime_type: type }: PreviewFile): string {
  return `<source src="${attributeText(url)}" type="${attributeText(type)}">`;
}

function image({ url, width, height }: PreviewFile, alt: string): string {
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  return `<img src="${attributeText(url)}"${size} alt="${alt}">`;
}

function card({ title, body, cta, sponsored, image: main, icon }: NonNullable<CreativePreview['native']>): string {
  const label = `<header>${icon === null ? '' : image(icon, '')}<span>${attributeText(sponsored ?? 'Sponsored')}</span></header>`;
  const picture = main === null ? '' : image(main, '');
  const words = body === null ? '' : `<p>${attributeText(body)}</p>`;
  const call = cta === null ? '' : `<b>${attributeText(cta)}</b>`;
  return `<article>${label}${picture}<h1>${attributeText(title)}</h1>${words}${call}</article>`;
}
