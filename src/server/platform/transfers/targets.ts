import type { SQL } from 'drizzle-orm';
import type { TObject } from 'typebox';
import type { Crud, Entity } from '#shared/contract';
import type { SheetCalls } from '#shared/sheet-calls';
import type { LocalizedText } from '#shared/text';
import type { Repository } from '../../data/repository/repository.ts';

/** A generic screen whose rows can be exported and imported. */
export interface TransferTarget {
  readonly crud: Crud;
  readonly entity: Entity;
  readonly repository: Repository<Entity, object>;
  /** Title of its page. */
  readonly title: LocalizedText;
  /** Condition on exported rows, like that of the corresponding list. */
  readonly exported?: (() => SQL) | undefined;
}

/** Import and export for BladeX-compatible clients, whose sheets have other headings. */
export interface SheetServing {
  readonly calls: SheetCalls;
  /** Fields that form the columns of an export. */
  readonly columns: Entity['fields'];
  /** Schema of an imported row. */
  readonly form: TObject;
  /** Returns the repository that adds the rows; with `covers` it updates existing ones. */
  readonly repository: (covers: boolean) => Repository<Entity, object>;
}
