/** Path under which this console is served, as its page says: `/marquee`, or '' at the root of its host and outside of browsers. */
export const basePath = globalThis.document?.documentElement.dataset.base ?? '';

/** Returns the path on the host for a path of the console, such as `/login`; any other address is returned unchanged. */
export const withBase = (path: string): string => path.replace(/^(?=\/(?![/\\]))/, basePath);

/** Returns the path of the console for a path on the host. */
export const withoutBase = (path: string): string => (path.startsWith(basePath) ? path.slice(basePath.length) : path) || '/';

/** Returns the path of the console that the window shows. */
export const currentPath = (): string => withoutBase(location.pathname);
