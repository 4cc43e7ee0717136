import type { MenuItem } from '#shared/menus';
import { isHttpUrl, isOpenable } from '#shared/text';
import { withBase } from '../../platform/browser/base-path.ts';

/** Removes trailing slashes from a path; the root stays `/`. */
export const withoutTrailingSlash = (path: string): string => path.replace(/\/+$/, '') || '/';

/** Splits a path at its first `?` or `#`. */
const splitPath = (path: string): [path: string, search: string] => {
  const at = path.search(/[?#]/);
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
};

/** Returns the address of one of our own pages, without the parameters of its entry; a path without its first slash counts from the root. */
export const pathOf = (item: MenuItem): string => withoutTrailingSlash(splitPath(item.path.replace(/^(?![/?#]|$)/, '/'))[0]);

/** Returns the parameters a menu entry passes to its page: those after `?` in its path, and its `query`. */
export function parametersOf({ path, query }: MenuItem): URLSearchParams {
  const parameters = new URLSearchParams(splitPath(path)[1].replace(/#.*$/, ''));
  for (const [name, value] of new URLSearchParams(query ?? '')) parameters.set(name, value);
  return parameters;
}

const withoutToken = (path: string): string =>
  path
    .replace(/([?&])[\w.-]+=\$\{token\}(&|(?=#)|$)/gi, (_all, before: string, after: string) => (after === '&' ? before : ''))
    .replaceAll(/\$\{token\}/gi, '');

/** Parses an address as the browser would; `undefined` when it is not valid. */
const urlOf = (address: string): URL | undefined => {
  const { origin } = window.location;
  return URL.canParse(address, origin) ? new URL(address, origin) : undefined;
};

/** True for an address of another origin in any spelling: browsers also read `//host` and `/\\host` that way. */
function isExternal(address: string): boolean {
  const url = urlOf(address);
  return url !== undefined && isHttpUrl(url.protocol) && url.origin !== window.location.origin;
}

/** Cached results: every change of the address checks each entry of the menu, and parsing an address is slow. */
const embeddedEntries = new WeakMap<MenuItem, boolean>();

/** True for a menu entry that shows an external or HTML page instead of one of ours. */
export function isEmbedded(item: MenuItem): boolean {
  const { path } = item;
  const cached = embeddedEntries.get(item);
  if (cached !== undefined) return cached;
  const address = withoutToken(path);
  const result = isExternal(address) || (isOpenable(address) && (isHttpUrl(path) || /\.html?($|[?#])/i.test(path)));
  embeddedEntries.set(item, result);
  return result;
}

/** True for an entry that opens in a new window. BladeX-compatible menus mark pages of the console the same way for another purpose; those stay here. */
export const opensWindow = (item: MenuItem): boolean => item.isOpen === 2 && isEmbedded(item);

/** Returns the address of an external or HTML page. Token placeholders are removed, because a token must never appear in an address. */
export function embeddedAddress(item: MenuItem): string {
  const address = new URL(withBase(withoutToken(item.path)), window.location.origin + withBase('/'));
  for (const [name, value] of new URLSearchParams(item.query ?? '')) address.searchParams.set(name, value);
  return address.href;
}

const searchOf = (item: MenuItem): string => {
  const parameters = parametersOf(item);
  return parameters.size > 0 ? `?${parameters}` : '';
};

/** Returns the address an entry without children leads to: its page, or the frame that embeds it. */
export function addressOf(item: MenuItem): string {
  if (isEmbedded(item)) return opensWindow(item) ? embeddedAddress(item) : `/myiframe/${item.code}`;
  const path = pathOf(item);
  // An address with another scheme, an empty one and one that would leave the origin with `/index` lead to no page of ours and are not opened.
  if (!isOpenable(withoutToken(item.path)) || !isInside(`${path}/index`)) return `/${encodeURIComponent(item.code)}`;
  return `${path}/index${searchOf(item)}`;
}

/** True for an address that stays on this origin, also when it is parsed twice: `/.//host` becomes `//host`. */
function isInside(address: string): boolean {
  const url = urlOf(address);
  return url?.origin === window.location.origin && !url.pathname.startsWith('//');
}

/** Returns the pages of a menu in display order. */
export function leavesOf(items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap((item) => (item.children?.length ? leavesOf(item.children) : item.path ? [item] : []));
}

/** Returns the entries from the top of the menu down to the one with this id. */
export function trailTo(id: string, items: readonly MenuItem[]): MenuItem[] {
  for (const item of items) {
    if (item.id === id) return [item];
    const trail = trailTo(id, item.children ?? []);
    if (trail.length > 0) return [item, ...trail];
  }
  return [];
}
