import type { SQL } from 'drizzle-orm';
import type { TObject } from 'typebox';
import type { Crud, Entity } from '#shared/contract';
import type { SheetCalls } from '#shared/sheet-calls';
import type { Words } from '#shared/text';
import type { Repository } from '../db/repository.ts';

/** A generic screen whose rows are exported and imported. */
export interface TransferTarget {
  readonly crud: Crud;
  readonly entity: Entity;
  readonly repository: Repository<Entity, object>;
  /** What its page is called. */
  readonly title: Words;
  /** Narrows an export beyond what is asked for, as the list it stands for is. */
  readonly exported?: (() => SQL) | undefined;
}

/** The same rows as clients of the family have them, in sheets of other headings. */
export interface SheetServing {
  readonly calls: SheetCalls;
  /** The columns of an export, by their fields. */
  readonly columns: Entity['fields'];
  /** What a row of an import may say. */
  readonly form: TObject;
  /** Whoever adds the rows; `covers`: those that are there already are edited. */
  readonly repository: (covers: boolean) => Repository<Entity, object>;
}
