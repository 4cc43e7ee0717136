import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { ApiError } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import type { SignedLinkResolver } from '../database/database.ts';
import type { RowValues } from './row-values.ts';

/** True for fields that contain links to files. */
export const holdsFiles = (schema: TSchema): boolean => ['image', 'attachment'].includes(traitsOf(schema)?.widget ?? '');

/** Replaces each link to a file in the values by its stored form. */
export async function resolveSignedLinks(resolver: SignedLinkResolver, entity: Entity, values: RowValues, before: RowValues | undefined): Promise<RowValues> {
  const storedValues: RowValues = {};
  for (const [name, schema] of Object.entries(entity.fields)) {
    const value = values[name];
    if (!holdsFiles(schema) || value === undefined || value === null) continue;
    const linksBefore = [before?.[name]].flat().filter((link) => typeof link === 'string');
    const links: unknown[] = [];
    // One after the other, because a transaction runs one statement at a time.
    for (const link of [value].flat())
      links.push(typeof link === 'string' ? await resolver.toStored(link, linksBefore).catch((error) => rethrowForField(name, error)) : link);
    storedValues[name] = Array.isArray(value) ? links : links[0];
  }
  return { ...values, ...storedValues };
}

function rethrowForField(field: string, error: unknown): never {
  throw error instanceof ApiError ? new ApiError(error.problem, error.values, { field, cause: error.cause, data: error.data }) : error;
}
