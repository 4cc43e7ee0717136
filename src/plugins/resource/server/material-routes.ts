import { sql } from 'drizzle-orm';
import { type PluginRoute, queryRows, repositoryOf, route, type ServerContext, tableOf } from '#server';
import { DepartResource, kinds, material, type ResourceSearchResult, standings } from '../contract.ts';
import { idArray } from './resources.ts';

const { status, type } = tableOf(DepartResource);

/** Serves approved files to users who create or work on tasks. */
export function materialRoutes({ db }: Pick<ServerContext, 'db'>): PluginRoute[] {
  const materials = repositoryOf(db, material.entity);

  return [
    route(material.pick, ({ input }) => materials.page(input, sql`${type} = ${kinds.file} and ${status} = ${standings.approved}`)),
    route(material.find, ({ input: { ids = [] } }) =>
      queryRows<ResourceSearchResult>(
        db,
        sql`select id::text as id, name, url, cover, ext, mime, size::float8 as size from depart_resource r
          where id = any(${idArray(ids)}) and type = ${kinds.file} and status = ${standings.approved} and is_deleted = 0
          order by array_position(${idArray(ids)}, r.id)`,
      ),
    ),
  ];
}
