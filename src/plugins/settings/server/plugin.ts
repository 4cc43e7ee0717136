import { backupStep, crudRoutes, defineServerPlugin, repositoryOf, withoutOutdatedEnglish } from '#server';
import { clientMenu, paramMenu, settingMenu } from '../menus.ts';
import { Param, ParamSaved, param } from '../param-contract.ts';
import { clientRoutes } from './clients.ts';
import { paramReader, seedParams } from './param-reader.ts';
import { assertValue, settingRoutes } from './setting-routes.ts';

/** Settings: the platform's parameters, which can change while the server runs, and the client applications that sign users in. */
export default defineServerPlugin({
  id: 'settings',
  title: ['系统设置', 'Settings'],
  menus: [settingMenu, paramMenu, clientMenu],
  seed: seedParams,
  // Version 2 adds the English names.
  seedVersion: 2,

  setup(context) {
    const { db, emit } = context;
    const params = repositoryOf(db, Param, {
      unique: [{ fields: ['paramKey'] }],
      complete: (form, writing) => withoutOutdatedEnglish(Param, form, writing),
      beforeSave(form, before) {
        const { paramKey, paramValue } = { ...before, ...form };
        assertValue(context, paramKey, paramValue);
      },
      saved: ({ paramKey }) => emit(ParamSaved, { paramKey }),
    });

    return {
      routes: [
        ...clientRoutes(context),
        crudRoutes(param, params, { search: { fields: ['paramName', 'paramNameEn', 'paramKey'], subtitle: ['paramKey'], actions: { param_edit: true } } }),
        ...settingRoutes(context, params),
      ],
      readParameter: paramReader(context),
      figures: [backupStep({ db, code: 'setting_edit', leadsTo: { menu: settingMenu.code } })],
    };
  },
});
