import { event } from '#shared/contract';

/** Entity names of both kinds of dictionary. */
export const dictEntities = { system: 'dict', business: 'dict_biz' } as const;

/** A dictionary or an entry was added, changed or removed; `code` is the code that fields refer to. */
export const DictSaved = event<{ code: string }>('dictionary:dict-saved');
