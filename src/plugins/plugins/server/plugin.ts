import { ApiError, Deployment, defineServerPlugin, PluginPackages, PluginSwitches, route, wholeDeployment } from '#server';
import { cannotBeChanged, pluginProblems, plugins } from '../contract.ts';
import { pluginsMenu } from '../menus.ts';
import { packageRoutes } from './package-routes.ts';
import { fixedReason, isOfPlatform, pluginRows } from './plugin-rows.ts';
import { findTenants, scopeFor } from './scopes.ts';

/** Plugins: lists the plugins of the deployment, and enables and disables them at run time. */
export default defineServerPlugin({
  id: 'plugins',
  title: ['插件管理', 'Plugins'],
  core: true,
  menus: [pluginsMenu],

  setup({ db, systemLog, get }) {
    const deployment = get(Deployment);
    const switches = get(PluginSwitches);
    const states = { plugins: () => deployment.plugins(), switches };

    return {
      routes: [
        ...packageRoutes(get(PluginPackages)),
        route(plugins.list, async ({ input, principal }) => {
          const scope = await scopeFor(db, principal, input.place);
          return pluginRows(states, scope, isOfPlatform(scope) ? await deployment.strayErrors() : undefined);
        }),
        route(plugins.tenants, ({ input, principal }) => findTenants(db, principal, input.name ?? '')),
        route(plugins.retry, async ({ input: { id }, principal }) => {
          await scopeFor(db, principal, wholeDeployment);
          if (!switches.switchablePlugins.find(id)) throw new ApiError(pluginProblems.unknown, {}, { field: 'id' });
          await deployment.retry(id);
          systemLog.log({ level: 'warn', event: 'plugins:retried', data: { plugin: id } });
        }),
        route(plugins.setEnabled, async ({ input: { id, on, place: requestedScope }, principal }) => {
          const scope = await scopeFor(db, principal, requestedScope);
          if (!pluginRows(states, scope).some((row) => row.id === id)) throw new ApiError(pluginProblems.unknown, {}, { field: 'id' });
          if (switches.isOff(id, scope) !== on) return;
          const reason = fixedReason(states, scope, id);
          if (reason) throw new ApiError(cannotBeChanged(reason));
          await switches.setEnabled(id, scope, on);
          const data = { plugin: id, place: scope, with: switches.switchablePlugins.dependentsOf(id) };
          systemLog.log({
            level: 'warn',
            event: on ? 'plugins:switched-on' : 'plugins:switched-off',
            data,
            ...(scope === wholeDeployment ? {} : { tenant: scope }),
          });
        }),
      ],
    };
  },
});
