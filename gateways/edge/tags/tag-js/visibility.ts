/**
 * Share of an ad's pixels that must be in view for a second without a break, in a visible page (MRC, Viewable Ad
 * Impression Measurement Guidelines 2.0); three tenths for a large ad.
 */
const SHARE = 0.5;
const SHARE_OF_LARGE = 0.3;
const LARGE_PIXELS = 242_500;
const VIEWABLE_MS = 1_000;

/** Distance from the viewport at which an ad is requested, so that it is there in time. */
const NEAR = '200px';

export function shareToBeViewable(element: Element): number {
  const { width, height } = element.getBoundingClientRect();
  return width * height >= LARGE_PIXELS ? SHARE_OF_LARGE : SHARE;
}

export function whenNear(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
  });
}

/** Resolves when as much of the element is in view as makes an ad there viewable. */
export function whenInView(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const stop = watch(element, shareToBeViewable(element), (inView) => {
      if (!inView) return;
      stop();
      resolve();
    });
  });
}

export function whenViewable(element: Element, share: number): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = watch(element, share, (inView) => {
      clearTimeout(timer);
      if (!inView) return;
      timer = setTimeout(() => {
        stop();
        resolve();
      }, VIEWABLE_MS);
    });
  });
}

/** Reports, from now on and at every change, whether that share of an element is in view of a visible page. */
function watch(element: Element, share: number, changed: (inView: boolean) => void): () => void {
  let inViewport = false;
  let last: boolean | undefined;
  const tell = (): void => {
    const inView = inViewport && document.visibilityState === 'visible';
    if (inView === last) return;
    last = inView;
    changed(inView);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, intersectionRatio } of entries) {
        // The values of the latest entry. An element without a size is in view as a whole, or not at all.
        inViewport = isIntersecting && intersectionRatio >= share;
      }
      tell();
    },
    { threshold: [share] },
  );
  observer.observe(element);
  document.addEventListener('visibilitychange', tell);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', tell);
  };
}
