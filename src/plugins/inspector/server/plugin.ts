import { ApiError, defineServerPlugin, isAdministrator, problems } from '#server';
import { type ServerContribution, serverContributions } from '../contract.ts';

/** Inspector: lists the contributions of plugins to the server. */
export default defineServerPlugin({
  id: 'inspector',
  title: ['内核检查器', 'Kernel inspector'],
  core: true,

  routes({ serve, plugins }) {
    serve(serverContributions, ({ principal }) => {
      if (!isAdministrator(principal.roles)) throw new ApiError(problems.forbidden);
      return plugins.all().flatMap(({ plugin: { id }, shares, takes, filters, fields, rules }) => {
        const isOff = plugins.switches.isOff(id, principal.tenantId);
        const those = (kind: ServerContribution['kind'], names: readonly string[]) => names.map((what) => ({ pluginId: id, kind, what, isOff }));
        return [...those('service', shares), ...those('taken', takes), ...those('filter', filters), ...those('field', fields), ...those('rule', rules)];
      });
    });
  },
});
