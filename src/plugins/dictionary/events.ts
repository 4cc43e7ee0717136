import { event } from '#shared/contract';

/** What the rows of either kind of dictionary are called. */
export const dictEntities = { system: 'dict', business: 'dict_biz' } as const;

/** A dictionary or an entry was added, changed or removed; `code` as fields name it. */
export const DictSaved = event<{ code: string }>('dictionary:dict-saved');
