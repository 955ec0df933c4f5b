/** Texts of controls that close something. */
const TEXTS: ReadonlySet<string> = new Set([
  '×',
  'x',
  '✕',
  '✖',
  '✗',
  '✘',
  '⨉',
  '⨯',
  '❌',
  '╳',
  '[x]',
  '(x)',
  'close',
  'close ad',
  'dismiss',
  'skip',
  'skip ad',
  'schließen',
  'fermer',
  'cerrar',
  'chiudi',
]);

/** Words in ids, classes and labels of such controls. */
const WORDS: ReadonlySet<string> = new Set(['close', 'closebtn', 'closebutton', 'btnclose', 'dismiss', 'closer']);
/** Words after which `close` means something else: `close-up`. */
const NOT_AFTER_CLOSE: ReadonlySet<string> = new Set(['up', 'ups', 'out', 'to', 'by']);

/** The longest id, class or label that is looked at. */
const MAX_NAME = 200;

/** Whether an id, a class or a label is that of a close control. */
export function namesCloseControl(name: string | undefined): boolean {
  if (name === undefined) return false;
  const words = name
    .slice(0, MAX_NAME)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word, index) => WORDS.has(word) && !NOT_AFTER_CLOSE.has(words[index + 1] ?? ''));
}

/** Whether a text is that of a close control. */
export function readsAsCloseControl(text: string): boolean {
  return TEXTS.has(text.trim().toLowerCase());
}

/** What opens a landing page, in code. */
const OPENS = ['window.open', 'clicktag', 'mraid.open', 'enabler.exit', 'location.href', 'top.location', 'location='];
/** What code of a real close control does. */
const CLOSES = ['display', 'visibility', '.remove(', 'removechild', 'hidden', 'mraid.close', 'classlist', 'opacity'];

/** Whether code opens a page and closes nothing. */
export function opensInsteadOfClosing(code: string): boolean {
  const lower = code.toLowerCase();
  return OPENS.some((one) => lower.includes(one)) && !CLOSES.some((one) => lower.includes(one));
}

/** Whether code keeps a click from reaching the link around it. */
export function keepsClickToItself(code: string): boolean {
  return code.includes('preventDefault') || code.includes('stopPropagation') || code.includes('return false');
}
