import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** An element that may be dragged, with the ids of the publishers that go with it. */
export function useDraggable<E extends HTMLElement>(publisherIds: readonly string[]): RefObject<E | null> {
  const element = useRef<E>(null);
  const ids = publisherIds.join();
  useEffect(() => {
    if (element.current === null) return undefined;
    return draggable({ element: element.current, getInitialData: () => ({ publisherIds: ids.split(',') }) });
  }, [ids]);
  return element;
}

/** An element that publishers may be dropped on; whether something that may be dropped is over it. */
export function useDropTarget<E extends HTMLElement>(onDrop: (publisherIds: readonly string[]) => void) {
  const element = useRef<E>(null);
  const [over, setOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    if (element.current === null) return undefined;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => Array.isArray(source.data.publisherIds),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        latest.current(source.data.publisherIds as readonly string[]);
      },
    });
  }, []);
  return { element, over };
}
