import { defineServerPlugin, provide } from '#server';
import { Dict, DictBiz, dict, dictBiz } from '../contract.ts';
import { dictBizMenu, dictMenu } from '../menus.ts';
import { Dictionaries } from '../server-extension.ts';
import { dictRoutes } from './dict-routes.ts';
import { DictionaryService, dictionaryLabels } from './dictionaries.ts';
import { seedDictionaries } from './seed-dictionaries.ts';

/** Dictionaries: the values of fields, for the deployment and for each tenant. */
export default defineServerPlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],
  menus: [dictMenu, dictBizMenu],
  seed: seedDictionaries,
  // Version 2 adds the industries of advertisers, version 3 the English names.
  seedVersion: 3,

  setup(context) {
    return {
      routes: [...dictRoutes(context, dict, Dict), ...dictRoutes(context, dictBiz, DictBiz)],
      readDictionary: dictionaryLabels(context),
      services: [provide(Dictionaries, new DictionaryService(context.db))],
    };
  },
});
