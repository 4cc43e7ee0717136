import type { ScreenAddition } from '#kernel';
import type { RowOf } from '#shared/contract';
import type { DataScope } from '../contract.ts';
import { ConditionControl } from './ConditionControl.tsx';

/** Edits the conditions of data scopes in the builder. */
export default (): ScreenAddition<RowOf<typeof DataScope>> => ({ inputs: { scopeValue: { Control: ConditionControl } } });
