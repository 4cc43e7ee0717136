import { codesAsked } from '../http/admission.ts';
import type { Route } from '../http/route.ts';
import type { DeclaredMenu } from '../permission/declared-menus.ts';
import type { Off } from './switchable-plugins.ts';

/** Codes that are as good as not there in a tenant, for the plugins that declare them are off: pages and buttons, and what only calls of such plugins ask for. */
export function offCodes(
  declared: readonly DeclaredMenu[],
  routes: readonly Route[],
  offIn: (tenantId: string) => ReadonlyMap<string, Off>,
): (tenantId: string) => ReadonlySet<string> {
  const owners = new Map(declared.map(({ code, plugin }) => [code, new Set([plugin])]));
  const isDeclared = new Set(owners.keys());
  for (const { call, plugin } of routes)
    for (const code of codesAsked(call.who)) if (!isDeclared.has(code)) owners.set(code, (owners.get(code) ?? new Set()).add(plugin));
  const kept = new WeakMap<ReadonlyMap<string, Off>, ReadonlySet<string>>();
  return (tenantId) => {
    const off = offIn(tenantId);
    const known = kept.get(off) ?? new Set([...owners].filter(([, plugins]) => [...plugins].every((plugin) => off.has(plugin))).map(([code]) => code));
    kept.set(off, known);
    return known;
  };
}
