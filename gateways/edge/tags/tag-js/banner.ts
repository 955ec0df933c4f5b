/**
 * An ad may run its scripts, open what was clicked and replace the page when the viewer clicks. It reaches neither the
 * page nor the page's cookies and storage: without `allow-same-origin` its origin is its own (SafeFrame's isolation, by
 * the browser).
 */
const SANDBOX =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** Resolves with the frame when its document has loaded. */
export function renderBanner(
  slot: HTMLElement,
  html: string,
  { w, h }: { readonly w: number; readonly h: number },
): Promise<HTMLElement> {
  const frame = document.createElement('iframe');
  frame.title = 'Advertisement';
  frame.width = String(w);
  frame.height = String(h);
  frame.scrolling = 'no';
  frame.style.cssText = 'border:0;display:block';
  frame.setAttribute('sandbox', SANDBOX);
  frame.srcdoc = html;
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(frame), { once: true });
    slot.replaceChildren(frame);
  });
}
