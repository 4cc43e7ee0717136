import { problems, Refusal } from '#shared/errors';
import { type ServerContribution, serverContributions } from '#shared/server-contributions';
import { type Route, route } from '../platform/http/route.ts';
import { isAdministrator } from '../platform/permission/granted-menus.ts';
import type { PluginSwitches } from '../platform/switches/plugin-switches.ts';
import type { PluginFacts } from './plugin-facts.ts';

/** Serves the list of plugin contributions on the server, for the inspector. */
export function contributionRoutes(facts: () => readonly PluginFacts[], switches: PluginSwitches): Route[] {
  return [
    route(serverContributions, ({ principal }) => {
      if (!isAdministrator(principal.roles)) throw new Refusal(problems.forbidden);
      return facts().flatMap(({ plugin: { id }, shares, takes, filters, fields, rules }) => {
        const isOff = switches.isOff(id, principal.tenantId);
        const those = (kind: ServerContribution['kind'], names: readonly string[]) => names.map((what) => ({ pluginId: id, kind, what, isOff }));
        return [...those('service', shares), ...those('taken', takes), ...those('filter', filters), ...those('field', fields), ...those('rule', rules)];
      });
    }),
  ];
}
