import { searchRows } from '#kernel';
import { paramMenu } from '../menus.ts';
import { param } from '../param-contract.ts';

/** Searches parameters by name or key. */
export default searchRows({ menu: paramMenu, crud: param, by: ['paramName', 'paramKey'], title: 'paramName', detail: 'paramKey' });
