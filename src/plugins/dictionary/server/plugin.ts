import { defineServerPlugin, provide } from '#server';
import { Dict, DictBiz, dict, dictBiz } from '../contract.ts';
import { dictBizMenu, dictMenu } from '../menus.ts';
import { Dictionaries } from '../server-extension.ts';
import { DictionaryService, dictionaryLabels, dictRoutes } from './dictionaries.ts';
import { addDictionaries, seedDictionaries } from './seed-dictionaries.ts';

/** Dictionaries: the values of fields, for the deployment and for each tenant. */
export default defineServerPlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],
  menus: [dictMenu, dictBizMenu],
  seed: seedDictionaries,
  // Version 2 added the industries, which are base data now; version 3 adds the English names.
  seedVersion: 3,

  setup(context) {
    return {
      routes: [...dictRoutes(context, dict, Dict), ...dictRoutes(context, dictBiz, DictBiz)],
      readDictionary: dictionaryLabels(context),
      writeDictionaries: (declared) => addDictionaries(context, declared),
      services: [provide(Dictionaries, new DictionaryService(context.db))],
    };
  },
});
