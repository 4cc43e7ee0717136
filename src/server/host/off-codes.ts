import { requiredCodes } from '../platform/http/authorize-call.ts';
import type { Route } from '../platform/http/route.ts';
import type { DeclaredMenu } from '../platform/permission/declared-menus.ts';
import type { DisabledReason } from '../platform/switches/switchable-plugins.ts';

/** Returns the codes that do not exist in a tenant because their plugins are disabled: pages and buttons, and codes only required by calls of such plugins. */
export function offCodes(
  declared: readonly DeclaredMenu[],
  routes: readonly Route[],
  offIn: (tenantId: string) => ReadonlyMap<string, DisabledReason>,
): (tenantId: string) => ReadonlySet<string> {
  const owners = new Map(declared.map(({ code, plugin }) => [code, new Set([plugin])]));
  const isDeclared = new Set(owners.keys());
  for (const { call, plugin } of routes)
    for (const code of requiredCodes(call.access)) if (!isDeclared.has(code)) owners.set(code, (owners.get(code) ?? new Set()).add(plugin));
  const cache = new WeakMap<ReadonlyMap<string, DisabledReason>, ReadonlySet<string>>();
  return (tenantId) => {
    const off = offIn(tenantId);
    const cachedCodes = cache.get(off) ?? new Set([...owners].filter(([, plugins]) => [...plugins].every((plugin) => off.has(plugin))).map(([code]) => code));
    cache.set(off, cachedCodes);
    return cachedCodes;
  };
}
