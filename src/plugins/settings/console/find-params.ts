import { foundRows } from '#kernel';
import { param } from '../contract.ts';
import { paramMenu } from '../menus.ts';

/** Parameters by name or key. */
export default foundRows({ menu: paramMenu, crud: param, by: ['paramName', 'paramKey'], title: 'paramName', detail: 'paramKey' });
