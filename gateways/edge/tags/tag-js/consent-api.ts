/** The IAB's interfaces of consent platforms, TCF 2, GPP 1.1 and US Privacy 1, with the version that a call names. */
const VERSIONS = { __tcfapi: 2, __gpp: '1.1', __uspapi: 1 } as const;

type ApiName = keyof typeof VERSIONS;

/** How many windows above the tag's own are searched. */
const MAX_PARENTS = 10;

/** An answer comes from a script or a window that is not ours: any part of it may be absent. */
export type Answered<Data> = Partial<Data> & { readonly listenerId?: number };

type Told<Data> = (data: Answered<Data> | null | undefined, success: boolean) => void;

/** Sends a command to an interface; answers the function that ends listening to its answers. */
export type ConsentApi<Data> = (command: string, told: Told<Data>, parameter?: unknown) => () => void;

/**
 * The interface of this window, or of the nearest window above it that has one: ad servers put tags into frames, and
 * the consent platform is in the page around them. Its function is called where the browser admits it, and otherwise
 * the window that has the locator frame is called by messages. Undefined where there is none.
 */
export function consentApi<Data>(name: ApiName): ConsentApi<Data> | undefined {
  let at: Window = window;
  for (let parents = 0; parents <= MAX_PARENTS; parents++) {
    const found = hasFunction(at, name)
      ? byFunction<Data>(at, name)
      : hasLocator(at, name)
        ? byMessages<Data>(at, name)
        : undefined;
    if (found !== undefined || at === at.parent) return found;
    at = at.parent;
  }
  return undefined;
}

type Functions = Readonly<Record<string, unknown>>;

function hasFunction(at: Window, name: ApiName): boolean {
  try {
    return typeof (at as unknown as Functions)[name] === 'function';
  } catch {
    // Nothing can be read of a window of another origin.
    return false;
  }
}

/** Frames can be seen by their names in a window of another origin too, as long as they are of its own. */
function hasLocator(at: Window, name: ApiName): boolean {
  try {
    return Boolean((at.frames as unknown as Functions)[`${name}Locator`]);
  } catch {
    return false;
  }
}

function byFunction<Data>(at: Window, name: ApiName): ConsentApi<Data> {
  const api = at as unknown as Record<ApiName, (...sent: unknown[]) => void>;
  return (command, told, parameter) => {
    if (name === '__gpp') api[name](command, told, parameter, VERSIONS[name]);
    else api[name](command, VERSIONS[name], told, parameter);
    return () => undefined;
  };
}

interface Return<Data> {
  readonly callId?: unknown;
  readonly returnValue?: Answered<Data> | null;
  readonly success?: boolean;
}

/** As TCF 2, GPP 1.1 and US Privacy 1 define it for frames. */
function byMessages<Data>(at: Window, name: ApiName): ConsentApi<Data> {
  return (command, told, parameter) => {
    const callId = `${Math.random()}`;
    const hear = ({ source, data }: MessageEvent): void => {
      const returned = source === at ? returnIn<Data>(data, name) : undefined;
      if (returned?.callId === callId) told(returned.returnValue, returned.success === true);
    };
    window.addEventListener('message', hear);
    at.postMessage({ [`${name}Call`]: { command, parameter, version: VERSIONS[name], callId } }, '*');
    return () => window.removeEventListener('message', hear);
  };
}

/** Undefined where a message is none of this interface. Some platforms send JSON. */
function returnIn<Data>(message: unknown, name: ApiName): Return<Data> | undefined {
  try {
    return (typeof message === 'string' ? JSON.parse(message) : message)?.[`${name}Return`];
  } catch {
    return undefined;
  }
}
