import type { LocalizedText } from './text.ts';

/** Values of the column `isDeleted`. Archived rows leave lists and pickers and stay readable. */
export const rowStates = { active: 0, deleted: 1, archived: 2 } as const;
export type RowState = (typeof rowStates)[keyof typeof rowStates];

/** Name of an archived record, as references to it show it. */
export const archivedName: LocalizedText = ['{name}（已归档）', '{name} (archived)'];
