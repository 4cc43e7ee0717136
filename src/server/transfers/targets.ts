import type { SQL } from 'drizzle-orm';
import type { Crud, Entity } from '#shared/contract';
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
