import { useEffect } from 'react';

/** Names the page in the title of the window, for tabs, history and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Ad exchange`;
  }, [title]);
}
