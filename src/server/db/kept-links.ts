import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { Refusal } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import type { Row } from './written-row.ts';

/** Judges links to files on their way into rows. */
export interface LinkKeeper {
  /** The link as rows keep it. Refuses one to a file that whoever writes it may not refer to; `held` are the links the field has had. */
  keep(link: string, held: readonly string[]): Promise<string>;
}

/** True for fields that hold links to files. */
export const holdsFiles = (schema: TSchema): boolean => ['image', 'attachment'].includes(traitsOf(schema)?.widget ?? '');

/** What is about to be written, with each link to a file as rows keep it. */
export async function withKeptLinks(keeper: LinkKeeper, entity: Entity, values: Row, before: Row | undefined): Promise<Row> {
  const kept: Row = {};
  for (const [name, schema] of Object.entries(entity.fields)) {
    const value = values[name];
    if (!holdsFiles(schema) || value === undefined || value === null) continue;
    const held = [before?.[name]].flat().filter((link) => typeof link === 'string');
    const links: unknown[] = [];
    // One after the other, as the transaction asks one thing at a time.
    for (const link of [value].flat()) links.push(typeof link === 'string' ? await keeper.keep(link, held).catch((error) => refuse(name, error)) : link);
    kept[name] = Array.isArray(value) ? links : links[0];
  }
  return { ...values, ...kept };
}

function refuse(field: string, error: unknown): never {
  throw error instanceof Refusal ? new Refusal(error.problem, {}, { field, cause: error.cause }) : error;
}
