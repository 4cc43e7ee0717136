import { ApiError, Deployment, defineServerPlugin, isAdministrator, PluginSwitches, problems, route } from '#server';
import { type ServerContribution, serverContributions } from '../contract.ts';

/** Kernel inspector: lists the services, filters, fields and rules that each server plugin contributes. */
export default defineServerPlugin({
  id: 'inspector',
  title: ['内核检查器', 'Kernel inspector'],
  core: true,

  setup({ get }) {
    const deployment = get(Deployment);
    const switches = get(PluginSwitches);

    return {
      routes: [
        route(serverContributions, ({ principal }) => {
          if (!isAdministrator(principal.roles)) throw new ApiError(problems.forbidden);
          return deployment.plugins().flatMap(({ plugin: { id }, providedServices, usedServices, filters, fields, rules }) => {
            const isOff = switches.isOff(id, principal.tenantId);
            const toRows = (kind: ServerContribution['kind'], names: readonly string[]) => names.map((name) => ({ pluginId: id, kind, what: name, isOff }));
            return [
              ...toRows('service', providedServices),
              ...toRows('taken', usedServices),
              ...toRows('filter', filters),
              ...toRows('field', fields),
              ...toRows('rule', rules),
            ];
          });
        }),
      ],
    };
  },
});
