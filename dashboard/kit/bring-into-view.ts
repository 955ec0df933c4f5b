/** For `ref`: what has come to be is seen, without more scrolling than is needed. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
