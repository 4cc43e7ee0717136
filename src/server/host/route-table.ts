import { memoize } from '../base/memoize.ts';
import { fileRoutes } from '../platform/files/routes.ts';
import { requiredCodes } from '../platform/http/authorize-call.ts';
import type { Origin, Route } from '../platform/http/route.ts';
import { startAuth } from '../platform/identity/start-auth.ts';
import { codesWith, type DeclaredMenu, declaredMenus } from '../platform/permission/declared-menus.ts';
import { GrantedMenus, permissionRoutes } from '../platform/permission/granted-menus.ts';
import { showPersonalRoutes } from '../platform/personal/show-personal.ts';
import { preferenceRoutes } from '../platform/preferences/preference-routes.ts';
import { viewRoutes, withFollowed } from '../platform/preferences/view-routes.ts';
import type { Principal } from '../platform/principal/principal.ts';
import { archivedNameRoutes } from '../platform/references/archived-names.ts';
import { relatedListRoutes } from '../platform/references/related-lists.ts';
import { searchRoutes } from '../platform/search/find-records.ts';
import type { DisabledReason } from '../platform/switches/switchable-plugins.ts';
import { browserSpanRoute } from '../platform/traces/browser-spans.ts';
import { forgetFirstPassword } from './first-start.ts';
import type { BootDeps, KernelServices } from './kernel-services.ts';

/** The calls of the kernel and of the running plugins, and the function that identifies their callers. */
export class RouteTable {
  /** All calls; another list after each `refresh`. */
  routes: readonly Route[] = [];
  /** Identifies the caller of a request; undefined for a missing, expired, foreign or revoked token. */
  readonly identify: (origin: Origin, queryToken?: string) => Promise<Principal | undefined>;
  private declared: readonly DeclaredMenu[] = [];
  private readonly menus: GrantedMenus;
  private readonly kernelRoutes: readonly Route[];

  constructor(
    private readonly deps: BootDeps,
    private readonly services: KernelServices,
  ) {
    const { db, configuration, manifest } = deps;
    const { parameters, storage, principals, references, editors, search, traces } = services;
    this.menus = new GrantedMenus(db);
    const { identity, routes } = startAuth({
      ...deps,
      ...services,
      ...services.logs,
      menus: this.menus,
      product: manifest.product.name,
      log: deps.app.log,
      passwordChanged: (account) => forgetFirstPassword(configuration.dataDirectory, account),
    });
    this.identify = (origin, queryToken) => identity.of(origin, queryToken);
    principals.setSource((tenantId, userId) => identity.ofUser(tenantId, userId));
    const knownNames = () => ({ routes: this.routes, pages: this.declared.map(({ path }) => path) });
    this.kernelRoutes = [
      ...routes,
      ...permissionRoutes(this.menus),
      ...preferenceRoutes(db, (preferences, principal) => withFollowed(db, this.routes, preferences, principal)),
      ...archivedNameRoutes(db),
      ...searchRoutes({ db, sources: search, references, routes: () => this.routes }),
      ...showPersonalRoutes(db, () => this.routes),
      ...fileRoutes(storage, parameters),
      editors.route,
      ...(traces ? [browserSpanRoute(traces, knownNames)] : []),
    ];
  }

  /** Collects the calls and the menu again, after a change of the running plugins. */
  refresh(): void {
    const { db, menuGroups } = this.deps;
    const { references, editors, explanations, switches, host, principals } = this.services;
    this.declared = declaredMenus(host.running, menuGroups);
    this.menus.declare({
      served: new Set([...this.declared.map(({ code }) => code), ...codesOf(host.routes)]),
      platformOnly: codesWith('isPlatformOnly', this.declared),
      forEveryone: codesWith('isForEveryone', this.declared),
      groups: codesWith('isGroup', this.declared),
      offIn: offCodes(this.declared, host.routes, (tenantId) => switches.offIn(tenantId)),
    });
    const served = [...this.kernelRoutes, ...host.routes];
    this.routes = [...served, ...viewRoutes(db, served), ...relatedListRoutes(db, served)];
    references.setRoutes(this.routes);
    editors.setRoutes(this.routes);
    const principalOf = (tenantId: string, userId: string) => principals.find(tenantId, userId);
    explanations.setSources({ menus: this.menus, routes: this.routes, plugins: host.running, switches, principalOf });
  }
}

/** Collects the permission codes that calls require, including codes without a button. */
const codesOf = (routes: readonly Route[]): string[] => routes.flatMap(({ call }) => requiredCodes(call.access));

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
  const codesOff = memoize(
    (off: ReadonlyMap<string, DisabledReason>) =>
      new Set([...owners].filter(([, plugins]) => [...plugins].every((plugin) => off.has(plugin))).map(([code]) => code)),
  );
  return (tenantId) => codesOff(offIn(tenantId));
}
