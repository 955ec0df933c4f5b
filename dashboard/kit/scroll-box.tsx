import { Table } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** A box that a wide table scrolls sideways in. While it does, it is reached with Tab: arrow keys scroll it then. */
export function ScrollBox({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth));
    for (const watched of [element, ...element.querySelectorAll('table')]) watch.observe(watched);
    return () => watch.disconnect();
  }, []);
  return (
    <Table.ScrollContainer ref={box} minWidth={0} type="native" tabIndex={scrolls ? 0 : undefined}>
      {children}
    </Table.ScrollContainer>
  );
}
