import { Dictionaries, definePlugin, Http, Live, Locale, page, RowsChanged } from '#kernel';
import { LiveOpened } from '#shared/live';
import { DictSaved, dictEntities } from '../events.ts';
import { dictBizMenu, dictMenu } from '../menus.ts';
import { DictionaryEntries } from './dictionary-entries.ts';

/** Dictionaries: the options of fields with a fixed set of values. */
export default definePlugin({
  id: 'dictionary',
  title: ['字典管理', 'Dictionaries'],

  provide(provide) {
    provide(DictionaryEntries, [Http, Locale]);
  },

  pages: [page(dictMenu, () => import('./DictPage.tsx')), page(dictBizMenu, () => import('./DictBizPage.tsx'))],

  start({ get, on, onStop }) {
    const entries = get(DictionaryEntries);
    const live = get(Live);

    onStop(get(Dictionaries).provideBy(entries.entries$));
    onStop(live.stream(DictSaved).subscribe(({ code }) => entries.invalidate(code)));
    onStop(live.stream(LiveOpened).subscribe(({ resumed }) => !resumed && entries.invalidate()));
    on(RowsChanged, ({ entity }) => Object.values<string>(dictEntities).includes(entity) && entries.invalidate());
  },
});
