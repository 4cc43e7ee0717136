import { repositoryOf, type ServerContext } from '#server';
import { Dict } from '../contract.ts';
import { Dictionaries } from './dictionaries.ts';
import { firstDicts } from './first-dicts.ts';

/** Gives a deployment the dictionaries the family knows; one whose code is there already is left as it is. */
export async function seedDicts({ db }: ServerContext): Promise<void> {
  const dicts = repositoryOf(db, Dict);
  const dictionaries = new Dictionaries(db);
  for (const [place, { code, name, entries }] of firstDicts.entries()) {
    if (await dicts.find({ code, parentId: '0' })) continue;
    const { id } = await dictionaries.save({ code, dictValue: name, sort: place + 1, isSealed: 0 });
    for (const [at, [dictKey, dictValue]] of entries.entries()) {
      await dictionaries.save({ parentId: id, dictKey, dictValue, sort: at + 1, isSealed: 0 });
    }
  }
}
