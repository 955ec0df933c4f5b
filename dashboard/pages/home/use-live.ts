import { useEffect, useRef, useState } from 'react';

/** What comes every five seconds (specification, "WebSocket"). */
export interface LiveFigures {
  readonly timestamp: string;
  /** Auctions a second, over the last minute. */
  readonly rps: number;
  /** 0 to 1, over the last minute. */
  readonly fill_rate_1m: number;
  /** Whole cents, over the last minute. */
  readonly revenue_cents_1m: number;
}

export interface Live {
  readonly figures: LiveFigures | null;
  /** The last minutes' figures, oldest first. */
  readonly history: readonly LiveFigures[];
  readonly state: 'connecting' | 'live' | 'stale';
}

/** A message comes every five seconds; after two that did not come the figures are old. */
const STALE_AFTER_MS = 12_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** Ten minutes. */
const KEPT = 120;

/**
 * The live figures of the account: connects again when the connection is lost, later each time, and says when what it
 * knows is old.
 */
export function useLive(sandbox: boolean, enabled: boolean): Live {
  const [live, setLive] = useState<Live>({ figures: null, history: [], state: 'connecting' });
  const retryMs = useRef(FIRST_RETRY_MS);

  useEffect(() => {
    if (!enabled) return undefined;
    let socket: WebSocket | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    setLive({ figures: null, history: [], state: 'connecting' });

    /** What comes over this connection from now on is not heard; another is made. */
    const lose = (lost: WebSocket) => {
      lost.onclose = null;
      lost.onmessage = null;
      lost.close();
      clearTimeout(silence);
      setLive((before) => ({ ...before, state: 'stale' }));
      retry = setTimeout(connect, retryMs.current);
      retryMs.current = Math.min(LAST_RETRY_MS, retryMs.current * 2);
    };
    /** A peer that is gone without a word leaves a connection that is never closed. */
    const listen = (to: WebSocket) => {
      clearTimeout(silence);
      silence = setTimeout(() => lose(to), STALE_AFTER_MS);
    };
    const connect = () => {
      const url = new URL('/ws/metrics', window.location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      if (sandbox) url.searchParams.set('sandbox', 'true');
      const made = new WebSocket(url);
      socket = made;
      listen(made);
      made.onmessage = ({ data }) => {
        const figures = JSON.parse(data) as LiveFigures & { readonly type: string };
        if (figures.type !== 'metrics_update') return;
        retryMs.current = FIRST_RETRY_MS;
        listen(made);
        setLive(({ history }) => ({ figures, history: [...history.slice(1 - KEPT), figures], state: 'live' }));
      };
      made.onclose = () => lose(made);
    };
    connect();
    return () => {
      clearTimeout(retry);
      clearTimeout(silence);
      if (socket === null) return;
      socket.onclose = null;
      socket.close();
    };
  }, [sandbox, enabled]);

  return live;
}
