import { defineServerPlugin, repositoryOf } from '#server';
import { Param, ParamSaved, param } from '../contract.ts';
import { clientMenu, paramMenu } from '../menus.ts';
import { serveClients } from './clients.ts';
import { paramReader } from './param-reader.ts';
import { refuseWrongValue } from './param-values.ts';
import { seedParams } from './seed.ts';

/** System parameters, the platform's settings that change while the server runs; and the programs that may sign people in. */
export default defineServerPlugin({
  id: 'settings',
  title: ['系统设置', 'Settings'],
  menus: [paramMenu, clientMenu],
  seed: seedParams,
  parameters: paramReader,

  routes(context) {
    const { serveCrud, db, emit } = context;
    serveClients(context);
    serveCrud(param, repositoryOf(db, Param, { beforeSave: refuseWrongValue, saved: ({ paramKey }) => emit(ParamSaved, { paramKey }) }));
  },
});
