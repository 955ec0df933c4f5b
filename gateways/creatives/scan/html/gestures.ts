/** Events that only a viewer causes. What runs in their handlers may lead to the landing page. */
const GESTURES: ReadonlySet<string> = new Set([
  'click',
  'auxclick',
  'dblclick',
  'keydown',
  'keypress',
  'keyup',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'submit',
  'tap',
  'touchend',
  'touchstart',
]);

export function isGesture(event: string): boolean {
  return GESTURES.has(event.toLowerCase());
}

/** Whether all events of a list as jQuery takes it, `click.ad touchend`, are gestures. */
export function areGestures(events: string): boolean {
  const names = events.trim().split(/\s+/);
  return names.every((name) => isGesture(name.split('.', 1)[0]!));
}
