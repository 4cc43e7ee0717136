import { and, eq, sql } from 'drizzle-orm';
import { hasId, idArray, notDeleted, type PluginRoute, repositoryOf, route, type ServerContext, tableOf } from '#server';
import { DepartResource, kinds, material, standings } from '../contract.ts';

const resources = tableOf(DepartResource);
const { id, name, url, cover, ext, mime, size, status, type } = resources;

/** Serves approved files to users who create or work on tasks. */
export function materialRoutes({ db }: Pick<ServerContext, 'db'>): PluginRoute[] {
  const materials = repositoryOf(db, material.entity);

  return [
    route(material.pick, ({ input }) => materials.page(input, sql`${type} = ${kinds.file} and ${status} = ${standings.approved}`)),
    route(material.find, ({ input: { ids = [] } }) =>
      db.sql
        .select({ id, name, url, cover, ext, mime, size })
        .from(resources)
        .where(and(hasId(resources, ids), eq(type, kinds.file), eq(status, standings.approved), notDeleted(resources)))
        .orderBy(sql`array_position(${idArray(ids)}, ${id})`),
    ),
  ];
}
