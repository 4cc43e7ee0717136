import { defineServerPlugin, repositoryOf } from '#server';
import { Param, ParamSaved, param, paramMenu } from '../contract.ts';
import { paramReader } from './param-reader.ts';
import { seedParams } from './seed.ts';

/** System parameters: the platform's settings that change while the server runs. */
export default defineServerPlugin({
  id: 'settings',
  title: ['系统设置', 'Settings'],
  menus: [paramMenu],
  seed: seedParams,
  parameters: paramReader,

  routes({ serveCrud, db, emit }) {
    serveCrud(param, repositoryOf(db, Param, { saved: ({ paramKey }) => emit(ParamSaved, { paramKey }) }));
  },
});
