import type { Condition } from '#shared/condition';

/** One rule by which a user may see rows. */
export type ScopePart =
  | { readonly kind: 'own' | 'dept' | 'deptAndBelow'; readonly column: string }
  | { readonly kind: 'custom'; readonly condition: Condition }
  | { readonly kind: 'both'; readonly parts: readonly [ScopePart, ScopePart] };

/** Access of a user to an entity: rows that match any part, and of them these fields. */
export interface RowScope {
  /** Undefined allows all rows. */
  readonly parts: readonly ScopePart[] | undefined;
  /** Undefined allows all fields. */
  readonly fields: ReadonlySet<string> | undefined;
}
