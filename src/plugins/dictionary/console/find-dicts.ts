import { searchRows } from '#kernel';
import { dict } from '../contract.ts';
import { dictMenu } from '../menus.ts';

/** Searches dictionaries by name or code. */
export default searchRows({ menu: dictMenu, crud: { ...dict, list: dict.parentList }, by: ['dictValue', 'code'], title: 'dictValue', detail: 'code' });
