import type { ServerContext } from '#server';
import { dictionariesOf } from './dictionaries.ts';
import { firstDicts } from './first-dicts.ts';

/** Gives a deployment the dictionaries the family knows; one whose code is there already is left as it is. */
export async function seedDicts(context: ServerContext): Promise<void> {
  const dicts = dictionariesOf(context);
  for (const [place, { code, name, entries }] of firstDicts.entries()) {
    if (await dicts.find({ code, parentId: '0' })) continue;
    const { id } = await dicts.save({ code, dictValue: name, sort: place + 1, isSealed: 0 });
    for (const [at, [dictKey, dictValue]] of entries.entries()) {
      await dicts.save({ parentId: id, dictKey, dictValue, sort: at + 1, isSealed: 0 });
    }
  }
}
