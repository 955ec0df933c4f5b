import { DOMParser, type Element } from '@xmldom/xmldom';

/** What a player calls, runs or tells others to call. */
const TRACKERS = new Set([
  'Impression',
  'Error',
  'Tracking',
  'ClickTracking',
  'CustomClick',
  'NonLinearClickTracking',
  'CompanionClickTracking',
  'IconClickTracking',
  'IconViewTracking',
  'Viewable',
  'NotViewable',
  'ViewUndetermined',
  'JavaScriptResource',
  'ExecutableResource',
]);

/** Every tracker of a VAST document as another parser sees it: `start https://…`, sorted, each once. */
export function trackersIn(vast: string): string[] {
  const document = new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') throw new Error(message);
    },
  }).parseFromString(vast.replace(/^\ufeff/, '').trimStart(), 'text/xml');
  const found = new Set<string>();
  const visit = (element: Element) => {
    const name = element.localName ?? element.nodeName;
    const url = (element.textContent ?? '').trim();
    if (TRACKERS.has(name) && url !== '') {
      found.add(`${name === 'Tracking' ? (element.getAttribute('event') ?? '') : name} ${url}`);
    }
    for (const child of [...element.childNodes]) if (child.nodeType === 1) visit(child as Element);
  };
  visit(document.documentElement!);
  return [...found].sort();
}
