import { ApiError, Deployment, defineServerPlugin, isAdministrator, PluginSwitches, problems, route } from '#server';
import { type ServerContribution, serverContributions } from '../contract.ts';

/** Inspector: lists the contributions of plugins to the server. */
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
            const contributions = (kind: ServerContribution['kind'], names: readonly string[]) => names.map((what) => ({ pluginId: id, kind, what, isOff }));
            return [
              ...contributions('service', providedServices),
              ...contributions('taken', usedServices),
              ...contributions('filter', filters),
              ...contributions('field', fields),
              ...contributions('rule', rules),
            ];
          });
        }),
      ],
    };
  },
});
