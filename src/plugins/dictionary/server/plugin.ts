import { defineServerPlugin, provide } from '#server';
import { Dict, DictBiz, dict, dictBiz } from '../contract.ts';
import { dictBizMenu, dictMenu } from '../menus.ts';
import { Dictionaries } from '../server-extension.ts';
import { dictionaryLabels } from './dictionaries.ts';
import { seedDicts } from './seed.ts';
import { dictRoutes } from './serve-dicts.ts';
import { SharedDictionaries } from './shared-dictionaries.ts';

/** Dictionaries: the values a deployment and each of its tenants offer, under the codes fields name. */
export default defineServerPlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],
  menus: [dictMenu, dictBizMenu],
  seed: seedDicts,
  // Version 2 adds the industries of advertisers.
  seedVersion: 2,

  setup(context) {
    return {
      routes: [...dictRoutes(context, dict, Dict), ...dictRoutes(context, dictBiz, DictBiz)],
      readDictionary: dictionaryLabels(context),
      services: [provide(Dictionaries, new SharedDictionaries(context.db))],
    };
  },
});
